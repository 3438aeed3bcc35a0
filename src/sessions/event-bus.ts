import type { SessionEvent } from '../protocol/events.ts';
import type { UserPart } from '../protocol/content.ts';

/** One who follows a session. Both are called at once, in the order of events, and must not throw. */
export interface Follower {
  readonly onEvent: (event: SessionEvent) => void;
  /** The log may have changed otherwise than by an event, such as by another process: it has to be read. */
  readonly onElsewhere: () => void;
  /** The bus was closed: nothing comes any more. */
  readonly onClose: () => void;
}

/** What a follower begins with, and how it ends. */
export interface Following {
  /** What is being said at this moment: the deltas since the last stored event that finished them, joined. */
  readonly unfinished: readonly SessionEvent[];
  /** Number of the last stored event that this bus knows; left out where it does not tell what other processes store. */
  readonly seq?: number;
  readonly end: () => void;
}

/** A message of a person for a turn that runs in another process. One that comes twice with its key is taken once. */
export interface PassedMessage {
  readonly text: string;
  readonly attachments: readonly UserPart[];
  readonly key: string;
}

/** The turn has it, and it is stored; a hook has refused it, for a reason; or the turn has ended, and it is to be tried again. */
export type MessageReply = { readonly kind: 'taken'; readonly turn_id: string } | { readonly kind: 'refused'; readonly reason: string } | { readonly kind: 'again' };

/** Gives what answers messages to a session whose turn runs here; nothing for others. */
export type MessageTaker = (sessionId: string) => ((message: PassedMessage) => Promise<MessageReply>) | undefined;

/** Carries the events of sessions to those who follow them. One contract suite runs over every implementation. */
export interface EventBus {
  publish(sessionId: string, event: SessionEvent): void;
  /** Gives each event from the moment of `unfinished` on. What was stored before is in the log. */
  follow(sessionId: string, follower: Follower): Promise<Following>;
  /** The log of a session has changed otherwise than by an event: it was removed. Those who follow it read it again. */
  reread(sessionId: string): void;
  /** Asks the processes that hear of this bus to stop the turn of a session; false where no other one could hear it. */
  cancel(sessionId: string): boolean;
  /** Calls `stop` for each session whose turn another process wants to be stopped. */
  onCancel(stop: (sessionId: string) => void): void;
  /** Gives a message to the process that runs the turn of a session; resolves to what that one answers, to nothing where none has taken it. */
  send(sessionId: string, message: PassedMessage): Promise<MessageReply | undefined>;
  /** Asks `take` for each session that another process has messages for. */
  onSend(take: MessageTaker): void;
  /** Ends all following, once what was published is on its way. */
  close(): Promise<void>;
}
