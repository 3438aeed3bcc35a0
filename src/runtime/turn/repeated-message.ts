import { SkillmintError } from '../../protocol/errors.ts';
import type { SessionState } from '../../protocol/session-state.ts';

/** A message with this key was taken in before, by the turn `turnId`. */
export class RepeatedMessageError extends SkillmintError {
  override readonly name = 'RepeatedMessageError';
  readonly turnId: string;

  constructor(key: string, turnId: string) {
    super('message_repeated', `The message with the key ${JSON.stringify(key)} was taken in before, by ${turnId}.`);
    this.turnId = turnId;
  }
}

/** @throws RepeatedMessageError for a key that a message of the session has. */
export function refuseRepeated({ sent }: Pick<SessionState, 'sent'>, key: string | undefined): void {
  const turnId = key === undefined ? undefined : sent.get(key);
  if (key !== undefined && turnId !== undefined) throw new RepeatedMessageError(key, turnId);
}
