import fs from 'node:fs/promises';
import path from 'node:path';
import { buildReport } from '../../evaluate/report/build-report.ts';
import type { EvaluationReport } from '../../evaluate/report/report.ts';
import { compareRuns } from '../../evaluate/runs/compare-runs.ts';
import { costOf, executeRuns } from '../../evaluate/runs/execute-runs.ts';
import type { Stopped } from '../../evaluate/runs/stopped.ts';
import { planRuns, type Arm } from '../../evaluate/runs/plan.ts';
import type { ComparisonRecord, EvaluationRecord, RunRecord } from '../../evaluate/runs/record.ts';
import { isOfferable } from '../../skills/discover/skill-entry.ts';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';
import type { RuntimeParts } from '../parts.ts';
import type { SandboxGuard } from '../permissions/sandbox-guard.ts';
import { findSkills } from '../skills/find-skills.ts';
import { chooseModel, type ChosenModel } from '../turn/choose-model.ts';
import { openArm, type ArmRuntime, type ArmSkills } from './arm-runtime.ts';
import { beginEvaluation, type FixedEvaluation } from './begin-evaluation.ts';
import { evaluationFolder, markFinished, readManifest, unfinishedEvaluations, withEvaluation, type Manifest } from './evaluation-folder.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import { executeRun, type RunParts } from './execute-run.ts';
import { evalFile } from './find-suites.ts';
import { judgeOf } from './judge-model.ts';
import { takeOver, withKeys } from './reuse-runs.ts';
import { openRunLog, type RunLog } from './run-log.ts';
import { removeWorkspaces } from './run-workspace.ts';
import { readMaterial, writeReportFiles, writeRunFiles } from './write-files.ts';

const USUAL_PARALLEL = 4;

/** What an evaluation is made with: the parts of the runtime it belongs to. */
export interface EvaluateParts {
  readonly parts: RuntimeParts;
  readonly guard: SandboxGuard;
  /** Is called once a new evaluation was begun: removes old ones. */
  readonly tidy?: (cwd: string) => Promise<unknown>;
}

/**
 * Evaluates a skill, or goes on with an evaluation. Each run that has ended is kept at once. Resolves to the report also when a
 * limit, a fault of the model or the signal ended it; `stopped` says so then. Rejects, before anything was run, with
 * skill_not_found, not_found, invalid_argument, key_missing, session_busy, sandbox_unavailable.
 */
export async function evaluateSkill(own: EvaluateParts, options: EvaluateOptions, fixed?: FixedEvaluation): Promise<EvaluationReport> {
  const { dataFolder } = own.parts;
  const manifest = options.resume === undefined ? await beginEvaluation(own.parts, options, fixed) : await readManifest(dataFolder, options.resume);
  const folder = evaluationFolder(dataFolder, manifest.id);
  try {
    return await withEvaluation(folder, manifest.id, () => takeUp(own, options, { manifest, folder }));
  } catch (error) {
    // What never began is no evaluation that could go on.
    if (options.resume === undefined && (await isEmpty(path.join(folder, 'runs.jsonl')))) await fs.rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function takeUp(own: EvaluateParts, options: EvaluateOptions, { manifest, folder }: Omit<Begun, 'log'>): Promise<EvaluationReport> {
  if (options.resume === undefined) {
    const [left] = (await unfinishedEvaluations(own.parts.dataFolder, manifest.path)).filter(({ id, done }) => id !== manifest.id && done > 0);
    await own.tidy?.(manifest.cwd);
    if (left) options.onEvent?.({ type: 'warning', message: `An evaluation of ${manifest.skill.name} of ${left.time} was cut off after ${left.done} runs. It goes on with: skillmint skills evaluate --resume ${left.id}` });
  }
  await markFinished(folder, false);
  await removeWorkspaces(prefixOf(manifest));
  const log = await openRunLog(path.join(folder, 'runs.jsonl'));
  try {
    return await work(own, options, { manifest, folder, log });
  } finally {
    await log.close();
  }
}

async function isEmpty(file: string): Promise<boolean> {
  try {
    return (await fs.stat(file)).size === 0;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true;
    throw error;
  }
}

/** A budget that cannot be kept is none. */
function requirePrices(models: readonly ChosenModel[], budgetUsd: number | undefined): void {
  const [unknown] = models.filter(({ model }) => !model.info.price);
  if (budgetUsd !== undefined && unknown) throw new SkillmintError('invalid_argument', `The price of ${unknown.name} is not known, so a budget in USD cannot be kept: give it in the settings (providers.NAME.models), or limit the evaluation with --max-runs.`);
}

interface Begun {
  readonly manifest: Manifest;
  readonly folder: string;
  readonly log: RunLog;
}

async function work(own: EvaluateParts, options: EvaluateOptions, { manifest, folder, log }: Begun): Promise<EvaluationReport> {
  const { suites, arms, seed, runs } = manifest;
  const signal = options.signal ?? new AbortController().signal;
  const tell = options.onEvent ?? (() => undefined);
  const parallel = options.parallel ?? USUAL_PARALLEL;
  const judge = await chooseModel(own.parts, manifest.cwd, manifest.judge);
  requirePrices([await chooseModel(own.parts, manifest.cwd, manifest.model), judge], options.budgetUsd);
  const keyed = { parts: own.parts, manifest, folder };
  const plan = await withKeys(keyed, planRuns({ suites, arms, runs, seed }));
  const known = split(log.before);
  const open = plan.filter(({ run }) => !known.runs.some((record) => record.run === run));
  const before = { ...known, runs: [...known.runs, ...(options.fresh ? [] : await takeOver(keyed, open, (record) => log.add(record)))] };
  const ask = judgeOf(judge.model);
  tell({ type: 'evaluation.started', id: manifest.id, runs: plan.length, done: before.runs.filter(({ outcome }) => outcome === 'measured').length, folder });
  const opened = await openArms(own, manifest, folder, [...new Set(plan.map(({ arm }) => arm))]);
  try {
    const workspaces = new Map<string, string>();
    const made = await executeRuns({
      plan, suites, done: before.runs, parallel, ask, signal, tell,
      limits: { ...(options.budgetUsd === undefined ? {} : { budgetUsd: options.budgetUsd }), ...(options.maxRuns === undefined ? {} : { maxRuns: options.maxRuns }) },
      execute: async (planned, entry, limits) => {
        const parts = opened.get(planned.arm);
        if (!parts) throw new Error(`the arm ${planned.arm} was not opened`);
        const run = await executeRun(entry, parts, limits);
        workspaces.set(planned.run, run.work);
        return run;
      },
      keep: async (record, run) => {
        await writeRunFiles(folder, suites, record, run, workspaces.get(record.run) ?? '');
        workspaces.delete(record.run);
        await log.add(record);
      },
    });
    const isSpent = (comparisons: readonly ComparisonRecord[]): boolean => options.budgetUsd !== undefined && costOf(made.records) + comparisons.reduce((sum, { judged }) => sum + (judged.cost_usd ?? 0), 0) >= options.budgetUsd;
    const comparisons = made.stopped ? before.comparisons : await compareRuns({ suites, arms: arms.output, records: made.records, done: before.comparisons, parallel: options.budgetUsd === undefined ? parallel : 1, ask, signal, tell, isSpent, material: (record) => readMaterial(folder, record), keep: (record) => log.add(record) });
    return await report(options, { manifest, folder, log }, { ...made, plan, comparisons });
  } finally {
    for (const { arm } of opened.values()) await arm.close();
  }
}

async function report(options: EvaluateOptions, { manifest, folder }: Begun, { records, stopped, plan, comparisons }: { readonly records: readonly RunRecord[]; readonly stopped?: Stopped; readonly plan: ReturnType<typeof planRuns>; readonly comparisons: readonly ComparisonRecord[] }): Promise<EvaluationReport> {
  const { suites, skill, against } = manifest;
  const built = buildReport({
    id: manifest.id, model: manifest.model, judge: manifest.judge, time: manifest.time, seed: manifest.seed, margin: manifest.margin, runs: manifest.runs,
    skill: { name: skill.name, path: manifest.path, digest: skill.digest },
    ...(against ? { against: { what: against.what, digest: against.digest } } : {}),
    suites, arms: manifest.arms, plan, records, comparisons, stopped, folder,
    notes: manifest.notes, leaks: manifest.leaks ?? [],
  });
  await writeReportFiles(built, suites, options.report);
  if (!stopped && records.every(({ outcome }) => outcome === 'measured')) await markFinished(folder, true);
  return built;
}

/** One runtime for each arm, and what its runs share. */
async function openArms(own: EvaluateParts, manifest: Manifest, folder: string, wanted: readonly Arm[]): Promise<ReadonlyMap<Arm, RunParts & { readonly arm: ArmRuntime }>> {
  const { parts, guard } = own;
  const { values } = await parts.settings(manifest.cwd);
  const empty = path.join(folder, 'empty');
  await fs.mkdir(empty, { recursive: true, mode: 0o700 });
  // A setting `off` is meant for one's own commands; what a stranger's skill and its checks run needs more than that.
  const setting = manifest.sandbox ?? (values.sandbox === 'off' && manifest.skill.trusted && manifest.against?.trusted !== false ? 'off' : 'required');
  const sandbox = await guard.choose(setting);
  const evals = path.join(folder, 'evals');
  const shared = {
    guard, sandbox, sandboxSetting: setting, model: manifest.model, evaluation: manifest.id, evals, deny: manifest.deny, limits: values.sandboxLimits, prefix: prefixOf(manifest),
    mode: values.permissions.mode === 'unrestricted' ? 'unrestricted' as const : 'dontAsk' as const,
    // The workspace is thrown away, so edits in it are free; commands are where the sandbox holds them.
    allow: ['Edit', ...(sandbox.wraps ? ['Bash'] : []), ...manifest.allow],
    files: (entry: Parameters<RunParts['files']>[0]) => (entry.suite === 'output' ? entry.entry.files.flatMap((file) => evalFile({ tree: parts.host.tree, folder: evals, evals }, file) ?? evalFile({ tree: parts.host.tree, folder: evals, evals }, file.replace(/^(?:\.\/)?evals\//, '')) ?? []) : []),
  };
  const opened = new Map<Arm, RunParts & { readonly arm: ArmRuntime }>();
  try {
    for (const arm of wanted) opened.set(arm, { ...shared, arm: await openArm(parts, guard, { skills: await skillsOf(parts, manifest, arm), cwd: manifest.cwd, empty }) });
    return opened;
  } catch (error) {
    for (const { arm } of opened.values()) await arm.close();
    throw error;
  }
}

async function skillsOf(parts: RuntimeParts, manifest: Manifest, arm: Arm): Promise<ArmSkills> {
  if (arm === 'without') return { skill: undefined, crowd: [] };
  if (arm !== 'crowded') return { skill: arm === 'old' ? manifest.against : manifest.skill, crowd: [] };
  const { entries } = await findSkills(manifest.cwd, { ...parts, tree: parts.host.tree, settings: await parts.settings(manifest.cwd) }, parts.skillViews.listing);
  const crowd = entries.filter((entry) => isOfferable(entry) && manifest.crowd.includes(entry.id));
  if (crowd.length < manifest.crowd.length) throw new SkillmintError('not_found', `Some of the ${manifest.crowd.length} skills that crowd this evaluation are not there any more: begin a new one.`);
  return { skill: manifest.skill, crowd };
}

function split(records: readonly EvaluationRecord[]): { readonly runs: readonly RunRecord[]; readonly comparisons: readonly ComparisonRecord[] } {
  return { runs: records.flatMap((record) => (record.kind === 'run' ? [record] : [])), comparisons: records.flatMap((record) => (record.kind === 'comparison' ? [record] : [])) };
}

/** Names the workspaces of an evaluation; nothing in it tells what they are for. */
function prefixOf({ id }: Manifest): string {
  return `skillmint-ws-${id.replace(/^eval_/, '')}-`;
}
