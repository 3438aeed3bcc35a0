import type { JsonObject } from '../../protocol/json.ts';
import type { Arm, Suites } from '../runs/plan.ts';
import type { RunRecord } from '../runs/record.ts';
import { summaryOf, type Summary } from '../statistics/summary.ts';
import { tokensOf } from './arm-report.ts';
import type { EvaluationReport } from './report.ts';

/** Names of the arms in the layout of Anthropic's skill-creator, whose viewer reads these files. */
export const CONFIGURATIONS: Readonly<Record<Arm, string>> = { without: 'without_skill', new: 'with_skill', old: 'old_skill', crowded: 'with_skill_crowded' };

/** Folder of a run, below that of the evaluation. */
export function runFolder({ suite, entry, arm, number }: Pick<RunRecord, 'suite' | 'entry' | 'arm' | 'number'>): string {
  const name = entry.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
  return `iteration-1/${suite === 'output' ? 'eval' : 'trigger'}-${name}/${CONFIGURATIONS[arm]}/run-${number}`;
}

/** `grading.json` of a run. What was not judged stands in the notes, not among the verdicts. */
export function gradingFile(record: RunRecord): JsonObject {
  const { passed, failed, total, pass_rate } = resultOf(record);
  const left = record.grades.filter(({ verdict }) => verdict === 'not judged' || verdict === 'not applicable');
  const calls = Object.values(record.tools).reduce((sum, count) => sum + count, 0);
  return {
    expectations: expectationsOf(record),
    summary: { passed, failed, total, pass_rate },
    execution_metrics: { tool_calls: { ...record.tools }, total_tool_calls: calls, total_steps: record.steps, errors_encountered: record.tool_errors, output_chars: record.output_chars, transcript_chars: record.transcript_chars },
    timing: { executor_duration_seconds: seconds(record), grader_duration_seconds: 0, total_duration_seconds: seconds(record) },
    claims: [],
    user_notes_summary: { uncertainties: left.map(({ text, verdict, evidence }) => `${verdict}: ${text} (${evidence})`), needs_review: [], workarounds: [] },
    eval_feedback: { suggestions: record.suggestions.map(({ assertion, reason }) => ({ assertion, reason })), overall: record.suggestions.length === 0 ? 'No suggestions, evals look solid' : `${record.suggestions.length} expectations could be better` },
  };
}

/** `timing.json` of a run. */
export function timingFile(record: RunRecord): JsonObject {
  return { total_tokens: tokensOf(record), duration_ms: Math.round(record.duration_ms), total_duration_seconds: seconds(record) };
}

/** `eval_metadata.json` of a run of the output suite. */
export function metadataFile({ output }: Suites, { entry }: Pick<RunRecord, 'entry'>): JsonObject | undefined {
  const index = output.findIndex(({ id }) => id === entry);
  const found = output[index];
  return found && { eval_id: idOf(found.id, index), eval_name: found.name, prompt: found.prompt, assertions: found.expectations.map(({ text }) => text) };
}

/** `benchmark.json`: the arms with and without the skill. The others stand in report.json. */
export function benchmarkFile(report: EvaluationReport, { output }: Suites): JsonObject {
  const records = report.records.filter(({ suite, outcome, arm }) => suite === 'output' && outcome === 'measured' && (arm === 'new' || arm === 'without'));
  const sums = { with_skill: runSummary(records.filter(({ arm }) => arm === 'new')), without_skill: runSummary(records.filter(({ arm }) => arm === 'without')) };
  const delta = (of: 'pass_rate' | 'time_seconds' | 'tokens', digits: number): string => signed(sums.with_skill[of].mean - sums.without_skill[of].mean, digits);
  return {
    metadata: {
      skill_name: report.skill.name, skill_path: report.skill.path,
      executor_model: report.model, analyzer_model: report.judge, timestamp: report.time,
      evals_run: output.map(({ id }, index) => idOf(id, index)),
      runs_per_configuration: report.runs_per_case,
    },
    runs: records.map((record) => {
      const index = output.findIndex(({ id }) => id === record.entry);
      return {
        eval_id: idOf(record.entry, index), eval_name: output[index]?.name ?? record.entry,
        configuration: CONFIGURATIONS[record.arm], run_number: record.number,
        result: { ...resultOf(record), time_seconds: seconds(record), tokens: tokensOf(record), tool_calls: Object.values(record.tools).reduce((sum, count) => sum + count, 0), errors: record.tool_errors },
        expectations: expectationsOf(record),
        notes: record.grades.filter(({ verdict }) => verdict === 'not judged').map(({ text }) => `not judged: ${text}`),
      };
    }),
    run_summary: { with_skill: plain(sums.with_skill), without_skill: plain(sums.without_skill), delta: { pass_rate: delta('pass_rate', 2), time_seconds: delta('time_seconds', 1), tokens: delta('tokens', 0) } },
    notes: [`Verdict: ${report.verdict}. ${report.recommendation}`, ...report.notes],
  };
}

/** Numbers as in the suite, where they are numbers there. */
function idOf(id: string, index: number): number {
  return /^\d{1,9}$/.test(id) ? Number(id) : index + 1;
}

function expectationsOf({ grades }: RunRecord): JsonObject[] {
  return grades.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed').map(({ text, verdict, evidence }) => ({ text, passed: verdict === 'passed', evidence }));
}

function resultOf({ grades }: RunRecord): { readonly pass_rate: number; readonly passed: number; readonly failed: number; readonly total: number } {
  const passed = grades.filter(({ verdict }) => verdict === 'passed').length;
  const failed = grades.filter(({ verdict }) => verdict === 'failed').length;
  return { pass_rate: passed + failed === 0 ? 0 : passed / (passed + failed), passed, failed, total: passed + failed };
}

function runSummary(records: readonly RunRecord[]): Readonly<Record<'pass_rate' | 'time_seconds' | 'tokens', Summary>> {
  const judged = records.map(resultOf).filter(({ total }) => total > 0);
  return { pass_rate: summaryOf(judged.map(({ pass_rate }) => pass_rate)), time_seconds: summaryOf(records.map(seconds)), tokens: summaryOf(records.map(tokensOf)) };
}

function plain(sums: Readonly<Record<string, Summary>>): JsonObject {
  return Object.fromEntries(Object.entries(sums).map(([name, { mean, stddev, min, max }]) => [name, { mean, stddev, min, max }]));
}

function seconds({ duration_ms }: Pick<RunRecord, 'duration_ms'>): number {
  return Math.round(duration_ms) / 1_000;
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(digits)}`;
}
