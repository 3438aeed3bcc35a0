import type { Clock } from '../host/host.ts';

/** Does work with a signal that aborts after so many ms of the clock. Rejects as the work does. */
export async function within<T>(clock: Clock, ms: number, work: (late: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const over = new AbortController();
  const watch = clock.sleep(ms, over.signal).then(() => {
    if (!over.signal.aborted) late.abort('it did not answer in time');
  });
  try {
    return await work(late.signal);
  } finally {
    over.abort();
    await watch;
  }
}
