import type { TurnStatus } from '../../protocol/events.ts';
import type { Usage } from '../../protocol/usage.ts';
import type { Arm, PlannedRun } from './plan.ts';

/** What became of an expectation. `not applicable`: it is about the skill, in a run without one. */
export type GradeVerdict = 'passed' | 'failed' | 'not judged' | 'not applicable';

/** An expectation with its verdict and what that rests on. */
export interface Grade {
  readonly text: string;
  readonly by: 'check' | 'judge';
  /** It does not count where a run with the skill is compared with one without. */
  readonly about_skill: boolean;
  readonly verdict: GradeVerdict;
  /** A quote, or what the check found; for `not judged` the reason. */
  readonly evidence: string;
}

/** What calls of a model took. `cost_usd` is left out where no price is known. */
export interface Spent {
  readonly calls: number;
  readonly usage: Usage;
  readonly cost_usd?: number;
}

/** How far the skill came in a run. */
export interface SkillUse {
  readonly offered: boolean;
  /** The model, or the person with `/name`, asked for it. */
  readonly selected: boolean;
  readonly loaded: boolean;
  /** The model went on after it was loaded. */
  readonly followed: boolean;
}

/** A run that has ended, as it is kept. */
export interface RunRecord extends PlannedRun {
  readonly kind: 'run';
  readonly session_id: string;
  readonly status: TurnStatus;
  /** `failed` for a run that says nothing about the skill, such as one whose model could not be reached. */
  readonly outcome: 'measured' | 'failed';
  /** Why it failed. */
  readonly reason?: string;
  readonly grades: readonly Grade[];
  readonly skill: SkillUse;
  /** Tool → calls. */
  readonly tools: Readonly<Record<string, number>>;
  readonly tool_errors: number;
  readonly steps: number;
  /** Characters of the answer and of the files, and of the transcript. */
  readonly output_chars: number;
  readonly transcript_chars: number;
  readonly spent: Spent;
  readonly judged: Spent;
  readonly duration_ms: number;
  /** Id of the evaluation that it was taken over from. */
  readonly reused?: string;
  /** What the judge says of the expectations themselves. */
  readonly suggestions: readonly { readonly assertion: string; readonly reason: string }[];
}

/** Two runs of one case that a judge has compared in both orders. */
export interface ComparisonRecord {
  readonly kind: 'comparison';
  readonly entry: string;
  readonly from: Arm;
  readonly to: Arm;
  readonly number: number;
  /** `tie` also where the judge chose by the place; `not judged` where it answered nonsense. */
  readonly winner: 'from' | 'to' | 'tie' | 'not judged';
  readonly reason: string;
  readonly judged: Spent;
}

/** One line of the log of an evaluation. */
export type EvaluationRecord = RunRecord | ComparisonRecord;

/** Share of the expectations that were met, from 0 to 1, without those about the skill itself unless there are no others. Undefined where none was judged. */
export function scoreOf({ outcome, grades }: Pick<RunRecord, 'outcome' | 'grades'>): number | undefined {
  if (outcome !== 'measured') return undefined;
  const comparable = grades.some(({ about_skill }) => !about_skill) ? grades.filter(({ about_skill }) => !about_skill) : grades;
  const decided = comparable.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed');
  return decided.length === 0 ? undefined : decided.filter(({ verdict }) => verdict === 'passed').length / decided.length;
}

/** True for a run in which all was met that was judged. Undefined where an expectation was not judged and none failed. */
export function passedAll({ outcome, grades }: Pick<RunRecord, 'outcome' | 'grades'>): boolean | undefined {
  if (outcome !== 'measured') return undefined;
  if (grades.some(({ verdict }) => verdict === 'failed')) return false;
  return grades.some(({ verdict }) => verdict === 'not judged') || grades.length === 0 ? undefined : true;
}
