import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { emptySessionState, runsBeside, type AgentRun } from '../../protocol/session-state.ts';
import { failed, ok, type ToolOutcome } from '../../protocol/tool.ts';
import type { AgentCall } from '../../tools/define.ts';
import type { RunningTurn, TurnResult } from '../runtime.ts';
import type { AgentParts } from './agent-task.ts';
import { startedEvent, type NewTask } from './run-agent.ts';
import { storedResult } from './stored-result.ts';

/** Begins the task of a sub-agent beside the turn, and answers at once with its id. */
export async function runInBackground(parts: AgentParts, given: NewTask, call: Pick<AgentCall, 'callId' | 'signal'>): Promise<ToolOutcome> {
  const task = { ...given, taskId: parts.newTaskId(), background: true } as const;
  const { name } = task.profile;
  const begun = (childId: string): Promise<unknown> => parts.append([startedEvent(task, childId, call.callId)]);
  const turn = await parts.start(task, { begun, signal: call.signal });
  if (typeof turn === 'string') return failed(turn);
  watch(parts, { taskId: task.taskId, agentType: name }, turn);
  return inBackground(name, { task_id: task.taskId, child_id: turn.sessionId });
}

/** What a call that begins a run in the background answers. */
export function inBackground(agentType: string, { task_id, child_id }: Pick<AgentRun, 'task_id' | 'child_id'>): ToolOutcome {
  return ok(`The agent ${agentType} runs in the background as task ${task_id}. TaskOutput gives its result, KillShell ends it; you are told when it has ended.`, { details: { task_id, child_id } });
}

/** Goes on beside the turn with the runs that the end of another process has cut off. */
export async function goOnInBackground(parts: AgentParts): Promise<void> {
  for (const run of runsBeside(parts.state)) {
    if (parts.background.get(run.task_id)) continue;
    if ((await parts.look(run.child_id)).turn?.status !== 'running') continue;
    const turn = await resumed(parts, run.child_id);
    if (turn) watch(parts, { taskId: run.task_id, agentType: run.agent_type }, turn);
  }
}

/** Undefined where it has ended meanwhile, or cannot go on now: its log tells. */
async function resumed(parts: AgentParts, childId: string): Promise<RunningTurn | undefined> {
  try {
    const turn = await parts.resume(childId, { background: true });
    return 'events' in turn ? turn : undefined;
  } catch (error) {
    if (error instanceof SkillmintError) return undefined;
    throw error;
  }
}

function watch(parts: AgentParts, { taskId, agentType }: { readonly taskId: string; readonly agentType: string }, turn: RunningTurn): void {
  const follow = async (): Promise<TurnResult> => {
    for await (const event of turn.events) parts.show({ ...event, agent_id: event.agent_id ?? taskId, is_sub_agent: true });
    return turn.result;
  };
  const childId = turn.sessionId;
  parts.background.add({ taskId, childId, agentType, cancel: () => turn.cancel(), ended: finished(parts, childId, follow()) });
}

async function finished(parts: AgentParts, childId: string, result: Promise<TurnResult>): Promise<TurnResult> {
  try {
    const ended = await result;
    if (ended.status !== 'waiting') {
      await parts.agentEnded(childId);
      // An unchanged one goes; what stays is told with the result.
      await parts.worktreeLine(childId);
    }
    return ended;
  } catch (error) {
    // Its log could not be written: what stands there is what became of it, where it can be read.
    const left = await parts.cancel(childId).catch(() => storedResult(emptySessionState(childId)));
    return { ...left, error: { code: 'interrupted', message: messageOf(error) } };
  }
}
