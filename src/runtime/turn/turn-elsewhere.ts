import { PermissionError, SkillmintError } from '../../protocol/errors.ts';
import type { EventBus, PassedMessage, TurnReply, TurnRequestTaker } from '../../sessions/event-bus.ts';
import type { KeyedMessage, RunningTurn } from '../runtime.ts';
import { RepeatedMessageError } from './repeated-message.ts';

/** Gives it to the process that runs the turn; see `Runtime.passMessage`. */
export async function passMessage(bus: EventBus, { sessionId, text, key, attachments = [] }: KeyedMessage): Promise<string | undefined> {
  const reply = await bus.send(sessionId, { kind: 'message', text, key, attachments });
  if (reply?.kind === 'refused') throw new PermissionError(reply.reason);
  return reply?.kind === 'taken' ? reply.turn_id : undefined;
}

/** Has it stopped by the process that runs it; see `Runtime.cancelElsewhere`. */
export async function cancelElsewhere(bus: EventBus, sessionId: string): Promise<boolean> {
  return (await bus.send(sessionId, { kind: 'stop' }))?.kind === 'stopped';
}

/** What takes requests of other processes to the turn of a session; nothing without one. An answered turn stands beside the one that it wraps, which comes first. */
export function requestTaker(turns: readonly RunningTurn[]): ReturnType<TurnRequestTaker> {
  const [turn] = turns;
  return turn && (async (request): Promise<TurnReply> => {
    if (request.kind !== 'stop') return steered(turn, request);
    for (const one of turns) one.cancel();
    return { kind: 'stopped' };
  });
}

async function steered(turn: RunningTurn, { text, attachments, key }: PassedMessage): Promise<TurnReply> {
  try {
    await turn.steer(text, { attachments, key });
    return { kind: 'taken', turn_id: await turn.begun };
  } catch (error) {
    if (error instanceof RepeatedMessageError) return { kind: 'taken', turn_id: error.turnId };
    if (!(error instanceof SkillmintError)) throw error;
    return error.code === 'permission_denied' ? { kind: 'refused', reason: error.message } : { kind: 'again' };
  }
}
