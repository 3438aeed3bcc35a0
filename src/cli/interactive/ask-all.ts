import type { TurnStatus } from '../../protocol/events.ts';
import type { OpenRequest } from '../../protocol/session-state.ts';
import type { TurnResult } from '../../runtime/runtime.ts';
import { openOf } from '../../runtime/turn/open-of.ts';
import { waitingAgentLines } from '../run/wait-for-agents.ts';
import type { Conversation } from './conversation.ts';

/** After a turn: asks the person what it and the agents in the background wait for; where it was stopped or has failed only tells them. */
export async function askAfter(conversation: Conversation, sessionId: string, { status, open }: Pick<TurnResult, 'status' | 'open'>): Promise<void> {
  if (!hasBroken(status)) return askAll(conversation, sessionId, open);
  for (const one of open) if (one.agent) await tellOfLater(conversation, sessionId, one);
}

/** Asks the person what a session and its agents in the background wait for, one after the other, until they would rather answer later or stop what an answer has begun. */
export async function askAll(conversation: Conversation, sessionId: string, waiting: readonly OpenRequest[]): Promise<void> {
  const { runtime, face } = conversation;
  for (let [open] = waiting; open; [open] = await openOf(runtime, sessionId)) {
    if (open.agent) await face.notice(`the background agent ${open.agent.agent_type} (${open.agent.task_id}) needs you`);
    const answer = await face.ask(open);
    if (!answer) return tellOfLater(conversation, sessionId, open);
    const { status } = await face.show(await runtime.answer({ sessionId, answer, requestId: open.question.request_id }));
    if (hasBroken(status)) return;
  }
}

function hasBroken(status: TurnStatus): boolean {
  return status === 'cancelled' || status === 'failed';
}

async function tellOfLater({ ephemeral, face }: Pick<Conversation, 'ephemeral' | 'face'>, sessionId: string, open: OpenRequest): Promise<void> {
  if (open.agent) for (const line of waitingAgentLines(sessionId, [open], { ephemeral })) await face.notice(line);
  else await face.notice(ephemeral ? 'waiting; your next message takes the place of the answer' : `waiting; answer later with: skillmint answer ${sessionId}, or here with: /resume ${sessionId}`);
}
