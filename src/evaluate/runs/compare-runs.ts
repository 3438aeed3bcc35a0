import { SkillmintError } from '../../protocol/errors.ts';
import { pool } from '../../util/pool.ts';
import type { AskJudge } from '../judge/ask-judge.ts';
import { compareByJudge } from '../judge/compare.ts';
import type { JudgedRun } from '../judge/material.ts';
import type { EvaluationEvent } from './evaluation-event.ts';
import type { Arm, Suites } from './plan.ts';
import type { ComparisonRecord, RunRecord } from './record.ts';

/** What comparisons are made with. */
export interface CompareRunsOptions {
  readonly suites: Suites;
  readonly arms: readonly Arm[];
  readonly records: readonly RunRecord[];
  /** Of earlier processes. */
  readonly done: readonly ComparisonRecord[];
  readonly parallel: number;
  readonly ask: AskJudge;
  /** What a judge sees of a run that was kept. */
  readonly material: (record: RunRecord) => Promise<JudgedRun | undefined>;
  readonly keep: (record: ComparisonRecord) => Promise<void>;
  readonly tell: (event: EvaluationEvent) => void;
  /** True once the budget is used up. */
  readonly isSpent: (made: readonly ComparisonRecord[]) => boolean;
  readonly signal: AbortSignal;
}

/** For each case that a judge has to decide, one result of the new skill beside one of what it is compared with. Resolves to all that are known. */
export async function compareRuns(options: CompareRunsOptions): Promise<readonly ComparisonRecord[]> {
  const { suites, arms, records, signal } = options;
  const made = [...options.done];
  const firstOf = (entry: string, arm: Arm): RunRecord | undefined => records.filter((record) => record.suite === 'output' && record.outcome === 'measured' && record.entry === entry && record.arm === arm).sort((a, b) => a.number - b.number)[0];
  const pairs = arms.includes('new') ? arms.filter((arm) => arm === 'old' || arm === 'without') : [];
  const wanted = suites.output.filter(({ expectations }) => expectations.some(({ kind }) => kind === 'judged')).flatMap((entry) => pairs.flatMap((arm) => {
    const [from, to] = [firstOf(entry.id, arm), firstOf(entry.id, 'new')];
    return from && to && !made.some((one) => one.entry === entry.id && one.from === arm) ? [{ entry, from, to }] : [];
  }));
  let done = 0;
  await pool(wanted, options.parallel, async ({ entry, from, to }) => {
    if (signal.aborted || options.isSpent(made)) return;
    const [before, after] = [await options.material(from), await options.material(to)];
    if (!before || !after) return;
    try {
      const compared = await compareByJudge({ task: entry.prompt, ...(entry.expected === undefined ? {} : { expected: entry.expected }), from: before, to: after }, options.ask, signal);
      const record: ComparisonRecord = { kind: 'comparison', entry: entry.id, from: from.arm, to: to.arm, number: to.number, ...compared };
      await options.keep(record);
      made.push(record);
      done += 1;
      options.tell({ type: 'comparing', done, of: wanted.length });
    } catch (error) {
      if (!(signal.aborted && error instanceof SkillmintError && error.code === 'interrupted')) throw error;
    }
  });
  return made;
}
