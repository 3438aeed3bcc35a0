/** Set by the long runs (`npm run soak`): what `npm test` samples is then done whole. */
export const isWhole = process.env['WHOLE'] === '1';

/** Every n-th of the numbers below `count`, each run from another one on; all of them in a long run. */
export function sampled(count: number, every: number): readonly number[] {
  const step = isWhole ? 1 : every;
  const from = Math.floor(Math.random() * step);
  return Array.from({ length: count }, (_, n) => n).filter((n) => n % step === from);
}
