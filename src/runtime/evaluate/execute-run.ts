import type { ExecutedRun, RunEntry } from '../../evaluate/runs/executed-run.ts';
import { realOrSame } from '../../config/read-settings.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { StoredEvent } from '../../protocol/events.ts';
import type { CommandLimits } from '../../sandbox/limits/command-limits.ts';
import { listSkillFiles } from '../../skills/files.ts';
import { scriptEnvironment } from '../execute/script-workspace.ts';
import type { SandboxChoice, SandboxGuard } from '../permissions/sandbox-guard.ts';
import type { TurnResult } from '../runtime.ts';
import { promptNew } from '../turn/turns.ts';
import type { ArmRuntime } from './arm-runtime.ts';
import { checkWorld } from './check-world.ts';
import { openRunWorkspace, type RunWorkspace } from './run-workspace.ts';

/** What the runs of one arm share. */
export interface RunParts {
  readonly arm: ArmRuntime;
  readonly guard: SandboxGuard;
  readonly sandbox: SandboxChoice;
  readonly sandboxSetting: 'required' | 'off';
  readonly model: string;
  /** What would ask is denied. */
  readonly mode: 'dontAsk' | 'unrestricted';
  /** Of one command. */
  readonly limits: CommandLimits;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Id of the evaluation. */
  readonly evaluation: string;
  /** See `openRunWorkspace`. */
  readonly prefix: string;
  /** Of the entry. */
  readonly files: (entry: RunEntry) => readonly { readonly from: string; readonly to: string }[];
  /** Folder with what check commands may read. */
  readonly evals: string;
}

const NO_TOOLS = /(?:not|n't) support\w*[^.]*\b(?:tools?|functions?)\b|\b(?:tools?|functions?)\b[^.]*(?:not (?:\w+ )?support|unsupported|not available for)/i;
const NO_WAY = /\b(?:401|403)\b|api[ _-]?key|unauthori[sz]ed|authentication/i;

/** A run with the folder it was made in. */
export interface RunInFolder extends ExecutedRun {
  readonly work: string;
}

/** Makes one run: a session of its own in a fresh workspace, as it would be in production, but that nobody is asked. */
export async function executeRun(entry: RunEntry, parts: RunParts, { maxCostUsd, signal }: { readonly maxCostUsd: number | undefined; readonly signal: AbortSignal }): Promise<RunInFolder> {
  if (signal.aborted) throw new SkillmintError('interrupted', 'The evaluation was interrupted.');
  const { arm } = parts;
  const space = await openRunWorkspace(parts.prefix, parts.files(entry));
  try {
    const { now } = arm.turns.parts;
    const began = now();
    const result = await runTurn(entry.suite === 'output' ? entry.entry.prompt : entry.entry.query, space, parts, { maxCostUsd, signal });
    const duration_ms = now() - began;
    const events = await eventsOf(arm, result.session_id);
    await arm.turns.binder.forget(result.session_id);
    const { skill } = arm.skills;
    return {
      session_id: result.session_id, status: result.status, duration_ms, events,
      ...failureOf(result, { maxCostUsd, model: parts.model }),
      spent: { calls: events.filter(({ type }) => type === 'message.completed').length, usage: result.usage, ...(result.cost_usd === undefined ? {} : { cost_usd: result.cost_usd }) },
      outputs: await space.outputs(),
      world: worldOf(space, parts, signal),
      scripts: skill && listSkillFiles(arm.turns.parts.host.tree, skill.folder).files.filter(({ kind }) => kind === 'script').map(({ path }) => path),
      skill: { ids: new Set(skill ? [`user:${skill.name}`] : []), names: new Set(skill ? [skill.name, `user:${skill.name}`] : []) },
      hide: [...(skill ? [skill.folder] : []), space.work],
      work: space.work,
      close: space.close,
    };
  } catch (error) {
    await space.close();
    throw error;
  }
}

async function runTurn(text: string, { work }: RunWorkspace, { arm, model, mode, allow, deny, sandboxSetting, evaluation }: RunParts, { maxCostUsd, signal }: { readonly maxCostUsd: number | undefined; readonly signal: AbortSignal }): Promise<TurnResult> {
  const turn = await promptNew(arm.turns, { text, cwd: work, model, mode, allow, deny: [...deny, 'AskUserQuestion'], sandbox: sandboxSetting, ...(maxCostUsd === undefined ? {} : { maxCostUsd }) }, { task: evaluation });
  const stop = (): void => turn.cancel();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    for await (const _ of turn.events);
    return await turn.result;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Of the session and of the sub-agents that it and they have started. */
async function eventsOf(arm: ArmRuntime, sessionId: string, isSubAgent = false): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of arm.turns.parts.store.read(sessionId)) {
    events.push(isSubAgent ? { ...event, is_sub_agent: true } : event);
    if (event.type === 'agent.started') events.push(...(await eventsOf(arm, event.child_id, true)));
  }
  return events;
}

function failureOf({ status, error, cost_usd = 0 }: TurnResult, { maxCostUsd, model }: { readonly maxCostUsd: number | undefined; readonly model: string }): Pick<ExecutedRun, 'failure' | 'hopeless' | 'overBudget'> {
  if (status === 'limit' && maxCostUsd !== undefined && cost_usd >= maxCostUsd) return { failure: 'the budget ended it', overBudget: true };
  if (status === 'waiting') return { failure: 'it waited for a person, and nobody is asked in an evaluation' };
  if (status !== 'failed') return {};
  const message = error?.message ?? 'no reason is known';
  if (NO_TOOLS.test(message)) return { failure: `The model ${model} cannot call tools, which skills need: choose another one with --model. (${message})`, hopeless: true };
  return { failure: message, ...(NO_WAY.test(message) ? { hopeless: true } : {}) };
}

function worldOf(space: RunWorkspace, { arm, guard, sandbox, limits, evals }: RunParts, signal: AbortSignal): ExecutedRun['world'] {
  const { parts } = arm.turns;
  const { host } = parts;
  const folders = { writable: [space.work, space.home], readable: [evals], temporary: space.temporary };
  const wrapped = guard.wrapScript({ host, choice: sandbox, folders, limits, grants: { hosts: [], refused: [] }, allow: [], parts: { env: parts.env, home: realOrSame(host.tree, parts.home), dataFolder: realOrSame(host.tree, parts.dataFolder), workFolder: parts.workFolder, tenant: parts.tenant } });
  return checkWorld({ work: space.work, host: wrapped, env: { ...scriptEnvironment({ platform: host.platform, env: parts.env, granted: [] }, space, space.work), EVALS_DIR: evals }, signal });
}
