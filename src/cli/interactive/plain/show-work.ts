import { endAtOnce } from '../../interrupts.ts';
import type { Work } from '../face.ts';
import { notice, type Console } from './console.ts';

/** Shows work to its end, a line for each thing that it tells. Ctrl-C stops it, and once more does not wait. */
export function showWork<T>(console: Console, what: string, run: (work: Work) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) endAtOnce();
    stop.abort();
  };
  // A line of progress is a courtesy: a terminal that went away ends the work by the end of its input.
  const progress = (line: string): void => void notice(`${what}: ${line}`).catch(() => undefined);
  return console.during(() => run({ signal: stop.signal, progress }), { interrupt, end: () => stop.abort(), take: async () => false });
}
