/** Calls that run at this moment. */
export interface OpenCalls {
  /** Runs a call; its signal aborts with the given one, and when the server ends. */
  readonly run: <Result>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;
  /** Aborts all of them, and resolves once none runs: no script outlives the server. */
  readonly end: () => Promise<void>;
}

/** Keeps hold of calls. */
export function openCalls(): OpenCalls {
  const stop = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    async run(signal, call) {
      const called = call(AbortSignal.any([signal, stop.signal]));
      running.add(called);
      try {
        return await called;
      } finally {
        running.delete(called);
      }
    },
    async end() {
      stop.abort();
      await Promise.allSettled(running);
    },
  };
}
