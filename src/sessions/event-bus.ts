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
  readonly kind: 'message';
  readonly text: string;
  readonly attachments: readonly UserPart[];
  readonly key: string;
}

/** What the process that runs a turn is asked for: to take a message in, or to stop the turn. */
export type TurnRequest = PassedMessage | { readonly kind: 'stop' };

/** The turn has the message, and it is stored; a hook has refused it, for a reason; the turn has ended, and it is to be tried again; or the turn was told to stop. */
export type TurnReply = { readonly kind: 'taken'; readonly turn_id: string } | { readonly kind: 'refused'; readonly reason: string } | { readonly kind: 'again' } | { readonly kind: 'stopped' };

/** Gives what answers requests to a session whose turn runs here; nothing for others. */
export type TurnRequestTaker = (sessionId: string) => ((request: TurnRequest) => Promise<TurnReply>) | undefined;

/** Carries the events of sessions to those who follow them. One contract suite runs over every implementation. */
export interface EventBus {
  publish(sessionId: string, event: SessionEvent): void;
  /** Gives each event from the moment of `unfinished` on. What was stored before is in the log. */
  follow(sessionId: string, follower: Follower): Promise<Following>;
  /** The log of a session has changed otherwise than by an event: it was removed. Those who follow it read it again. */
  reread(sessionId: string): void;
  /** Asks the process that runs the turn of a session for something; resolves to what that one answers, to nothing where none has taken the request. */
  send(sessionId: string, request: TurnRequest): Promise<TurnReply | undefined>;
  /** Asks `take` for each session that another process has a request for. */
  onSend(take: TurnRequestTaker): void;
  /** Ends all following, once what was published is on its way. */
  close(): Promise<void>;
}
