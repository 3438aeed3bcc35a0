import type { AssistantPart, ToolResultPart, UserPart } from './content.ts';

/** What a person said, and what the runtime added to it. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly UserPart[];
}

/** One reply of a model. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantPart[];
}

/** The results of all calls of the assistant message before it, in the order of the calls. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly content: readonly ToolResultPart[];
}

/** One entry of a conversation, independent of any provider. */
export type Message = UserMessage | AssistantMessage | ToolMessage;
