import type { Interval } from '../statistics/interval.ts';
import type { Difference } from '../statistics/difference.ts';
import type { Summary } from '../statistics/summary.ts';
import type { Verdict } from '../statistics/verdict.ts';
import type { Stopped } from '../runs/stopped.ts';
import type { Arm } from '../runs/plan.ts';
import type { RunRecord } from '../runs/record.ts';

/** A rate with its 95 % interval. */
export interface Rate {
  readonly rate: number;
  readonly interval: Interval;
  /** Numerator, maybe a sum of shares, and denominator. */
  readonly passed: number;
  readonly total: number;
}

/** What one arm came to in the output suite. */
export interface ArmReport {
  readonly arm: Arm;
  readonly runs: number;
  /** Runs that say nothing about the skill. */
  readonly failed: number;
  /** Mean share of expectations that a run meets. */
  readonly score: Rate;
  /** Runs that meet all of them. */
  readonly passed: Rate;
  /** Mean over the cases: at least one of k runs, and all of k runs, meet everything; k from 1 to the number of runs. */
  readonly pass_at_k: readonly number[];
  readonly pass_hat_k: readonly number[];
  /** s, tokens and USD of a run, without the judge. `cost_usd` is left out where no price is known. */
  readonly time_seconds: Summary;
  readonly tokens: Summary;
  readonly cost_usd?: Summary;
}

/** Two arms compared. */
export interface ArmDifference {
  readonly from: Arm;
  readonly to: Arm;
  /** Undefined where no case has runs in both. */
  readonly difference: Difference | undefined;
  readonly verdict: Verdict;
  /** Why the verdict is not more than it is. */
  readonly reason?: string;
  /** Pairs of results that a judge compared, blind and in both orders. */
  readonly preferred: { readonly from: number; readonly to: number; readonly tie: number; readonly not_judged: number };
}

/** How an expectation did over all runs of its case. */
export interface ExpectationReport {
  readonly case: string;
  readonly text: string;
  readonly by: 'check' | 'judge';
  readonly arms: readonly { readonly arm: Arm; readonly passed: number; readonly failed: number; readonly not_judged: number }[];
  /** It is met, or missed, in every run of every arm, so it tells nothing. */
  readonly useless?: 'always met' | 'never met';
  /** Arms in which it is met in some runs and missed in others. */
  readonly flaky: readonly Arm[];
}

/** How far a message brought the skill that it should have brought to use. */
export type MissStage = 'not offered' | 'offered but not selected' | 'selected but not followed';

/** One message of the trigger suite in one arm. */
export interface QueryReport {
  readonly id: string;
  readonly query: string;
  readonly should_trigger: boolean;
  readonly triggered: number;
  readonly runs: number;
  /** As wanted in at least half of the runs. */
  readonly passed: boolean;
  /** Misses by stage, for messages that should trigger. */
  readonly misses: readonly { readonly stage: MissStage; readonly runs: number }[];
}

/** What one arm came to in the trigger suite. */
export interface TriggerReport {
  readonly arm: Arm;
  readonly confusion: { readonly true_positive: number; readonly false_negative: number; readonly false_positive: number; readonly true_negative: number };
  /** Undefined where nothing triggered, or nothing should have. */
  readonly precision: Rate | undefined;
  readonly recall: Rate | undefined;
  readonly queries: readonly QueryReport[];
  readonly failed: number;
}

/** Everything that an evaluation found. */
export interface EvaluationReport {
  readonly id: string;
  readonly skill: { readonly name: string; readonly path: string; readonly digest: string };
  /** What it was compared with, for the arm `old`. */
  readonly against?: { readonly what: string; readonly digest: string };
  readonly model: string;
  readonly judge: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly seed: number;
  readonly runs_per_case: number;
  readonly margin: number;
  readonly planned: number;
  readonly measured: number;
  readonly stopped?: Stopped;
  readonly arms: readonly ArmReport[];
  readonly differences: readonly ArmDifference[];
  readonly expectations: readonly ExpectationReport[];
  readonly triggers: readonly TriggerReport[];
  readonly trigger_difference?: ArmDifference;
  /** USD of all that was asked, judge included, as far as prices are known. */
  readonly cost_usd: number;
  /** The verdict on the skill, and what to do. */
  readonly verdict: Verdict;
  readonly recommendation: string;
  readonly notes: readonly string[];
  /** Those of the notes that tell of expected answers in the skill. */
  readonly leaks: readonly string[];
  /** Folder with all files of the evaluation. */
  readonly folder: string;
  readonly records: readonly RunRecord[];
}
