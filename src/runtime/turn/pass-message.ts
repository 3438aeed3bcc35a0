import { PermissionError, SkillmintError } from '../../protocol/errors.ts';
import type { EventBus, MessageReply, MessageTaker } from '../../sessions/event-bus.ts';
import type { KeyedMessage, RunningTurn } from '../runtime.ts';
import { RepeatedMessageError } from './repeated-message.ts';

/** Gives it to that process; see `Runtime.passMessage`. */
export async function passMessage(bus: EventBus, { sessionId, text, key, attachments = [] }: KeyedMessage): Promise<string | undefined> {
  const reply = await bus.send(sessionId, { text, key, attachments });
  if (reply?.kind === 'refused') throw new PermissionError(reply.reason);
  return reply?.kind === 'taken' ? reply.turn_id : undefined;
}

/** What takes messages of other processes into a turn; nothing without one. */
export function messageTaker(turn: RunningTurn | undefined): ReturnType<MessageTaker> {
  return turn && (async ({ text, attachments, key }): Promise<MessageReply> => {
    try {
      await turn.steer(text, { attachments, key });
      return { kind: 'taken', turn_id: await turn.begun };
    } catch (error) {
      if (error instanceof RepeatedMessageError) return { kind: 'taken', turn_id: error.turnId };
      if (!(error instanceof SkillmintError)) throw error;
      return error.code === 'permission_denied' ? { kind: 'refused', reason: error.message } : { kind: 'again' };
    }
  });
}
