import type { EventBody } from '../../protocol/events.ts';
import { messageOf } from '../../protocol/errors.ts';
import { openRequests, type AgentRun, type CallQuestion, type SessionState } from '../../protocol/session-state.ts';
import { failed, ok, type ToolOutcome, type ToolWaiting } from '../../protocol/tool.ts';
import type { AgentCall } from '../../tools/define.ts';
import type { RunningTurn, TurnResult } from '../runtime.ts';
import type { AgentParts, AgentTask } from './agent-task.ts';

/** A run, and whose task it is. */
interface Run {
  readonly taskId: string;
  readonly childId: string;
  readonly label: string;
  readonly details: { readonly skill_id?: string };
}

/** A task of a call; its id is made when it begins. */
export type NewTask = Omit<AgentTask, 'taskId'>;

/**
 * Runs the task of a sub-agent for a call: in a session of its own, without the history. What it needs of a person is
 * asked as a question of this call, and the run goes on with the answer.
 */
export async function runAgent(parts: AgentParts, task: NewTask, call: AgentCall): Promise<ToolOutcome | ToolWaiting> {
  const giveBack = await parts.place(call.signal);
  if (!giveBack) return failed('Not run: the turn was stopped before.');
  try {
    const taskId = parts.newTaskId();
    const { profile, skill } = task;
    const begun = (childId: string): Promise<unknown> => parts.append([startedEvent({ ...task, taskId }, childId, call.callId)]);
    const turn = await parts.start({ ...task, taskId }, { begun, signal: call.signal });
    if (typeof turn === 'string') return failed(turn);
    return await runToEnd(parts, { taskId, childId: turn.sessionId, ...labelOf(skill?.id, profile.name) }, call, async () => turn);
  } finally {
    giveBack();
  }
}

/** The event that begins a run of a call; one in the background goes on without it. */
export function startedEvent({ taskId, profile, prompt, description, background }: AgentTask, childId: string, callId: string): EventBody {
  return { type: 'agent.started', task_id: taskId, agent_type: profile.name, prompt, child_id: childId, call_id: callId, ...(description === undefined ? {} : { description }), ...(background ? { background } : {}) };
}

/** Goes on with the run that has waited for this answer, or that a crash has cut off; the skill or the file of the agent may have changed or gone since. */
export async function resumeAgent(parts: AgentParts, call: AgentCall, answered: CallQuestion | undefined): Promise<ToolOutcome | ToolWaiting> {
  const runs = [...parts.state.agents.values()].filter((run) => run.call_id === call.callId && run.status === 'running' && !run.background).reverse();
  const looked = await Promise.all(runs.map(async (run) => ({ run, child: await parts.look(run.child_id) })));
  const found = looked.find(({ child }) => openRequests(child).some(({ question }) => question.request_id === answered?.request_id)) ?? looked[0];
  if (!found) return failed('The run that this answer is for has ended. Call it again if it is still needed.');
  return resumeRun(parts, found.run, call, answered);
}

/** Goes on with a run that has waited for this answer, or that a crash has cut off. */
export async function resumeRun(parts: AgentParts, run: AgentRun, call: AgentCall, answered: CallQuestion | undefined): Promise<ToolOutcome | ToolWaiting> {
  const child = await parts.look(run.child_id);
  const giveBack = await parts.place(call.signal);
  if (!giveBack) return failed('Not run: the turn was stopped before.');
  try {
    return await runToEnd(parts, { taskId: run.task_id, childId: run.child_id, ...labelOfState(child) }, call, () => parts.resume(run.child_id, { answered }));
  } finally {
    giveBack();
  }
}

/** What a run is called where people and models read of it. */
export function labelOfState({ bound, agent }: SessionState): Pick<Run, 'label' | 'details'> {
  return labelOf(bound?.skill_id, agent?.type ?? 'of this call');
}

function labelOf(skillId: string | undefined, agent: string): Pick<Run, 'label' | 'details'> {
  if (skillId === undefined) return { label: `the agent ${agent}`, details: {} };
  return { label: `the skill ${skillId.slice(skillId.lastIndexOf(':') + 1)}`, details: { skill_id: skillId } };
}

async function runToEnd(parts: AgentParts, run: Run, call: AgentCall, begin: () => Promise<RunningTurn | TurnResult>): Promise<ToolOutcome | ToolWaiting> {
  let result: TurnResult;
  try {
    const begun = await begin();
    result = 'events' in begun ? await follow(parts, run.taskId, begun, call.signal) : begun;
  } catch (error) {
    const left = await parts.cancel(run.childId);
    return withLine(parts, run, outcomeOf(run, { ...left, error: { code: 'interrupted', message: `it could not go on: ${messageOf(error)}` } }));
  }
  const [open] = result.open;
  if (result.status === 'waiting' && open) return { status: 'waiting', ask: askedFor(call.callId, run.label, open) };
  await parts.agentEnded(run.childId);
  return withLine(parts, run, outcomeOf(run, result));
}

/** The outcome, and where the run's worktree lies if there is something in it. */
export async function withLine(parts: Pick<AgentParts, 'worktreeLine'>, { childId }: Pick<Run, 'childId'>, outcome: ToolOutcome): Promise<ToolOutcome> {
  const line = await parts.worktreeLine(childId);
  return line === undefined ? outcome : { ...outcome, content: [...outcome.content, { type: 'text', text: `\n\n${line}` }] };
}

/** The event that ends a run; `note` is what the model is told of it, where no call's result tells it. */
export function agentCompleted(taskId: string, { status, text, usage, cost_usd }: TurnResult, note?: string): EventBody {
  return { type: 'agent.completed', task_id: taskId, status, result: text, usage, ...(cost_usd === undefined ? {} : { cost_usd }), ...(note === undefined ? {} : { note }) };
}

/** Shows what happens in the run as events of the sub-agent; one that it has started itself keeps its own id. */
async function follow(parts: AgentParts, taskId: string, turn: RunningTurn, signal: AbortSignal): Promise<TurnResult> {
  const stop = (): void => turn.cancel();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    for await (const event of turn.events) parts.show({ ...event, agent_id: event.agent_id ?? taskId, is_sub_agent: true });
    return await turn.result;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The question of a run as one of the call. It keeps its id, so that the answer finds its way back. */
export function askedFor(callId: string, label: string, { call, question }: TurnResult['open'][number]): ToolWaiting['ask'] {
  if (question.kind === 'question') return { type: 'question.asked', request_id: question.request_id, call_id: callId, question: question.question, ...(question.options ? { options: question.options } : {}), ...(question.questions ? { questions: question.questions } : {}) };
  return {
    type: 'permission.requested', request_id: question.request_id, call_id: callId, tool: call.tool, input: call.input,
    reason: `${label}: ${question.reason}`, rules: question.rules, ...(question.unsandboxed ? { unsandboxed: true as const } : {}),
  };
}

/** What a run that has ended brings to the call. */
export function outcomeOf({ taskId, label, details }: Run, result: TurnResult): ToolOutcome {
  const { status, text, usage, error } = result;
  const more = { details: { ...details, task_id: taskId, child_id: result.session_id, usage: { ...usage } }, events: [agentCompleted(taskId, result)] };
  const whose = label[0]?.toUpperCase() + label.slice(1);
  switch (status) {
    case 'done': return ok(text === '' ? `${whose} has run and said nothing.` : text, more);
    case 'limit': return { ...ok(`${whose} reached its limit: ${error?.message ?? ''}\nIts last output: ${text || '(none)'}`, more), status: 'error' };
    case 'failed': case 'cancelled': case 'waiting': return { ...failed(`The run of ${label} did not end well (${status}): ${error?.message ?? 'it was stopped'}${text === '' ? '' : `\nIts last output: ${text}`}`), ...more };
  }
}
