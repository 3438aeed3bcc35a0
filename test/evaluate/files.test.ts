import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { benchmarkFile, gradingFile, metadataFile, runFolder, timingFile } from '../../src/evaluate/report/anthropic-files.ts';
import { baselineFile, compareWithBaseline, readBaseline } from '../../src/evaluate/report/baseline.ts';
import { buildReport } from '../../src/evaluate/report/build-report.ts';
import { htmlFile } from '../../src/evaluate/report/html.ts';
import { junitFile, xml } from '../../src/evaluate/report/junit.ts';
import { NOTHING_SPENT } from '../../src/evaluate/judge/ask-judge.ts';
import { planRuns, type Suites } from '../../src/evaluate/runs/plan.ts';
import type { RunRecord } from '../../src/evaluate/runs/record.ts';

const HOSTILE = '</script><img src=x onerror=alert(1)>"\'&\u0007';
const suites: Suites = {
  output: [{ id: '1', name: 'first', prompt: HOSTILE, files: [], expectations: [{ kind: 'judged', text: HOSTILE }, { kind: 'check', text: 'there', check: { type: 'file_exists', path: 'a' } }] }, { id: 'b', name: 'second', prompt: 'p', files: [], expectations: [{ kind: 'judged', text: 'ok' }, { kind: 'judged', text: 'fine' }] }],
  triggers: [{ id: 'q1', query: HOSTILE, should_trigger: true }],
};
const arms = { output: ['without', 'new'], triggers: ['new'] } as const;
const plan = planRuns({ suites, arms, runs: 2, seed: 5 });
const records = plan.map((planned): RunRecord => ({
  ...planned, kind: 'run', session_id: 'ses_1', status: 'done', outcome: 'measured',
  grades: planned.suite === 'triggers' ? [{ text: 't', by: 'check', about_skill: true, verdict: 'passed', evidence: '' }] : [{ text: HOSTILE, by: 'judge', about_skill: false, verdict: planned.arm === 'new' ? 'passed' : 'failed', evidence: HOSTILE }, { text: 'there', by: 'check', about_skill: false, verdict: planned.number === 1 ? 'passed' : 'not judged', evidence: 'e' }],
  skill: { offered: true, selected: true, loaded: true, followed: true },
  tools: { Write: 2, Bash: 1 }, tool_errors: 1, steps: 3, output_chars: 10, transcript_chars: 100,
  spent: { calls: 3, usage: { input: 100, output: 20, cache_read: 5, cache_write: 0 }, cost_usd: 0.01 }, judged: NOTHING_SPENT, duration_ms: 1_500, suggestions: [{ assertion: 'there', reason: 'weak' }],
}));
const report = buildReport({ id: 'eval_1', skill: { name: HOSTILE, path: '/s', digest: 'sha256:1' }, model: 'a/b', judge: 'c/d', time: '2026-01-01T00:00:00.000Z', seed: 5, margin: 0.05, folder: '/f', runs: 2, suites, arms, plan, records, comparisons: [], stopped: undefined, leaks: [], notes: [HOSTILE] });

const number = { type: 'number' };
const text = { type: 'string' };
const object = (properties: Record<string, unknown>): object => ({ type: 'object', properties, required: Object.keys(properties) });
const list = (items: object): object => ({ type: 'array', items });
const EXPECTATIONS = list({ ...object({ text, passed: { type: 'boolean' }, evidence: text }), additionalProperties: false });
const SUMMARY = object({ mean: number, stddev: number, min: number, max: number });
const CONFIGURATION = object({ pass_rate: SUMMARY, time_seconds: SUMMARY, tokens: SUMMARY });
/** The shapes that Anthropic's skill-creator describes and its viewer reads. */
const GRADING = object({
  expectations: EXPECTATIONS,
  summary: object({ passed: { type: 'integer' }, failed: { type: 'integer' }, total: { type: 'integer' }, pass_rate: { type: 'number', minimum: 0, maximum: 1 } }),
  execution_metrics: object({ tool_calls: { type: 'object', additionalProperties: { type: 'integer' } }, total_tool_calls: { type: 'integer' }, total_steps: { type: 'integer' }, errors_encountered: { type: 'integer' }, output_chars: { type: 'integer' }, transcript_chars: { type: 'integer' } }),
  timing: object({ executor_duration_seconds: number, total_duration_seconds: number }),
  claims: list(object({ claim: text, type: text, verified: { type: 'boolean' }, evidence: text })),
  user_notes_summary: object({ uncertainties: list(text), needs_review: list(text), workarounds: list(text) }),
  eval_feedback: object({ suggestions: list(object({ assertion: text, reason: text })), overall: text }),
});
const BENCHMARK = object({
  metadata: object({ skill_name: text, skill_path: text, executor_model: text, analyzer_model: text, timestamp: text, evals_run: list({ type: 'integer' }), runs_per_configuration: { type: 'integer' } }),
  runs: list(object({
    eval_id: { type: 'integer' }, eval_name: text, configuration: { enum: ['with_skill', 'without_skill'] }, run_number: { type: 'integer', minimum: 1 },
    result: object({ pass_rate: number, passed: { type: 'integer' }, failed: { type: 'integer' }, total: { type: 'integer' }, time_seconds: number, tokens: { type: 'integer' }, tool_calls: { type: 'integer' }, errors: { type: 'integer' } }),
    expectations: EXPECTATIONS, notes: list(text),
  })),
  run_summary: object({ with_skill: CONFIGURATION, without_skill: CONFIGURATION, delta: object({ pass_rate: { type: 'string', pattern: '^[+-]' }, time_seconds: { type: 'string', pattern: '^[+-]' }, tokens: { type: 'string', pattern: '^[+-]' } }) }),
  notes: list(text),
});
const misfits = (schema: object, value: unknown): readonly string[] => new Validator(schema, '2020-12', false).validate(value).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);

describe('the files of an evaluation', () => {
  it('have the shapes and names that other viewers read', () => {
    const own = records.filter(({ suite }) => suite === 'output');
    expect(own.length).toBe(8);
    for (const record of own) {
      expect(misfits(GRADING, gradingFile(record))).toEqual([]);
      expect(misfits(object({ total_tokens: { type: 'integer' }, duration_ms: { type: 'integer' }, total_duration_seconds: number }), timingFile(record))).toEqual([]);
      expect(misfits(object({ eval_id: { type: 'integer' }, eval_name: text, prompt: text, assertions: list(text) }), metadataFile(suites, record))).toEqual([]);
      expect(runFolder(record)).toMatch(/^iteration-1\/eval-(?:1|b)\/(?:with|without)_skill\/run-[12]$/);
    }
    const benchmark = benchmarkFile(report, suites);
    expect(misfits(BENCHMARK, benchmark)).toEqual([]);
    expect(benchmark['runs']).toHaveLength(8);
    // What was not judged is no verdict there either.
    const second = own.find((record) => record.number === 2);
    expect(second && gradingFile(second)).toMatchObject({ summary: { total: 1 }, user_notes_summary: { uncertainties: ['not judged: there (e)'] } });
  });

  it('the page is whole by itself and shows texts of strangers as texts', () => {
    const html = htmlFile(report);
    expect(html).not.toMatch(/<script|<img|<link|<iframe|https?:|url\(|@import|src=(?!x)|onerror=alert\(1\)>/);
    expect(html).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html.match(/<svg /g)).toHaveLength(2);
    expect(html).toContain('default-src \'none\'');
  });

  it('JUnit has a test for each run and nothing that XML does not know', () => {
    const junit = junitFile(report);
    expect(junit.match(/<testcase /g)).toHaveLength(plan.length + 1);
    expect(junit).not.toContain('\u0007');
    expect(xml('a\u0000b\uD800c')).toBe('abc');
  });

  it('a baseline compares what both have, and other files are none', () => {
    const baseline = readBaseline('b.json', JSON.stringify(baselineFile(report)));
    if (typeof baseline === 'string') throw new Error(baseline);
    expect(Object.keys(baseline.triggers)).toEqual([HOSTILE]);
    expect(compareWithBaseline(report, baseline).map(({ suite, difference }) => [suite, difference?.mean])).toEqual([['output', 0], ['triggers', 0]]);
    expect(compareWithBaseline(report, { ...baseline, output: { 1: [1, 1, 1, 1], b: [1, 1, 1, 1] } })[0]?.verdict).not.toBe('worse');
    expect(readBaseline('b.json', '[]')).toBe('b.json is no baseline of an evaluation: make one with --write-baseline b.json.');
    expect(readBaseline('b.json', '{"skill":"a","model":"b","time":"c","output":{"x":[2]},"triggers":{}}')).toContain('is no baseline');
  });
});
