import type { Interval } from './interval.ts';

/** What an interval of a difference says. `no difference` is a finding, `not enough evidence` is none. */
export type Verdict = 'better' | 'worse' | 'no difference' | 'not enough evidence';

/** Differences up to this share count as none, unless told otherwise: 5 points. */
export const USUAL_MARGIN = 0.05;

/** The verdict of an interval: `no difference` only where the whole of it lies within the margin. */
export function verdictOf(interval: Interval | undefined, margin: number): Verdict {
  if (!interval) return 'not enough evidence';
  if (interval.low > 0) return 'better';
  if (interval.high < 0) return 'worse';
  return interval.low >= -margin && interval.high <= margin ? 'no difference' : 'not enough evidence';
}
