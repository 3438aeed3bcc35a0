import type { AssistantPart, DocumentPart, ImagePart, ResultPart } from '../content.ts';
import type { StoredBody, ToolStatus, TurnStatus } from '../events.ts';
import type { JsonObject } from '../json.ts';
import type { Usage } from '../usage.ts';

/** What a conversation shows, in order. */
export interface Transcript {
  readonly items: readonly TranscriptItem[];
}

/** One thing in a conversation. `key` stays the same as long as the item is there; an item that changes is a new object. */
export type TranscriptItem = PersonItem | SpokenItem | CallItem | AgentItem | NoteItem;

/** What the person has sent. */
export interface PersonItem {
  readonly kind: 'person';
  readonly key: string;
  /** Number of its event, where it has begun a turn: what the session can be taken back to. */
  readonly seq?: number;
  readonly text: string;
  readonly attachments: readonly (ImagePart | DocumentPart)[];
}

/** What the model has said or thought. */
export interface SpokenItem {
  readonly kind: Exclude<AssistantPart['type'], 'tool_call'>;
  readonly key: string;
  readonly text: string;
  /** False while it grows. */
  readonly isWhole: boolean;
}

/** A tool call, with the sub-agent that it has begun. */
export interface CallItem {
  readonly kind: 'call';
  readonly key: string;
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** Raw text of arguments that were no JSON object. */
  readonly invalid?: string;
  readonly phase: 'requested' | 'waiting' | 'running' | 'done';
  /** When it began to run, ISO 8601. */
  readonly startedAt?: string;
  /** The end of what it has said so far. */
  readonly live: string;
  readonly status?: ToolStatus;
  readonly output: readonly ResultPart[];
  /** Unified diff of what it has changed. */
  readonly diff?: string;
  readonly durationMs?: number;
  readonly agent?: AgentRunView;
}

/** A sub-agent that no call of the conversation has begun. */
export interface AgentItem {
  readonly kind: 'agent';
  readonly key: string;
  readonly agent: AgentRunView;
}

/** The run of a sub-agent. */
export interface AgentRunView {
  readonly taskId: string;
  readonly type: string;
  readonly prompt: string;
  readonly description?: string;
  /** Its session. */
  readonly childId: string;
  readonly isBackground: boolean;
  readonly status: 'running' | TurnStatus;
  /** Its latest calls, and those of agents that it has started; as far as they are known. */
  readonly calls: readonly AgentCall[];
  readonly result?: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
}

/** A call of a sub-agent, in one line. */
export interface AgentCall {
  readonly callId: string;
  readonly tool: string;
  readonly line: string;
  readonly status: 'running' | ToolStatus;
}

/** Events that are told in a line. */
export type NoteType = 'message.added' | 'skill.activated' | 'skill.deactivated' | 'todos.updated' | 'context.compacted' | 'model.changed' | 'mode.changed' | 'sandbox.changed' | 'warning' | 'model.retried' | 'hook.completed' | 'turn.resumed' | 'background.lost' | 'session.forked' | 'turn.completed';

/** An event that is told in a line. */
export type NoteEvent = Extract<StoredBody, { readonly type: NoteType }>;

/** A line on something that has happened. */
export interface NoteItem {
  readonly kind: 'note';
  readonly key: string;
  readonly event: NoteEvent;
}
