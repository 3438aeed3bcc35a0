import { normal } from './quantiles.ts';

/** Where a value lies, with 95 % confidence. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Share of wrong intervals. */
export const ALPHA = 0.05;

/** Score interval of a rate (Wilson 1927). `passed` may be a sum of shares. The whole range from 0 to 1 where nothing was tried. */
export function wilson(passed: number, total: number): Interval {
  if (total <= 0) return { low: 0, high: 1 };
  const z = normal(1 - ALPHA / 2);
  const rate = passed / total;
  const centre = rate + (z * z) / (2 * total);
  const spread = z * Math.sqrt((rate * (1 - rate)) / total + (z * z) / (4 * total * total));
  const scale = 1 + (z * z) / total;
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}
