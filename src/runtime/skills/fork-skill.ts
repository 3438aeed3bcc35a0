import type { EventBody, SessionEvent } from '../../protocol/events.ts';
import type { CallQuestion, SessionState } from '../../protocol/session-state.ts';
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
  /** Goes on with a run that has waited for a person. */
  readonly resume: (childId: string, answered: CallQuestion) => Promise<RunningTurn>;
  /** Ends what the run has left behind. */
  readonly end: (childId: string) => Promise<void>;
}

/** A task for a sub-agent. */
export interface ChildTask {
  readonly taskId: string;
  readonly skill: SkillEntry;
  readonly prompt: string;
}

/**
 * Runs a skill with `context: fork` as the task of a sub-agent: a session of its own, bound to the skill, without the
 * history. What it needs of a person is asked as a question of this call, and the run goes on with the answer.
 */
export async function forkSkill(parts: ForkParts, skill: SkillEntry, args: string | undefined, call: SkillCall): Promise<ToolOutcome | ToolWaiting> {
  const known = call.answered && [...parts.state.agents.values()].find((run) => run.call_id === call.callId && run.status === 'running');
  const run = known && call.answered ? { taskId: known.task_id, turn: await parts.resume(known.child_id, call.answered) } : await startRun(parts, skill, args, call);
  const result = await follow(parts, run.taskId, run.turn, call.signal);
  const [open] = result.open;
  if (result.status === 'waiting' && open) return { status: 'waiting', ask: askedFor(call.callId, skill, open) };
  await parts.end(run.turn.sessionId);
  return outcomeOf(run.taskId, skill, result);
}

async function startRun(parts: ForkParts, skill: SkillEntry, args: string | undefined, call: SkillCall): Promise<{ readonly taskId: string; readonly turn: RunningTurn }> {
  const taskId = parts.newTaskId();
  const asked = textOf(parts.state.turn?.input ?? []);
  const prompt = args === undefined || args.trim() === '' ? asked : `${args}\n\n<request_of_the_person>\n${asked}\n</request_of_the_person>`;
  const turn = await parts.start({ taskId, skill, prompt });
  await parts.append([{ type: 'agent.started', task_id: taskId, agent_type: agentTypeOf(skill).name, prompt, child_id: turn.sessionId, call_id: call.callId }]);
  return { taskId, turn };
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
function askedFor(callId: string, skill: SkillEntry, { call, question }: TurnResult['open'][number]): ToolWaiting['ask'] {
  if (question.kind === 'question') return { type: 'question.asked', request_id: question.request_id, call_id: callId, question: question.question, ...(question.options ? { options: question.options } : {}) };
  return {
    type: 'permission.requested', request_id: question.request_id, call_id: callId, tool: call.tool, input: call.input,
    reason: `the skill ${skill.name}: ${question.reason}`, rules: question.rules, ...(question.unsandboxed ? { unsandboxed: true as const } : {}),
  };
}

function outcomeOf(taskId: string, skill: SkillEntry, result: TurnResult): ToolOutcome {
  const { status, text, usage, cost_usd } = result;
  const completed: EventBody = { type: 'agent.completed', task_id: taskId, status, result: text, usage, ...(cost_usd === undefined ? {} : { cost_usd }) };
  const more = { details: { skill_id: skill.id, task_id: taskId, child_id: result.session_id }, events: [completed] };
  switch (status) {
    case 'done': return ok(text === '' ? `The skill ${skill.name} has run and said nothing.` : text, more);
    case 'limit': return { ...ok(`The run of the skill ${skill.name} reached its limit. Its last words: ${text || '(none)'}`, more), status: 'error' };
    case 'failed': case 'cancelled': case 'waiting': return { ...failed(`The run of the skill ${skill.name} did not end well (${status}): ${result.error?.message ?? 'it was stopped'}${text === '' ? '' : `\nIts last words: ${text}`}`), ...more };
  }
}
