import { wilson } from '../statistics/interval.ts';
import { passAtK, passHatK } from '../statistics/pass-at-k.ts';
import { meanOf, summaryOf } from '../statistics/summary.ts';
import type { Arm } from '../runs/plan.ts';
import { passedAll, scoreOf, type RunRecord } from '../runs/record.ts';
import type { ArmReport, Rate } from './report.ts';

/** A rate of so many of so many. */
export function rateOf(passed: number, total: number): Rate {
  return { rate: total === 0 ? 0 : passed / total, interval: wilson(passed, total), passed, total };
}

/** Tokens of a run. */
export function tokensOf({ spent: { usage } }: Pick<RunRecord, 'spent'>): number {
  return usage.input + usage.output + usage.cache_read + usage.cache_write;
}

/** Sums up the runs of the output suite in one arm. `runs`: how many each case has in the plan. */
export function armReport(arm: Arm, records: readonly RunRecord[], runs: number): ArmReport {
  const own = records.filter((record) => record.suite === 'output' && record.arm === arm);
  const measured = own.filter(({ outcome }) => outcome === 'measured');
  const scores = measured.flatMap((record) => scoreOf(record) ?? []);
  const wholes = measured.flatMap((record) => passedAll(record) ?? []);
  const costs = measured.flatMap(({ spent }) => spent.cost_usd ?? []);
  const cases = [...new Set(measured.map(({ entry }) => entry))].map((id) => measured.filter(({ entry }) => entry === id).flatMap((record) => passedAll(record) ?? []));
  const overCases = (of: typeof passAtK): readonly number[] => Array.from({ length: runs }, (_, i) => cases.flatMap((each) => of(each.filter(Boolean).length, each.length, i + 1) ?? [])).filter((values) => values.length > 0).map(meanOf);
  return {
    arm, runs: measured.length, failed: own.length - measured.length,
    score: rateOf(scores.reduce((sum, score) => sum + score, 0), scores.length),
    passed: rateOf(wholes.filter(Boolean).length, wholes.length),
    pass_at_k: overCases(passAtK),
    pass_hat_k: overCases(passHatK),
    time_seconds: summaryOf(measured.map(({ duration_ms }) => duration_ms / 1_000)),
    tokens: summaryOf(measured.map(tokensOf)),
    ...(costs.length === measured.length && costs.length > 0 ? { cost_usd: summaryOf(costs) } : {}),
  };
}
