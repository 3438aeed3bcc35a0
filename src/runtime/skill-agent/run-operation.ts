import { stricterOf } from '../../permissions/mode.ts';
import { PermissionError, SkillmintError } from '../../protocol/errors.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { addUsage, NO_USAGE } from '../../protocol/usage.ts';
import { existingFolder } from '../existing-folder.ts';
import type { TurnResult } from '../runtime.ts';
import { projectFolder } from '../session/project-folder.ts';
import { restrictionsFor } from '../session/session-restriction.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { askAgent, type AgentAsk, type AgentTurns } from './ask-agent.ts';
import { draftsOf } from './draft-folder.ts';
import type { OpenOperation, Operation, OperationParts } from './operation.ts';
import type { SkillAgentCall, SkillAgentReport } from './skill-agent.ts';

/** So often an answer that fits the schema, but not the world, is sent back. */
const MENDS = 2;

/** Folder that a call is for, real, and the session that makes it. */
export async function placeOfCall({ parts, binder }: TurnParts, { cwd, session }: SkillAgentCall): Promise<{ readonly cwd: string; readonly caller: SessionState | undefined }> {
  const caller = session === undefined ? undefined : await binder.state(session);
  return { caller, cwd: existingFolder(parts.host.tree, caller ? projectFolder(caller) : cwd ?? process.cwd()) };
}

/** Has the agent do one thing: asks it, makes the result of its answer, and sends an answer that cannot be used back with the reason. */
export async function runOperation<Q extends SkillAgentCall, R>(turns: AgentTurns, operation: Operation<Q, R>, { request, cwd, caller }: { readonly request: Q; readonly cwd: string; readonly caller: SessionState | undefined }): Promise<R & SkillAgentReport> {
  const { parts } = turns;
  const { mode: wanted, deny = [], signal, progress = () => undefined } = request;
  const settings = await parts.settings(cwd);
  const callers = wanted ?? caller?.permission_mode ?? settings.values.permissions.mode;
  const mode = stricterOf(stricterOf(callers, caller?.permission_mode ?? callers), 'dontAsk');
  if (operation.writes && mode === 'plan') throw new PermissionError(`In plan mode nothing is changed, and to ${operation.name} is to write files. Leave plan mode first.`);
  refuseStopped(signal);
  const { view } = await parts.skillViews.open(cwd, settings);
  const given: OperationParts = { parts, cwd, settings, skills: view, drafts: await draftsOf(parts.workFolder, cwd), progress };
  const open = await operation.open(given, request);
  const limits = [operation.maxCostUsd, request.maxCostUsd, settings.values.maxCost].filter((limit) => limit !== undefined);
  const ask: AgentAsk = {
    mode, model: request.model, signal, progress,
    allow: open.allow,
    deny: [...deny, ...(caller?.turn?.options?.deny ?? [])],
    restrictions: caller ? restrictionsFor(caller) : {},
    answer: operation.answer,
    maxSteps: Math.min(operation.maxSteps, settings.values.maxTurns),
  };
  try {
    return await resultOf(turns, given, { open, ask, maxCostUsd: Math.min(...limits) });
  } catch (error) {
    throw withDraft(error, await open.leave());
  }
}

interface Asking<R> {
  readonly open: OpenOperation<R>;
  readonly ask: AgentAsk;
  /** For all answers together. */
  readonly maxCostUsd: number;
}

async function resultOf<R>(turns: AgentTurns, given: OperationParts, { open, ask, maxCostUsd }: Asking<R>): Promise<R & SkillAgentReport> {
  let text = open.task;
  let usage = NO_USAGE;
  let cost = 0;
  for (let mends = 0; ; mends += 1) {
    const turn = await askAgent(turns, given, { ...ask, text, maxCostUsd: Math.max(0, maxCostUsd - cost) });
    usage = addUsage(usage, turn.usage);
    cost += turn.cost_usd ?? 0;
    const taken = await open.take(answerOf(turn));
    if (taken.kind === 'done') return { ...taken.result, session_id: turn.session_id, usage, ...(cost > 0 ? { cost_usd: cost } : {}), warnings: taken.warnings };
    if (mends === MENDS) throw new SkillmintError('output_invalid', `The skill agent gave no answer that can be used: ${taken.problem} Say more exactly what you want, or take another model. Its session is ${turn.session_id}.`);
    refuseStopped(ask.signal);
    ask.progress('the answer is sent back to be mended');
    text = taken.problem;
  }
}

function answerOf({ status, output, error, session_id }: TurnResult): Parameters<OpenOperation<unknown>['take']>[0] {
  if (status === 'done' && isJsonObject(output)) return output;
  if (status === 'cancelled') throw new SkillmintError('interrupted', 'Interrupted; nothing was made.');
  const why = error?.message ?? `its turn ended as ${status}`;
  const code = error?.code === 'output_invalid' ? 'output_invalid' : 'model_failed';
  throw new SkillmintError(code, `The skill agent came to no result: ${/[.!?]$/.test(why) ? why : `${why}.`} Its session is ${session_id}.`);
}

function refuseStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SkillmintError('interrupted', 'Interrupted; nothing was made.');
}

function withDraft(error: unknown, left: string): unknown {
  return error instanceof SkillmintError && left !== '' ? new SkillmintError(error.code, `${error.message} ${left}`, { cause: error }) : error;
}
