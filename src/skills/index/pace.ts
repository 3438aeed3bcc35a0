/** How background work gives way to other work. */
export interface Pace {
  /** True once others should run, or the work is to stop. */
  isUp(): boolean;
  /** Lets others run. Resolves to false when the work is to stop. */
  rest(): Promise<boolean>;
  /** True when it is to stop at once, and not only because its time is over. */
  isAborted(): boolean;
}

/** What sets a pace. Times in ms. */
export interface PaceOptions {
  /** Rising. */
  readonly now: () => number;
  /** Length of a slice. */
  readonly sliceMs: number;
  /** Pause after a slice; others run in between also where it is 0. */
  readonly pauseMs: number;
  /** The work stops at this time. */
  readonly until?: number;
  readonly signal?: AbortSignal;
}

/** Slices of work with pauses between them, until it is time to stop. */
export function paceOf({ now, sliceMs, pauseMs, until = Number.POSITIVE_INFINITY, signal }: PaceOptions): Pace {
  let start = now();
  const mustStop = (): boolean => signal?.aborted === true || now() >= until;
  return {
    isUp: () => now() - start >= sliceMs || mustStop(),
    isAborted: () => signal?.aborted === true,
    rest: async () => {
      if (mustStop()) return false;
      await new Promise<void>((resolve) => {
        if (pauseMs === 0) setImmediate(resolve);
        else setTimeout(resolve, pauseMs);
      });
      start = now();
      return !mustStop();
    },
  };
}
