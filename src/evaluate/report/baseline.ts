import { isJsonObject, isObject, parseJson, type JsonObject } from '../../protocol/json.ts';
import { differenceOf, type Difference, type TaskScores } from '../statistics/difference.ts';
import { verdictOf, type Verdict } from '../statistics/verdict.ts';
import { scoresOf } from './compare-arms.ts';
import type { EvaluationReport } from './report.ts';

/** Scores of an earlier evaluation, by suite and entry. */
export interface Baseline {
  readonly skill: string;
  readonly model: string;
  readonly time: string;
  readonly output: Readonly<Record<string, readonly number[]>>;
  readonly triggers: Readonly<Record<string, readonly number[]>>;
}

/** How one suite did beside its baseline. */
export interface BaselineComparison {
  readonly suite: 'output' | 'triggers';
  readonly difference: Difference | undefined;
  /** `worse` is a regression that the statistics support. */
  readonly verdict: Verdict;
}

/** The scores of the skill as a file. Messages of the trigger suite are named by their text. */
export function baselineFile(report: EvaluationReport): JsonObject {
  const { output, triggers } = baselineOf(report);
  const plain = (scores: Baseline['output']): JsonObject => Object.fromEntries(Object.entries(scores).map(([entry, runs]) => [entry, [...runs]]));
  return { skill: report.skill.name, digest: report.skill.digest, model: report.model, time: report.time, seed: report.seed, output: plain(output), triggers: plain(triggers) };
}

/** Reads such a file; a sentence where it is none. */
export function readBaseline(file: string, text: string): Baseline | string {
  const root = parseJson(text);
  const wrong = `${file} is no baseline of an evaluation: make one with --write-baseline ${file}.`;
  if (!isJsonObject(root)) return wrong;
  const { skill, model, time, output, triggers } = root;
  if (typeof skill !== 'string' || typeof model !== 'string' || typeof time !== 'string' || !isScores(output) || !isScores(triggers)) return wrong;
  return { skill, model, time, output, triggers };
}

/** Compares an evaluation with a baseline, suite by suite; those that either of them lacks are left out. */
export function compareWithBaseline(report: EvaluationReport, baseline: Baseline): readonly BaselineComparison[] {
  const now = baselineOf(report);
  return (['output', 'triggers'] as const).flatMap((suite) => {
    if (Object.keys(now[suite]).length === 0 || Object.keys(baseline[suite]).length === 0) return [];
    const scores = Object.entries(now[suite]).map(([task, to]): TaskScores => ({ task, from: baseline[suite][task] ?? [], to }));
    const difference = differenceOf(scores, report.seed);
    return [{ suite, difference, verdict: verdictOf(difference?.interval, report.margin) }];
  });
}

function baselineOf(report: EvaluationReport): Pick<Baseline, 'output' | 'triggers'> {
  const [first] = report.triggers;
  const names = new Map(first?.queries.map(({ id, query }) => [id, query]));
  const arm = first?.arm ?? 'new';
  return {
    output: Object.fromEntries(scoresOf(report.records, 'output', 'new')),
    triggers: Object.fromEntries([...scoresOf(report.records, 'triggers', arm === 'old' ? 'new' : arm)].map(([id, runs]) => [names.get(id) ?? id, runs])),
  };
}

function isScores(value: unknown): value is Readonly<Record<string, readonly number[]>> {
  return isObject(value) && Object.values(value).every((runs) => Array.isArray(runs) && runs.every((score) => typeof score === 'number' && score >= 0 && score <= 1));
}
