/** Places of which a bounded number is taken at a time; who comes later waits for one, in order. */
export interface Slots {
  /** Resolves to what gives the place back, to be called once; to nothing when the signal aborts first. */
  take(limit: number, signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** Places without a bound of their own: each `take` says how many may be taken together with its own. */
export function slots(): Slots {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const giveBack = (): void => {
    taken--;
    // Each looks anew whether there is a place.
    for (const wake of waiting.splice(0)) wake();
  };
  return {
    async take(limit, signal) {
      while (taken >= limit) {
        if (signal.aborted) return undefined;
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            signal.removeEventListener('abort', wake);
            resolve();
          };
          waiting.push(wake);
          signal.addEventListener('abort', wake, { once: true });
        });
      }
      if (signal.aborted) return undefined;
      taken++;
      return giveBack;
    },
  };
}
