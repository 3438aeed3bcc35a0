/** How long pages are waited for, ms. */
export interface PageLimits {
  /** Until an address has begun to show. */
  readonly openMs: number;
  /** Until an element is there. */
  readonly appearMs: number;
  /** Until an element can be used. */
  readonly actMs: number;
  /** For code that is run in the page. */
  readonly evaluateMs: number;
  /** A page that does not answer by then does not answer at all. */
  readonly answerMs: number;
}

/** What holds unless the keeper is told otherwise. */
export const PAGE_LIMITS: PageLimits = { openMs: 30_000, appearMs: 5_000, actMs: 8_000, evaluateMs: 20_000, answerMs: 4_000 };
