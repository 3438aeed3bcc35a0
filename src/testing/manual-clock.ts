import type { Clock } from '../host/host.ts';

/** A clock that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /** Moves the time on by `ms` and wakes, in order, everybody whose time has come. */
  advance(ms: number): Promise<void>;
}

/** Makes the clock; it begins at `start` (ms since 1970, 0 unless given). */
export function manualClock(start = 0): ManualClock {
  let time = start;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || ms <= 0) return resolve();
        const sleeper = { until: time + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
        function wake(): void {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        }
      }),
    advance: async (ms) => {
      const end = time + ms;
      for (;;) {
        const next = [...sleepers].filter((sleeper) => sleeper.until <= end).sort((a, b) => a.until - b.until)[0];
        if (next === undefined) break;
        time = next.until;
        next.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
      time = end;
    },
  };
}
