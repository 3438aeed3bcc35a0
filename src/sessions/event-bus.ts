import type { SessionEvent } from '../protocol/events.ts';

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
  readonly end: () => void;
}

/** Carries the events of sessions to those who follow them. One contract suite runs over every implementation. */
export interface EventBus {
  publish(sessionId: string, event: SessionEvent): void;
  /** Gives each event from the moment of `unfinished` on. What was stored before is in the log. */
  follow(sessionId: string, follower: Follower): Promise<Following>;
  /** The log of a session has changed otherwise than by an event: it was removed. Those who follow it read it again. */
  reread(sessionId: string): void;
  /** Ends all following, once what was published is on its way. */
  close(): Promise<void>;
}
