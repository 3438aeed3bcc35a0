/** Coefficients of Lanczos' approximation with g = 7. */
const LANCZOS = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];
const MOST_STEPS = 300;
const TINY = 1e-300;

/** Quantile of Student's t: the value that is not exceeded with probability `p` (above 0.5, below 1), at `df` degrees of freedom; `Infinity` gives the normal one. */
export function studentT(p: number, df: number): number {
  let [low, high] = [0, 1];
  while (distribution(high, df) < p) high *= 2;
  for (let step = 0; step < MOST_STEPS && high - low > 1e-12 * high; step += 1) {
    const middle = (low + high) / 2;
    if (distribution(middle, df) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Quantile of the normal distribution for `p` above 0.5. */
export function normal(p: number): number {
  return studentT(p, Number.POSITIVE_INFINITY);
}

/** Probability of a value up to `t`, which is not negative. */
function distribution(t: number, df: number): number {
  if (df === Number.POSITIVE_INFINITY) return t === 0 ? 0.5 : 0.5 + lowerGamma(0.5, (t * t) / 2) / 2;
  return 1 - incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2;
}

function logGamma(x: number): number {
  const base = x - 1;
  const sum = LANCZOS.slice(1).reduce((total, coefficient, i) => total + coefficient / (base + i + 1), LANCZOS[0] ?? 0);
  const t = base + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (base + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Regularised lower incomplete gamma function, by its series. */
function lowerGamma(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < MOST_STEPS * 4 && term > sum * 1e-17; n += 1) {
    term *= x / (a + n);
    sum += term;
  }
  return Math.min(1, sum * Math.exp(-x + a * Math.log(x) - logGamma(a)));
}

/** Regularised incomplete beta function. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** Its continued fraction (Lentz). */
function fraction(x: number, a: number, b: number): number {
  const bounded = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / bounded(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= MOST_STEPS; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / bounded(1 + even * d);
    c = bounded(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / bounded(1 + odd * d);
    c = bounded(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return result;
}
