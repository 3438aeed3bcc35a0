import type { Interval } from '../statistics/interval.ts';
import type { Arm } from '../runs/plan.ts';
import type { Rate } from './report.ts';

/** What people read for an arm. */
export const ARM_WORDS: Readonly<Record<Arm, string>> = { without: 'without the skill', old: 'old version', new: 'with the skill', crowded: 'among other skills' };

/** A share as `83 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A difference as `+12`, in points. */
export function points(share: number): string {
  const whole = Math.round(share * 100);
  return whole > 0 ? `+${whole}` : String(whole);
}

/** A rate with its interval, as `83 % (61–94)`. */
export function rateText({ rate, interval, total }: Rate): string {
  return total === 0 ? 'none' : `${percent(rate)} (${Math.round(interval.low * 100)}–${Math.round(interval.high * 100)})`;
}

/** An interval of a difference, as `-3 to +21`. */
export function intervalText({ low, high }: Interval): string {
  return `${points(low)} to ${points(high)}`;
}
