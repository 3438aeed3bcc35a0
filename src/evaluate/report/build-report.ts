import { never } from '../../util/never.ts';
import type { Verdict } from '../statistics/verdict.ts';
import { costOf } from '../runs/execute-runs.ts';
import type { Stopped } from '../runs/stopped.ts';
import type { Arm, PlannedRun, PlanOptions } from '../runs/plan.ts';
import type { ComparisonRecord, RunRecord } from '../runs/record.ts';
import { armReport } from './arm-report.ts';
import { compareArms } from './compare-arms.ts';
import { expectationReports } from './expectation-report.ts';
import type { ArmDifference, EvaluationReport, TriggerReport } from './report.ts';
import { triggerReport } from './trigger-report.ts';

/** What a report is made of. */
export interface ReportParts extends Pick<EvaluationReport, 'id' | 'skill' | 'against' | 'model' | 'judge' | 'time' | 'margin' | 'folder' | 'leaks'>, Omit<PlanOptions, 'runs'> {
  readonly runs: number;
  readonly plan: readonly PlannedRun[];
  readonly records: readonly RunRecord[];
  readonly comparisons: readonly ComparisonRecord[];
  readonly stopped: Stopped | undefined;
  readonly notes: readonly string[];
}

/** Which arms are compared, the first pair that is there gives the verdict. */
const PAIRS: readonly (readonly [Arm, Arm])[] = [['old', 'new'], ['without', 'new'], ['new', 'crowded']];

/** Sums up an evaluation. Pure: the same records give the same report. */
export function buildReport(parts: ReportParts): EvaluationReport {
  const { suites, arms, records, comparisons, stopped, margin, seed, plan } = parts;
  const between = (suite: PlannedRun['suite'], [from, to]: readonly [Arm, Arm]): ArmDifference => compareArms({ suite, from, to, records, comparisons, stopped, margin, seed });
  const has = (inArms: readonly Arm[], [from, to]: readonly [Arm, Arm]): boolean => inArms.includes(from) && inArms.includes(to);
  const differences = suites.output.length === 0 ? [] : PAIRS.filter((pair) => has(arms.output, pair)).map((pair) => between('output', pair));
  const triggers = suites.triggers.length === 0 ? [] : arms.triggers.map((arm) => triggerReport(suites, records, arm));
  const triggerPair = suites.triggers.length === 0 ? undefined : PAIRS.find((pair) => has(arms.triggers, pair));
  const triggerDifference = triggerPair && between('triggers', triggerPair);
  const verdict = differences[0]?.verdict ?? triggerDifference?.verdict ?? 'not enough evidence';
  const { id, skill, against, model, judge, time, runs, folder, leaks } = parts;
  return {
    id, skill, ...(against ? { against } : {}), model, judge, time, seed, margin, folder,
    runs_per_case: runs,
    planned: plan.length,
    measured: records.filter(({ outcome }) => outcome === 'measured').length,
    ...(stopped ? { stopped } : {}),
    arms: suites.output.length === 0 ? [] : arms.output.map((arm) => armReport(arm, records, runs)),
    differences,
    expectations: expectationReports(suites, records, arms.output),
    triggers,
    ...(triggerDifference ? { trigger_difference: triggerDifference } : {}),
    cost_usd: costOf(records) + comparisons.reduce((sum, { judged }) => sum + (judged.cost_usd ?? 0), 0),
    verdict,
    recommendation: recommend(verdict, { differences, triggers, stopped, hasPair: differences.length > 0 }),
    notes: [...parts.notes, ...leaks, ...notesOn(records, comparisons)],
    leaks,
    records,
  };
}

function recommend(verdict: Verdict, { differences, triggers, stopped, hasPair }: { readonly differences: readonly ArmDifference[]; readonly triggers: readonly TriggerReport[]; readonly stopped: Stopped | undefined; readonly hasPair: boolean }): string {
  if (stopped) return `${stopped.message} There is not enough evidence for a verdict.`;
  const ofTriggers = triggerAdvice(triggers);
  const ofOutput = hasPair ? advice(verdict, differences[0]) : undefined;
  return [ofOutput, ofTriggers].filter((sentence) => sentence !== undefined).join(' ');
}

function advice(verdict: Verdict, difference: ArmDifference | undefined): string {
  const against = difference?.from === 'without' ? 'no skill' : 'the old version';
  switch (verdict) {
    case 'better': return `It is better than ${against}.`;
    case 'worse': return `It is worse than ${against}: do not ship it.`;
    case 'no difference': return `It makes no difference to ${against}: think about whether it is worth its tokens.`;
    case 'not enough evidence': return `Nothing can be said yet. ${difference?.reason ?? ''}`.trim();
    default: return never(verdict);
  }
}

/** The last arm is the skill of now, among others where there is a crowd. */
function triggerAdvice(triggers: readonly TriggerReport[]): string | undefined {
  const last = triggers.at(-1);
  if (!last) return undefined;
  const wrong = last.queries.filter(({ passed }) => !passed).length;
  if (wrong === 0) return 'All messages trigger as they should in at least half of their runs.';
  return `${wrong} of ${last.queries.length} messages ${wrong === 1 ? 'does' : 'do'} not trigger as ${wrong === 1 ? 'it' : 'they'} should: work on the description.`;
}

function notesOn(records: readonly RunRecord[], comparisons: readonly ComparisonRecord[]): readonly string[] {
  const failed = records.filter(({ outcome }) => outcome === 'failed');
  const open = records.reduce((sum, { grades }) => sum + grades.filter(({ verdict }) => verdict === 'not judged').length, 0);
  const undecided = comparisons.filter(({ winner }) => winner === 'not judged').length;
  const cut = records.filter(({ status, outcome }) => status === 'limit' && outcome === 'measured').length;
  const taken = records.filter(({ reused }) => reused !== undefined);
  return [
    ...(taken.length === 0 ? [] : [`${taken.length} ${taken.length === 1 ? 'run was' : 'runs were'} taken over from ${[...new Set(taken.map(({ reused }) => reused))].join(', ')}: the same cases, model, seed and skill. --fresh makes them anew.`]),
    ...(failed.length === 0 ? [] : [`${failed.length} ${failed.length === 1 ? 'run' : 'runs'} failed and ${failed.length === 1 ? 'does' : 'do'} not count; --resume tries again. The first reason: ${failed[0]?.reason ?? 'unknown'}`]),
    ...(cut === 0 ? [] : [`${cut} ${cut === 1 ? 'run' : 'runs'} came to the limit of steps and ${cut === 1 ? 'was' : 'were'} judged as ${cut === 1 ? 'it' : 'they'} stood.`]),
    ...(open === 0 ? [] : [`${open} ${open === 1 ? 'expectation was' : 'expectations were'} not judged, because the judge gave no answer that could be used; ${open === 1 ? 'it counts' : 'they count'} neither as met nor as missed.`]),
    ...(undecided === 0 ? [] : [`${undecided} ${undecided === 1 ? 'comparison was' : 'comparisons were'} not judged.`]),
  ];
}
