import type { Arm, Suites } from '../runs/plan.ts';
import type { RunRecord } from '../runs/record.ts';
import { hasTriggered } from '../runs/grade-run.ts';
import { rateOf } from './arm-report.ts';
import type { MissStage, QueryReport, TriggerReport } from './report.ts';

const STAGES: readonly MissStage[] = ['not offered', 'offered but not selected', 'selected but not followed'];

/** How far the skill came in a run that should have used it and did not. */
export function missStage({ skill }: Pick<RunRecord, 'skill'>): MissStage {
  if (skill.selected) return 'selected but not followed';
  return skill.offered ? 'offered but not selected' : 'not offered';
}

/** Sums up the runs of the trigger suite in one arm. */
export function triggerReport({ triggers }: Suites, all: readonly RunRecord[], arm: Arm): TriggerReport {
  const own = all.filter((record) => record.suite === 'triggers' && record.arm === arm);
  const measured = own.filter(({ outcome }) => outcome === 'measured');
  const queries = triggers.map(({ id, query, should_trigger }): QueryReport => {
    const runs = measured.filter(({ entry }) => entry === id);
    const triggered = runs.filter(({ skill }) => hasTriggered(skill)).length;
    const missed = should_trigger ? runs.filter(({ skill }) => !hasTriggered(skill)) : [];
    const asWanted = should_trigger ? triggered : runs.length - triggered;
    return {
      id, query, should_trigger, triggered, runs: runs.length,
      passed: runs.length > 0 && asWanted * 2 >= runs.length,
      misses: STAGES.map((stage) => ({ stage, runs: missed.filter((run) => missStage(run) === stage).length })).filter(({ runs: count }) => count > 0),
    };
  });
  const sum = (wanted: boolean, of: (query: QueryReport) => number): number => queries.filter(({ should_trigger }) => should_trigger === wanted).reduce((total, query) => total + of(query), 0);
  const confusion = {
    true_positive: sum(true, ({ triggered }) => triggered),
    false_negative: sum(true, ({ triggered, runs }) => runs - triggered),
    false_positive: sum(false, ({ triggered }) => triggered),
    true_negative: sum(false, ({ triggered, runs }) => runs - triggered),
  };
  const { true_positive: hits, false_negative: missed, false_positive: wrong } = confusion;
  return {
    arm, confusion, queries,
    precision: hits + wrong === 0 ? undefined : rateOf(hits, hits + wrong),
    recall: hits + missed === 0 ? undefined : rateOf(hits, hits + missed),
    failed: own.length - measured.length,
  };
}
