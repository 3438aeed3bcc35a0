/** Bounds of one request. */
export interface EgressLimits {
  /** Most bytes of a body, as sent and as decoded. */
  readonly bodyBytes: number;
  /** ms for everything, redirects included. */
  readonly totalMs: number;
  /** ms without a byte. */
  readonly idleMs: number;
}

/** What holds unless a request says otherwise. */
export const EGRESS_LIMITS: EgressLimits = { bodyBytes: 10 * 1024 * 1024, totalMs: 30_000, idleMs: 15_000 };
