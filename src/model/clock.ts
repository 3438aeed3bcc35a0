/** Time, as far as models need it; the host's clock fits. */
export interface ModelClock {
  /** ms since 1970. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
