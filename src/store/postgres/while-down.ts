import { isPassing } from './postgres-error.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** How long to wait for a database that is down. */
export interface Patience {
  /** Of pauses between tries, ms; then the failure is thrown. */
  readonly forMs: number;
  /** Resolves after so many ms. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** Repeats what failed because the database could not be reached. `work` has to know by itself whether an earlier try had an effect. */
export async function whileDown<T>({ forMs, sleep }: Patience, work: () => Promise<T>): Promise<T> {
  let waited = 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || waited >= forMs) throw error;
      await sleep(pause);
      waited += pause;
    }
  }
}
