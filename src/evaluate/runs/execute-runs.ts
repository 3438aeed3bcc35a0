import { SkillmintError } from '../../protocol/errors.ts';
import { pool } from '../../util/pool.ts';
import type { AskJudge } from '../judge/ask-judge.ts';
import { openBudget } from './budget.ts';
import type { EvaluationEvent } from './evaluation-event.ts';
import type { ExecutedRun, RunEntry } from './executed-run.ts';
import { gradeRun } from './grade-run.ts';
import type { PlannedRun, Suites } from './plan.ts';
import type { RunRecord } from './record.ts';
import type { Stopped } from './stopped.ts';

/** How far an evaluation may go. */
export interface RunLimits {
  /** Of runs and judge together, those of earlier processes included. */
  readonly budgetUsd?: number;
  /** Those of earlier processes included. */
  readonly maxRuns?: number;
}

/** What runs are made with. */
export interface ExecuteOptions {
  readonly plan: readonly PlannedRun[];
  readonly suites: Suites;
  /** Records of earlier processes; their runs are not made again unless they failed. */
  readonly done: readonly RunRecord[];
  readonly limits: RunLimits;
  readonly parallel: number;
  readonly execute: (run: PlannedRun, entry: RunEntry, options: { readonly maxCostUsd: number | undefined; readonly signal: AbortSignal }) => Promise<ExecutedRun>;
  readonly ask: AskJudge;
  /** Resolves when the record and what belongs to it survives the end of the process. */
  readonly keep: (record: RunRecord, run: ExecutedRun) => Promise<void>;
  readonly tell: (event: EvaluationEvent) => void;
  readonly signal: AbortSignal;
}

/** So many failures one after the other end the evaluation: the next runs would fail, too. */
const MOST_FAILURES = 3;

/** Makes the runs that are left. Resolves to all records; what was cut off is not among them. */
export async function executeRuns(options: ExecuteOptions): Promise<{ readonly records: readonly RunRecord[]; readonly stopped?: Stopped }> {
  const { plan, limits: { budgetUsd, maxRuns }, done, signal } = options;
  const records = new Map(done.map((record) => [record.run, record]));
  const entries = entriesOf(options.suites);
  const left = plan.filter(({ run }) => records.get(run)?.outcome !== 'measured');
  const budget = budgetUsd === undefined ? undefined : openBudget({ limitUsd: budgetUsd, spentUsd: costOf(done), costsUsd: done.filter(isOwn).map((record) => costOf([record])), slots: options.parallel });
  let stopped: Stopped | undefined;
  let failures = 0;
  let begun = plan.length - left.length - done.filter((record) => !isOwn(record)).length;
  let cut = 0;
  const stop = (reason: Stopped['reason'], message: string): void => void (stopped ??= { reason, message });
  const spent = (): void => stop('budget', `The budget of $${budgetUsd} was used up.`);
  await pool(left, options.parallel, async (planned) => {
    const entry = entries.get(`${planned.suite}/${planned.entry}`);
    const reserved = stopped || signal.aborted ? undefined : await budget?.reserve();
    if (signal.aborted) stop('interrupted', 'It was interrupted.');
    if (maxRuns !== undefined && begun >= maxRuns) stop('max_runs', `The limit of ${maxRuns} runs was reached.`);
    if (budget && !reserved) spent();
    if (stopped || !entry) {
      if (reserved) budget?.settle(reserved, 0);
      return;
    }
    begun += 1;
    options.tell({ type: 'run.started', run: planned.run });
    let cost = 0;
    try {
      const made = await runOne(planned, entry, { ...options, maxCostUsd: reserved && runShare(reserved.usd, [...records.values()]) });
      if (!made) return stop('interrupted', 'It was interrupted.');
      cost = costOf([made.record]);
      take(made);
    } finally {
      if (reserved) budget?.settle(reserved, cost);
    }
  });
  if (cut > 0) spent();
  return { records: plan.flatMap(({ run }) => records.get(run) ?? []), ...(stopped ? { stopped } : {}) };

  function take({ record, hopeless, isCut }: Made): void {
    records.set(record.run, record);
    if (isCut) cut += 1;
    else failures = record.outcome === 'failed' ? failures + 1 : 0;
    const cost = costOf([...records.values()]);
    options.tell({ type: 'run.completed', record, done: [...records.values()].filter(({ outcome }) => outcome === 'measured').length, of: plan.length, ...(cost > 0 ? { cost_usd: cost } : {}) });
    if (hopeless || failures >= MOST_FAILURES) stop('failures', `${hopeless ? 'A run' : `${failures} runs one after the other`} failed: ${record.reason ?? 'no reason is known'}`);
  }
}

/** What the run itself may take of what was set aside: the judge comes after it. */
function runShare(usd: number, records: readonly RunRecord[]): number {
  const judge = Math.max(0, ...records.map(({ judged }) => judged.cost_usd ?? 0));
  return usd > judge ? usd - judge : usd;
}

function isOwn({ reused }: RunRecord): boolean {
  return reused === undefined;
}

/** USD of runs and judge, as far as prices are known; runs that were taken over have cost nothing here. */
export function costOf(records: readonly Pick<RunRecord, 'spent' | 'judged' | 'reused'>[]): number {
  return records.reduce((sum, { spent, judged, reused }) => (reused === undefined ? sum + (spent.cost_usd ?? 0) + (judged.cost_usd ?? 0) : sum), 0);
}

/** `isCut`: what was set aside for it did not do. */
type Made = { readonly record: RunRecord; readonly hopeless: boolean; readonly isCut: boolean };
type RunOptions = ExecuteOptions & { readonly maxCostUsd: number | undefined };

/** Undefined where it was interrupted: then it has not happened. */
async function runOne(planned: PlannedRun, entry: RunEntry, options: RunOptions): Promise<Made | undefined> {
  try {
    return await makeRun(planned, entry, options);
  } catch (error) {
    if (options.signal.aborted && error instanceof SkillmintError && error.code === 'interrupted') return undefined;
    throw error;
  }
}

async function makeRun(planned: PlannedRun, entry: RunEntry, { execute, ask, keep, maxCostUsd, signal }: RunOptions): Promise<Made | undefined> {
  const run = await execute(planned, entry, { maxCostUsd, signal });
  try {
    if (signal.aborted || run.status === 'cancelled') return undefined;
    const record = await gradeRun(planned, entry, run, { ask, signal });
    if (signal.aborted) return undefined;
    await keep(record, run);
    return { record, hopeless: run.hopeless === true, isCut: run.overBudget === true };
  } finally {
    await run.close();
  }
}

function entriesOf({ output, triggers }: Suites): ReadonlyMap<string, RunEntry> {
  return new Map<string, RunEntry>([...output.map((entry) => [`output/${entry.id}`, { suite: 'output', entry }] as const), ...triggers.map((entry) => [`triggers/${entry.id}`, { suite: 'triggers', entry }] as const)]);
}
