import type { EventBody, SessionEvent } from '../../protocol/events.ts';
import { messageOf } from '../../protocol/errors.ts';
import { openRequests, type CallQuestion, type CallState, type SessionState } from '../../protocol/session-state.ts';
import { failed, ok, type ToolOutcome, type ToolWaiting } from '../../protocol/tool.ts';
import { textOf } from '../../protocol/content.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { SkillCall } from '../../tools/define.ts';
import type { RunningTurn, TurnResult } from '../runtime.ts';
import { agentTypeOf } from './agent-type.ts';

/** What the run of a forked skill needs of the session that starts it. */
export interface ForkParts {
  readonly state: SessionState;
  readonly append: (events: readonly EventBody[]) => Promise<unknown>;
  /** Shows an event of the run to those who follow the session. */
  readonly show: (event: SessionEvent) => void;
  readonly newTaskId: () => string;
  /** Begins the run in a session of its own. */
  readonly start: (child: ChildTask) => Promise<RunningTurn>;
  /** The session of a run as it stands; empty where it was removed or is another session's. */
  readonly look: (childId: string) => Promise<SessionState>;
  /** Goes on with a run that has waited for a person, under the rights of now; its result where it has ended meanwhile. */
  readonly resume: (childId: string, answered: CallQuestion) => Promise<RunningTurn | TurnResult>;
  /** Ends a run that is not to go on; resolves to what it came to. */
  readonly cancel: (childId: string) => Promise<TurnResult>;
  /** See `AgentPorts`. */
  readonly endRuns: (calls: readonly CallState[]) => Promise<void>;
  /** Ends what the run has left behind. */
  readonly end: (childId: string) => Promise<void>;
}

/** A task for a sub-agent. */
export interface ChildTask {
  readonly taskId: string;
  readonly skill: SkillEntry;
  readonly prompt: string;
}

/** A run, and the skill whose task it is. */
interface Run {
  readonly taskId: string;
  readonly childId: string;
  readonly skill: { readonly id: string; readonly name: string };
}

/**
 * Runs a skill with `context: fork` as the task of a sub-agent: a session of its own, bound to the skill, without the
 * history. What it needs of a person is asked as a question of this call, and the run goes on with the answer.
 */
export async function forkSkill(parts: ForkParts, skill: SkillEntry, args: string | undefined, call: SkillCall): Promise<ToolOutcome | ToolWaiting> {
  const taskId = parts.newTaskId();
  const asked = textOf(parts.state.turn?.input ?? []);
  const prompt = args === undefined || args.trim() === '' ? asked : `${args}\n\n<request_of_the_person>\n${asked}\n</request_of_the_person>`;
  const turn = await parts.start({ taskId, skill, prompt });
  await parts.append([{ type: 'agent.started', task_id: taskId, agent_type: agentTypeOf(skill).name, prompt, child_id: turn.sessionId, call_id: call.callId }]);
  return runToEnd(parts, { taskId, childId: turn.sessionId, skill }, call, async () => turn);
}

/** Goes on with the run that has waited for this answer; the skill itself may have changed or gone since. */
export async function resumeFork(parts: ForkParts, call: SkillCall, answered: CallQuestion): Promise<ToolOutcome | ToolWaiting> {
  const runs = [...parts.state.agents.values()].filter((run) => run.call_id === call.callId && run.status === 'running').reverse();
  const looked = await Promise.all(runs.map(async (run) => ({ run, child: await parts.look(run.child_id) })));
  const found = looked.find(({ child }) => openRequests(child).some(({ question }) => question.request_id === answered.request_id)) ?? looked[0];
  if (!found) return failed('The run that this answer is for has ended. Call the skill again if it is still needed.');
  const { run, child } = found;
  const id = child.bound?.skill_id ?? 'of this call';
  return runToEnd(parts, { taskId: run.task_id, childId: run.child_id, skill: { id, name: id.slice(id.lastIndexOf(':') + 1) } }, call, () => parts.resume(run.child_id, answered));
}

async function runToEnd(parts: ForkParts, run: Run, call: SkillCall, begin: () => Promise<RunningTurn | TurnResult>): Promise<ToolOutcome | ToolWaiting> {
  let result: TurnResult;
  try {
    const begun = await begin();
    result = 'events' in begun ? await follow(parts, run.taskId, begun, call.signal) : begun;
  } catch (error) {
    const left = await parts.cancel(run.childId);
    return outcomeOf(run, { ...left, error: { code: 'interrupted', message: `it could not go on: ${messageOf(error)}` } });
  }
  const [open] = result.open;
  if (result.status === 'waiting' && open) return { status: 'waiting', ask: askedFor(call.callId, run.skill, open) };
  await parts.end(run.childId);
  return outcomeOf(run, result);
}

/** The event that ends a run. */
export function agentCompleted(taskId: string, { status, text, usage, cost_usd }: TurnResult): EventBody {
  return { type: 'agent.completed', task_id: taskId, status, result: text, usage, ...(cost_usd === undefined ? {} : { cost_usd }) };
}

async function follow(parts: ForkParts, taskId: string, turn: RunningTurn, signal: AbortSignal): Promise<TurnResult> {
  const stop = (): void => turn.cancel();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    for await (const event of turn.events) parts.show({ ...event, agent_id: taskId, is_sub_agent: true });
    return await turn.result;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The question keeps its id, so that the answer finds its way back. */
function askedFor(callId: string, skill: Run['skill'], { call, question }: TurnResult['open'][number]): ToolWaiting['ask'] {
  if (question.kind === 'question') return { type: 'question.asked', request_id: question.request_id, call_id: callId, question: question.question, ...(question.options ? { options: question.options } : {}) };
  return {
    type: 'permission.requested', request_id: question.request_id, call_id: callId, tool: call.tool, input: call.input,
    reason: `the skill ${skill.name}: ${question.reason}`, rules: question.rules, ...(question.unsandboxed ? { unsandboxed: true as const } : {}),
  };
}

function outcomeOf({ taskId, skill }: Run, result: TurnResult): ToolOutcome {
  const { status, text } = result;
  const more = { details: { skill_id: skill.id, task_id: taskId, child_id: result.session_id }, events: [agentCompleted(taskId, result)] };
  switch (status) {
    case 'done': return ok(text === '' ? `The skill ${skill.name} has run and said nothing.` : text, more);
    case 'limit': return { ...ok(`The run of the skill ${skill.name} reached its limit. Its last words: ${text || '(none)'}`, more), status: 'error' };
    case 'failed': case 'cancelled': case 'waiting': return { ...failed(`The run of the skill ${skill.name} did not end well (${status}): ${result.error?.message ?? 'it was stopped'}${text === '' ? '' : `\nIts last words: ${text}`}`), ...more };
  }
}
