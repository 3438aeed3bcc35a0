/** Work that comes often and is done now and then, with the latest state. */
export interface LateWork {
  /** Does it in a moment, unless it is to be done already. */
  soon(key: string, work: () => Promise<void>): void;
  drop(key: string): void;
  /** Nothing more is done. */
  stop(): void;
}

/** Keeps works for so many ms. */
export function lateWork(afterMs: number): LateWork {
  const waiting = new Map<string, NodeJS.Timeout>();
  const drop = (key: string): void => {
    clearTimeout(waiting.get(key));
    waiting.delete(key);
  };
  return {
    drop,
    soon(key, work) {
      if (waiting.has(key)) return;
      waiting.set(key, setTimeout(() => {
        waiting.delete(key);
        // Whoever reads no more is noticed by what is sent next.
        work().catch(() => undefined);
      }, afterMs));
    },
    stop: () => [...waiting.keys()].forEach(drop),
  };
}
