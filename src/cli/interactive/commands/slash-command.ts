import type { Conversation } from '../conversation.ts';

/** What follows a command: the end, a look at what the session that was changed to waits for, or a message that is sent as it stands. */
export type Next = 'quit' | 'message' | 'resumed' | void;

/** A command of the conversation. */
export interface SlashCommand {
  readonly name: string;
  readonly help: string;
  run(conversation: Conversation, rest: string): Promise<Next>;
}
