import type { EvaluationReport, QueryReport } from '../../evaluate/report/report.ts';
import { intervalText, points } from '../../evaluate/report/words.ts';
import type { EnhanceVerdict, SuiteGain, WorseMessage } from './enhancement.ts';

/** How the new version did beside the old one, by suite. */
export function gainsOf({ differences, trigger_difference: triggers }: Pick<EvaluationReport, 'differences' | 'trigger_difference'>): readonly SuiteGain[] {
  const output = differences.find(({ from, to }) => from === 'old' && to === 'new');
  return ([['output', output], ['triggers', triggers]] as const).flatMap(([suite, found]) => (found ? [{ suite, cases: found.difference?.tasks ?? 0, mean: found.difference?.mean, interval: found.difference?.interval, verdict: found.verdict }] : []));
}

/** Mean difference over all cases. Undefined where nothing was measured in both versions. */
export function scoreOfGains(gains: readonly SuiteGain[]): number | undefined {
  const cases = gains.reduce((sum, gain) => sum + gain.cases, 0);
  return cases === 0 ? undefined : gains.reduce((sum, { mean = 0, cases: own }) => sum + mean * own, 0) / cases;
}

/** Messages that should not load the skill, and do so with the new version alone. */
export function newlyFiring({ triggers }: Pick<EvaluationReport, 'triggers'>): readonly string[] {
  const old = new Map(triggers.find(({ arm }) => arm === 'old')?.queries.map((query) => [query.id, query]));
  const now = triggers.find(({ arm }) => arm === 'new')?.queries ?? [];
  return now.filter((query) => !query.should_trigger && newlyTriggered(old.get(query.id), query)).map(({ query }) => query);
}

/** True for a message that should not load the skill, and does so with the new version alone. */
export function newlyTriggered(old: QueryReport | undefined, { triggered, passed }: QueryReport): boolean {
  return triggered > 0 && (old?.triggered === 0 || (!passed && old?.passed === true));
}

/** What the part that is held out has said of an edit. */
export interface HeldOut {
  readonly gains: readonly SuiteGain[];
  readonly firing: readonly string[];
  readonly others: readonly WorseMessage[];
}

/** Decides on an edit: it has to be better by the interval in one suite and lose nothing anywhere. */
export function judgeEdit({ gains, firing, others }: HeldOut): EnhanceVerdict {
  const losses = gains.filter(({ mean = 0, verdict }) => verdict === 'worse' || mean < 0);
  const faults = [
    ...losses.map((gain) => `It is worse on the ${gain.suite} suite that was held out: ${figures(gain)}.`),
    ...firing.map((query) => `It is loaded now for a message that it is not for: ${JSON.stringify(query)}.`),
    ...others.map(({ skill, query, before, after, loaded }) => loaded ? `It is loaded now for ${JSON.stringify(query)}, which is for ${skill}: in ${loaded.before} of ${loaded.runs} runs before, in ${loaded.after} after.` : `${skill} would be found less well for ${JSON.stringify(query)}: place ${before ?? 'none'} before, ${after ?? 'none'} after.`),
  ];
  if (faults.length > 0) return { verdict: 'rejected', reasons: faults };
  const better = gains.filter(({ verdict }) => verdict === 'better');
  if (better.length > 0) return { verdict: 'accepted', reasons: better.map((gain) => `It is better on the ${gain.suite} suite that was held out: ${figures(gain)}.`) };
  const rising = gains.filter(({ mean = 0 }) => mean > 0);
  if (rising.length === 0 && gains.some(({ mean }) => mean !== undefined)) return { verdict: 'rejected', reasons: ['It is not better on the cases that were held out.'] };
  return { verdict: 'not enough evidence', reasons: rising.length === 0 ? ['Nothing was held out that could have been measured.'] : rising.map((gain) => `It seems better on the ${gain.suite} suite that was held out, and more cases are needed to know: ${figures(gain)}.`) };
}

/** A gain in words. */
export function figures({ mean, interval, cases }: SuiteGain): string {
  return mean === undefined || !interval ? 'not measured' : `${points(mean)} points (95 %: ${intervalText(interval)}) over ${cases} ${cases === 1 ? 'case' : 'cases'}`;
}
