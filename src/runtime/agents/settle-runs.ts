import { runsBeside, type AgentRun } from '../../protocol/session-state.ts';
import type { LiveSession } from '../turn/live-session.ts';
import type { TurnResult } from '../runtime.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { worktreeLine } from './agent-worktree.ts';
import { closeInterruptedChild } from './end-runs.ts';
import { childState } from './own-child.ts';
import { agentCompleted } from './run-agent.ts';
import type { RunStanding } from './run-standing.ts';
import { storedResult } from './stored-result.ts';

/**
 * Looks at the session of a run, whose log tells the truth also when the process that ran it is gone, and stores its end with
 * the session that has started it, once. `told`: the model learns of the end in another way.
 */
export async function settleRun(turns: TurnParts, session: LiveSession, run: AgentRun, { told }: { readonly told: boolean }): Promise<RunStanding> {
  const { parts, binder } = turns;
  const { state } = session;
  if (binder.background(state.session_id).get(run.task_id)) return { kind: 'running' };
  const summary = await parts.store.get(run.child_id);
  // A fork has the runs of the session that it was made from in its log, and none of them is its own.
  const status = summary?.task_id === run.task_id && summary.parent_id === state.session_id ? summary.status : undefined;
  if (status === 'running' || (status === 'waiting' && run.status === 'running')) return { kind: status };
  const result = status === 'interrupted' ? await closeInterruptedChild(turns, state, run.child_id) : storedResult(await childState(binder, state, run.child_id));
  if (run.background) await worktreeLine(turns, { outer: state, child: await childState(binder, state, run.child_id) });
  const isStored = (): boolean => state.agents.get(run.task_id)?.status !== 'running';
  // One that a call waits for ends with the call's result.
  if (run.background) await session.append([agentCompleted(run.task_id, result, told ? undefined : noteOf(run, result))], { unless: isStored });
  return { kind: 'ended', result };
}

/** Stores the ends of runs in the background that have ended meanwhile, with a word for the model. */
export async function settleRuns(turns: TurnParts, session: LiveSession): Promise<void> {
  for (const run of runsBeside(session.state)) await settleRun(turns, session, run, { told: false });
}

function noteOf({ task_id, agent_type }: AgentRun, { status, error }: TurnResult): string {
  const how = error?.code === 'interrupted' ? 'interrupted: the program ended while it ran' : status;
  return `<agent_ended>The background agent ${agent_type} (${task_id}) has ended: ${how}. Read what it did with TaskOutput.</agent_ended>`;
}
