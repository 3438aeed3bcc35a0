import { differenceOf, type TaskScores } from '../statistics/difference.ts';
import { verdictOf } from '../statistics/verdict.ts';
import type { Stopped } from '../runs/stopped.ts';
import type { Arm, PlannedRun } from '../runs/plan.ts';
import { scoreOf, type ComparisonRecord, type RunRecord } from '../runs/record.ts';
import type { ArmDifference } from './report.ts';

/** What is compared. */
export interface CompareArms {
  readonly suite: PlannedRun['suite'];
  readonly from: Arm;
  readonly to: Arm;
  readonly records: readonly RunRecord[];
  readonly comparisons: readonly ComparisonRecord[];
  readonly stopped: Stopped | undefined;
  readonly margin: number;
  readonly seed: number;
}

/** Scores of the runs of an arm, by case or query. */
export function scoresOf(records: readonly RunRecord[], suite: PlannedRun['suite'], arm: Arm): ReadonlyMap<string, readonly number[]> {
  const scores = new Map<string, readonly number[]>();
  for (const record of records) {
    if (record.suite !== suite || record.arm !== arm) continue;
    const score = scoreOf(record);
    if (score !== undefined) scores.set(record.entry, [...(scores.get(record.entry) ?? []), score]);
  }
  return scores;
}

/** Compares two arms. What was cut off gives no more than "not enough evidence". */
export function compareArms({ suite, from, to, records, comparisons, stopped, margin, seed }: CompareArms): ArmDifference {
  const [before, after] = [scoresOf(records, suite, from), scoresOf(records, suite, to)];
  const scores = [...after].map(([task, runs]): TaskScores => ({ task, from: before.get(task) ?? [], to: runs }));
  const difference = differenceOf(scores, seed);
  const verdict = stopped ? 'not enough evidence' : verdictOf(difference?.interval, margin);
  const own = comparisons.filter((one) => suite === 'output' && one.from === from && one.to === to);
  const count = (winner: ComparisonRecord['winner']): number => own.filter((one) => one.winner === winner).length;
  const reason = verdict !== 'not enough evidence' ? undefined : stopped ? `${stopped.message} What was measured until then is kept.` : whyNot(difference, scores.length);
  return { from, to, difference, verdict, ...(reason === undefined ? {} : { reason }), preferred: { from: count('from'), to: count('to'), tie: count('tie'), not_judged: count('not judged') } };
}

function whyNot(difference: ArmDifference['difference'], tasks: number): string {
  if (!difference) return 'There are no runs in both that could be judged.';
  const width = Math.round((difference.interval.high - difference.interval.low) * 100);
  return `The interval is ${width} points wide and holds 0, with ${tasks} ${tasks === 1 ? 'task' : 'tasks'}: more tasks, or more runs of each, make it narrower.`;
}
