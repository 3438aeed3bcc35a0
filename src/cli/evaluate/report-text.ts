import type { BaselineComparison } from '../../evaluate/report/baseline.ts';
import type { ArmDifference, EvaluationReport, TriggerReport } from '../../evaluate/report/report.ts';
import { ARM_WORDS, intervalText, percent, points, rateText } from '../../evaluate/report/words.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { oneLine, palette } from '../terminal.ts';

const MOST_LISTED = 12;

/** The report for a terminal. Texts from elsewhere are made safe. */
export function reportText(report: EvaluationReport, compared: readonly BaselineComparison[] | undefined): string {
  const paint = palette(process.stdout);
  const tone = report.verdict === 'better' ? paint.green : report.verdict === 'worse' ? paint.red : paint.yellow;
  const lines = [
    `${paint.bold(oneLine(report.skill.name))}  ${report.measured} of ${report.planned} runs with ${oneLine(report.model)}, $${report.cost_usd.toFixed(4)}, seed ${report.seed}`,
    ...armLines(report),
    ...[...report.differences, ...(report.trigger_difference ? [report.trigger_difference] : [])].flatMap((one) => differenceLines(one, { triggers: one === report.trigger_difference })),
    ...report.triggers.flatMap(triggerLines),
    ...expectationLines(report),
    ...(compared ?? []).map((one) => `Baseline, ${one.suite}: ${one.difference ? `${points(one.difference.mean)} points (${intervalText(one.difference.interval)}), ` : ''}${one.verdict}`),
    ...(compared?.length === 0 ? ['Baseline: it has no suite in common with this evaluation.'] : []),
    ...report.notes.map((note) => paint.dim(`Note: ${oneLine(note)}`)),
    `${paint.bold('Verdict')}: ${tone(report.verdict)}. ${oneLine(report.recommendation)}`,
    ...(report.stopped ? [`It goes on with: skillmint skills evaluate --resume ${report.id}`] : []),
    paint.dim(`Files: ${oneLine(report.folder)} (report.html); a session: skillmint sessions show ${report.records[0]?.session_id ?? 'ID'}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the gradings of a workspace come to, for a terminal. */
export function gradesText({ arms, from, difference, verdict }: Awaited<ReturnType<Runtime['readGrades']>>): string {
  const lines = [
    ...arms.map(({ arm, runs, score }) => `${ARM_WORDS[arm]}: ${runs} runs, expectations met ${rateText(score)}`),
    `${from === undefined ? 'Nothing to compare with' : `Difference to ${ARM_WORDS[from]}`}: ${difference ? `${points(difference.mean)} points (95 %: ${intervalText(difference.interval)}, ${difference.method}) over ${difference.tasks} cases` : 'nothing to compare'}`,
    `Verdict: ${verdict}`,
  ];
  return `${lines.join('\n')}\n`;
}

function armLines({ arms, runs_per_case: k }: EvaluationReport): readonly string[] {
  if (arms.length === 0) return [];
  const rows = [
    ['', 'runs', 'expectations met', 'runs that meet all', `pass^${k}`, 'seconds', 'tokens', 'cost'],
    ...arms.map(({ arm, runs, failed, score, passed, pass_hat_k: hat, time_seconds: time, tokens, cost_usd: cost }) => {
      const all = hat[k - 1];
      return [ARM_WORDS[arm], `${runs}${failed > 0 ? ` (${failed} failed)` : ''}`, rateText(score), rateText(passed), all === undefined ? '–' : percent(all), time.mean.toFixed(1), String(Math.round(tokens.mean)), cost ? `$${cost.mean.toFixed(4)}` : '–'];
    }),
  ];
  return table(rows);
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd());
}

function differenceLines({ from, to, difference, verdict, reason, preferred }: ArmDifference, { triggers }: { readonly triggers: boolean }): readonly string[] {
  const what = `${triggers ? 'Triggers' : 'Output'}, ${ARM_WORDS[to]} − ${ARM_WORDS[from]}`;
  const measured = difference ? `${points(difference.mean)} points (95 %: ${intervalText(difference.interval)}, ${difference.method}; bootstrap ${intervalText(difference.bootstrap)})` : 'nothing to compare';
  const judged = preferred.from + preferred.to + preferred.tie;
  return [`${what}: ${measured}: ${verdict}${reason === undefined ? '' : `. ${reason}`}`, ...(judged > 0 ? [`  a blind judge prefers it ${preferred.to} times, the other ${preferred.from} times, neither ${preferred.tie} times`] : [])];
}

function triggerLines({ arm, confusion, precision, recall, queries }: TriggerReport): readonly string[] {
  const wrong = queries.filter(({ passed }) => !passed);
  return [
    `Triggers, ${ARM_WORDS[arm]}: precision ${precision ? rateText(precision) : '–'}, recall ${recall ? rateText(recall) : '–'}`,
    ...table([['', 'triggered', 'not triggered'], ['  should', String(confusion.true_positive), String(confusion.false_negative)], ['  should not', String(confusion.false_positive), String(confusion.true_negative)]]),
    ...wrong.slice(0, MOST_LISTED).map(({ query, triggered, runs, should_trigger: wanted, misses }) => `  ${wanted ? 'missed' : 'false alarm'}, ${triggered} of ${runs}: ${oneLine(query)}${misses.length === 0 ? '' : ` (${misses.map(({ stage, runs: count }) => `${stage} ${count}`).join(', ')})`}`),
    ...(wrong.length > MOST_LISTED ? [`  and ${wrong.length - MOST_LISTED} more`] : []),
  ];
}

function expectationLines({ expectations }: EvaluationReport): readonly string[] {
  const lines = expectations.flatMap((one) => [
    ...(one.useless ? [`  case ${oneLine(one.case)}: "${oneLine(one.text)}" is ${one.useless} in every arm, so it tells nothing`] : []),
    ...one.flaky.map((arm) => `  case ${oneLine(one.case)}: "${oneLine(one.text)}" is flaky ${ARM_WORDS[arm]}`),
  ]);
  return lines.length === 0 ? [] : ['Expectations to look at:', ...lines.slice(0, MOST_LISTED), ...(lines.length > MOST_LISTED ? [`  and ${lines.length - MOST_LISTED} more`] : [])];
}
