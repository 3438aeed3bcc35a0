import type { Arm, Suites } from '../runs/plan.ts';
import type { RunRecord } from '../runs/record.ts';
import type { ExpectationReport } from './report.ts';

/** How each expectation did, which tell nothing, and which are flaky. */
export function expectationReports({ output }: Suites, records: readonly RunRecord[], arms: readonly Arm[]): readonly ExpectationReport[] {
  const measured = records.filter(({ suite, outcome }) => suite === 'output' && outcome === 'measured');
  return output.flatMap(({ id, expectations }) => expectations.map((expectation, index) => {
    const inArms = arms.map((arm) => {
      const verdicts = measured.filter((record) => record.arm === arm && record.entry === id).flatMap(({ grades }) => grades[index]?.verdict ?? []);
      const count = (verdict: string): number => verdicts.filter((one) => one === verdict).length;
      return { arm, passed: count('passed'), failed: count('failed'), not_judged: count('not judged') };
    });
    const decided = inArms.filter(({ passed, failed }) => passed + failed > 0);
    const isTelling = decided.length < 2;
    const useless = isTelling ? undefined : decided.every(({ failed }) => failed === 0) ? 'always met' as const : decided.every(({ passed }) => passed === 0) ? 'never met' as const : undefined;
    return {
      case: id, text: expectation.text, by: expectation.kind === 'check' ? 'check' as const : 'judge' as const,
      arms: inArms,
      ...(useless === undefined ? {} : { useless }),
      flaky: inArms.filter(({ passed, failed }) => passed > 0 && failed > 0).map(({ arm }) => arm),
    };
  }));
}
