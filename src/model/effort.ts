import type { Effort } from './model.ts';

const LEVELS: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];
const BUDGETS: Readonly<Record<Effort, number>> = { low: 4_000, medium: 10_000, high: 20_000, xhigh: 32_000, max: 48_000 };
const SMALLEST_BUDGET = 1_024;

/** The highest level of `accepted` that is not above `effort`, else the lowest one; `undefined` when there is none. */
export function nearestEffort(effort: Effort, accepted: readonly Effort[]): Effort | undefined {
  const wanted = LEVELS.indexOf(effort);
  return accepted.findLast((level) => LEVELS.indexOf(level) <= wanted) ?? accepted[0];
}

/** Tokens for thinking, out of `maxOutput`; at least half of it stays for the answer. `undefined` when too few are left to think. */
export function thinkingBudget(effort: Effort, maxOutput: number): number | undefined {
  const budget = Math.min(BUDGETS[effort], Math.floor(maxOutput / 2));
  return budget >= SMALLEST_BUDGET ? budget : undefined;
}
