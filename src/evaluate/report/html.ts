import type { RunRecord } from '../runs/record.ts';
import { xml } from './junit.ts';
import { intervalPlot } from './plots.ts';
import type { ArmDifference, EvaluationReport, TriggerReport } from './report.ts';
import { REPORT_CSS } from './report-style.ts';
import { ARM_WORDS, intervalText, percent, points, rateText } from './words.ts';

/** `report.html`: one file without scripts and without anything from elsewhere. All texts of suites, models and skills are escaped. */
export function htmlFile(report: EvaluationReport): string {
  const sections = [head(report), arms(report), differences(report), ...report.triggers.map(triggers), expectations(report), runs(report)];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evaluation of ${xml(report.skill.name)}</title><style>${REPORT_CSS}</style></head>
<body>
${sections.filter((section) => section !== '').join('\n')}
</body></html>
`;
}

function head(report: EvaluationReport): string {
  const tone = report.verdict === 'better' ? 'good' : report.verdict === 'worse' ? 'bad' : '';
  const facts = [`${report.measured} of ${report.planned} runs`, `executor ${report.model}`, `judge ${report.judge}`, `seed ${report.seed}`, `margin ${Math.round(report.margin * 100)} points`, `$${report.cost_usd.toFixed(4)}`, report.time];
  const notes = report.notes.length === 0 ? '' : `<ul>${report.notes.map((note) => `<li>${xml(note)}</li>`).join('')}</ul>`;
  return `<h1>${xml(report.skill.name)}</h1><p class="dim">${facts.map(xml).join(' · ')}</p><p class="verdict ${tone}">${xml(report.verdict)}</p><p>${xml(report.recommendation)}</p>${notes}`;
}

function arms(report: EvaluationReport): string {
  if (report.arms.length === 0) return '';
  const plot = intervalPlot(report.arms.map(({ arm, score }) => ({ label: ARM_WORDS[arm], value: score.rate, interval: score.interval })), { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1], title: 'Expectations met, in percent, with 95 % intervals' });
  const k = report.runs_per_case;
  const rows = report.arms.map(({ arm, runs: count, failed, score, passed, pass_hat_k: hat, pass_at_k: at, time_seconds: time, tokens, cost_usd: cost }) => [ARM_WORDS[arm], `${count}${failed > 0 ? ` (${failed} failed)` : ''}`, rateText(score), rateText(passed), optional(at[k - 1]), optional(hat[k - 1]), `${time.mean.toFixed(1)} ± ${time.stddev.toFixed(1)}`, `${Math.round(tokens.mean)} ± ${Math.round(tokens.stddev)}`, cost ? `$${cost.mean.toFixed(4)}` : 'unknown']);
  return `<h2>Results</h2>${plot}${table(['', 'runs', 'expectations met', 'runs that meet all', `pass@${k}`, `pass^${k}`, 'seconds', 'tokens', 'cost'], rows)}`;
}

function optional(share: number | undefined): string {
  return share === undefined ? '–' : percent(share);
}

function differences(report: EvaluationReport): string {
  const all = [...report.differences, ...(report.trigger_difference ? [report.trigger_difference] : [])];
  if (all.length === 0) return '';
  const label = (one: ArmDifference): string => `${one.to} − ${one.from}${one === report.trigger_difference ? ' (triggers)' : ''}`;
  const plot = intervalPlot(all.flatMap((one) => (one.difference ? [{ label: label(one), value: one.difference.mean, interval: one.difference.interval }] : [])), { low: -1, high: 1, ticks: [-1, -0.5, 0, 0.5, 1], band: { low: -report.margin, high: report.margin }, title: 'Differences in points, with 95 % intervals' });
  const rows = all.map((one) => [label(one), one.difference ? points(one.difference.mean) : '–', one.difference ? `${intervalText(one.difference.interval)} (${one.difference.method})` : '–', one.difference ? intervalText(one.difference.bootstrap) : '–', `${one.verdict}${one.reason === undefined ? '' : `: ${one.reason}`}`, `${one.preferred.to} : ${one.preferred.from}, ${one.preferred.tie} ties`]);
  return `<h2>Differences</h2>${plot}${table(['', 'points', '95 % interval', 'bootstrap', 'verdict', 'judge prefers'], rows)}`;
}

function triggers({ arm, confusion, precision, recall, queries }: TriggerReport): string {
  const matrix = table(['', 'triggered', 'not triggered'], [['should', String(confusion.true_positive), String(confusion.false_negative)], ['should not', String(confusion.false_positive), String(confusion.true_negative)]]);
  const rows = queries.map((one) => [one.query, one.should_trigger ? 'yes' : 'no', `${one.triggered} of ${one.runs}`, one.passed ? 'as wanted' : 'not as wanted', one.misses.map(({ stage, runs: count }) => `${stage}: ${count}`).join(', ')]);
  return `<h2>Triggers, ${ARM_WORDS[arm]}</h2><p>Precision ${precision ? rateText(precision) : '–'}, recall ${recall ? rateText(recall) : '–'}</p>${matrix}${table(['message', 'should trigger', 'triggered', '', 'misses'], rows)}`;
}

function expectations(report: EvaluationReport): string {
  if (report.expectations.length === 0) return '';
  const rows = report.expectations.map((one) => [one.case, one.text, one.by, ...one.arms.map(({ passed, failed, not_judged: open }) => `${passed} of ${passed + failed}${open > 0 ? `, ${open} not judged` : ''}`), [...(one.useless ? [`${one.useless} in every arm: it tells nothing`] : []), ...one.flaky.map((arm) => `flaky ${ARM_WORDS[arm]}`)].join('; ')]);
  return `<h2>Expectations</h2>${table(['case', 'expectation', 'by', ...(report.expectations[0]?.arms ?? []).map(({ arm }) => ARM_WORDS[arm]), ''], rows)}`;
}

function runs(report: EvaluationReport): string {
  const each = (record: RunRecord): string => {
    const missed = record.grades.filter(({ verdict }) => verdict === 'failed').length;
    const state = record.outcome === 'failed' ? `failed: ${record.reason ?? ''}` : missed === 0 ? 'all met' : `${missed} missed`;
    const grades = record.grades.map(({ verdict, text, evidence }) => `<pre><span class="${verdict === 'passed' ? 'good' : verdict === 'failed' ? 'bad' : 'dim'}">${xml(verdict)}</span> ${xml(text)}\n  ${xml(evidence)}</pre>`).join('');
    return `<details><summary>${xml(record.entry)}, ${ARM_WORDS[record.arm]}, run ${record.number}: ${xml(state)} <span class="dim">${xml(record.session_id)}</span></summary>${grades}</details>`;
  };
  return `<h2>Runs</h2>${report.records.map(each).join('\n')}`;
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return `<table><thead><tr>${headings.map((heading) => `<th>${xml(heading)}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${xml(cell)}</td>`).join('')}</tr>`).join('')}</tbody></table>`;
}
