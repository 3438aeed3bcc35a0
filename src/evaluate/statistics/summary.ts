/** What a list of numbers comes to. `sd` is that of a sample; 0 for fewer than two. */
export interface Summary {
  readonly mean: number;
  readonly stddev: number;
  readonly min: number;
  readonly max: number;
}

/** All 0 for an empty list. */
export function summaryOf(values: readonly number[]): Summary {
  if (values.length === 0) return { mean: 0, stddev: 0, min: 0, max: 0 };
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, stddev: values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)), min: Math.min(...values), max: Math.max(...values) };
}

/** 0 for an empty list. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
