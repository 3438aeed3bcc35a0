import { seededRandom, shuffled } from '../statistics/random.ts';
import type { EvalCase, TriggerQuery } from '../suites/suite.ts';

/**
 * What a run has at hand: `without` no skill, `new` the skill as it is, `old` the one that it is compared with, `crowded` the
 * skill among others.
 */
export type Arm = 'without' | 'old' | 'new' | 'crowded';

/** The suites of an evaluation. */
export interface Suites {
  readonly output: readonly EvalCase[];
  readonly triggers: readonly TriggerQuery[];
}

/** One run that is to be made. */
export interface PlannedRun {
  /** The same in every process: `output/CASE/ARM/NUMBER`. */
  readonly run: string;
  readonly suite: 'output' | 'triggers';
  /** Id of the case or query. */
  readonly entry: string;
  readonly arm: Arm;
  /** From 1. */
  readonly number: number;
  /** Names all that decides what comes out; runs with the same one may stand for each other. */
  readonly key?: string;
}

/** What runs are planned of. */
export interface PlanOptions {
  readonly suites: Suites;
  readonly arms: { readonly output: readonly Arm[]; readonly triggers: readonly Arm[] };
  /** For each entry and arm. */
  readonly runs: number;
  readonly seed: number;
}

/**
 * All runs in the order in which they begin. It is mixed by the seed, so that what a budget or a fault cuts off does not hit one
 * arm more than another.
 */
export function planRuns({ suites, arms, runs, seed }: PlanOptions): readonly PlannedRun[] {
  const of = (suite: PlannedRun['suite'], ids: readonly string[], inArms: readonly Arm[]): readonly PlannedRun[] =>
    ids.flatMap((entry) => inArms.flatMap((arm) => Array.from({ length: runs }, (_, i) => ({ run: `${suite}/${entry}/${arm}/${i + 1}`, suite, entry, arm, number: i + 1 }))));
  const all = [...of('output', suites.output.map(({ id }) => id), arms.output), ...of('triggers', suites.triggers.map(({ id }) => id), arms.triggers)];
  return shuffled(all, seededRandom(seed));
}
