import { ALPHA, wilson, type Interval } from './interval.ts';
import { studentT } from './quantiles.ts';
import { seededRandom } from './random.ts';
import { meanOf, summaryOf } from './summary.ts';

/** One task in two arms: the scores of its runs, each from 0 to 1. */
export interface TaskScores {
  readonly task: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** How much higher the scores of the second arm are, with a 95 % interval. */
export interface PairedDifference {
  readonly mean: number;
  /** The one that verdicts come from. */
  readonly interval: Interval;
  readonly method: 'paired t' | 'score';
  /** Tasks with runs in both arms. */
  readonly tasks: number;
}

/** The same with the percentile bootstrap over the tasks: for comparison, as that covers too seldom with few tasks. */
export interface Difference extends PairedDifference {
  readonly bootstrap: Interval;
}

const RESAMPLES = 2_000;
/** Differences nearer to each other than this are one number with errors of rounding. */
const SAME = 1e-9;

/** Compares two arms task by task. Undefined where no task has runs in both. */
export function differenceOf(scores: readonly TaskScores[], seed: number): Difference | undefined {
  const paired = pairedDifference(scores);
  return paired && { ...paired, bootstrap: bootstrapOf(differencesOf(inBoth(scores)), seed) };
}

/** The same without the bootstrap. */
export function pairedDifference(scores: readonly TaskScores[]): PairedDifference | undefined {
  const tasks = inBoth(scores);
  if (tasks.length === 0) return undefined;
  const { mean, stddev } = summaryOf(differencesOf(tasks));
  if (tasks.length < 2 || stddev < SAME) return { mean, interval: scoreInterval(tasks, mean), method: 'score', tasks: tasks.length };
  const spread = (studentT(1 - ALPHA / 2, tasks.length - 1) * stddev) / Math.sqrt(tasks.length);
  return { mean, interval: bounded({ low: mean - spread, high: mean + spread }), method: 'paired t', tasks: tasks.length };
}

function inBoth(scores: readonly TaskScores[]): readonly TaskScores[] {
  return scores.filter(({ from, to }) => from.length > 0 && to.length > 0);
}

function differencesOf(tasks: readonly TaskScores[]): readonly number[] {
  return tasks.map(({ from, to }) => meanOf(to) - meanOf(from));
}

/**
 * The interval where the tasks do not differ among each other: of two independent rates, from their score intervals (Newcombe
 * 1998). It never has zero width.
 */
function scoreInterval(tasks: readonly TaskScores[], mean: number): Interval {
  const [from, to] = [pooled(tasks.map((task) => task.from)), pooled(tasks.map((task) => task.to))];
  return bounded({
    low: mean - Math.hypot(to.rate - to.interval.low, from.interval.high - from.rate),
    high: mean + Math.hypot(to.interval.high - to.rate, from.rate - from.interval.low),
  });
}

function pooled(runs: readonly (readonly number[])[]): { readonly rate: number; readonly interval: Interval } {
  const all = runs.flat();
  const sum = all.reduce((total, score) => total + score, 0);
  return { rate: sum / all.length, interval: wilson(sum, all.length) };
}

function bootstrapOf(differences: readonly number[], seed: number): Interval {
  const random = seededRandom(seed);
  const means = Array.from({ length: RESAMPLES }, () => meanOf(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0))).sort((a, b) => a - b);
  const at = (share: number): number => means[Math.min(RESAMPLES - 1, Math.floor(share * RESAMPLES))] ?? 0;
  return { low: at(ALPHA / 2), high: at(1 - ALPHA / 2) };
}

function bounded({ low, high }: Interval): Interval {
  return { low: Math.max(-1, low), high: Math.min(1, high) };
}
