import { openRequests, runsBeside, type OpenRequest, type SessionState } from '../../protocol/session-state.ts';
import type { AnswerRequest } from '../runtime.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { childState } from './own-child.ts';

/** What a session's sub-agents in the background wait for. Those that a call waits for have their questions there. */
export async function waitingAgents({ parts, binder }: TurnParts, state: SessionState): Promise<readonly OpenRequest[]> {
  const open: OpenRequest[] = [];
  for (const { task_id, child_id, agent_type } of runsBeside(state)) {
    if ((await parts.store.get(child_id))?.status !== 'waiting') continue;
    const child = await childState(binder, state, child_id);
    open.push(...openRequests(child).map((request) => ({ ...request, agent: { task_id, agent_type, session_id: child_id } })));
  }
  return open;
}

/** The session that an answer is for: the one that is named, or that of a sub-agent in the background whose question it answers. */
export async function answeredSession(turns: TurnParts, { sessionId, requestId }: AnswerRequest): Promise<string> {
  if (requestId === undefined && (await turns.parts.store.get(sessionId))?.status === 'waiting') return sessionId;
  const state = await turns.binder.state(sessionId);
  const own = openRequests(state);
  if (requestId === undefined ? own.length > 0 : own.some(({ question }) => question.request_id === requestId)) return sessionId;
  const waiting = await waitingAgents(turns, state);
  const found = requestId === undefined ? waiting[0] : waiting.find(({ question }) => question.request_id === requestId);
  return found?.agent?.session_id ?? sessionId;
}
