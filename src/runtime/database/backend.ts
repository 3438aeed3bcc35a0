import type { EventBus } from '../../sessions/event-bus.ts';
import type { LeftSession } from '../../sessions/left-sessions.ts';
import type { Owner, SessionStore } from '../../sessions/store.ts';
import type { QueueWork, TurnOutcome, TurnQueue } from '../../sessions/turn-queue.ts';
import type { Postgres } from '../../store/postgres/postgres.ts';

/** Whose sessions are those of a runtime that works for one person, and whose files are those of a server itself. No user has this name: theirs begin with a letter. */
export const ONE_PERSON = '_server';

/** Which PostgreSQL database keeps the sessions of a runtime, and whose they are. */
export type DatabaseOptions =
  /** `postgres://USER:PASSWORD@HOST:5432/NAME`; opened for this runtime alone. */
  | { readonly url: string; readonly tenant?: string }
  /** Opened once for all runtimes of a process. */
  | { readonly shared: SharedDatabase; readonly tenant: string };

/** What keeps the sessions of a runtime, carries their events and queues their turns. */
export interface Backend {
  readonly store: SessionStore;
  readonly queue: TurnQueue;
  readonly bus: EventBus;
  /** Set where the files of the data folder are shared with other workers, too. */
  readonly files?: { readonly db: Postgres; readonly tenant: string };
  /** Closes what the backend has opened for itself; after bus and store. */
  close(): Promise<void>;
}

/** What a backend needs of its runtime. */
export interface BackendParts {
  /** ms since 1970. */
  readonly now: () => number;
  readonly isAlive: (owner: Owner) => boolean;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Tells this runtime from others; see `Owner`. */
  readonly instance: string;
}

/** How a server works for all who have sessions in a database. */
export interface WorkForAll extends Pick<QueueWork, 'signal' | 'parallel' | 'onHeld' | 'owner'>, Pick<BackendParts, 'isAlive' | 'now' | 'sleep'> {
  /** Goes on with a session of a user; calls `giveUp` for one that cannot go on here. */
  readonly turn: (session: LeftSession, giveUp: () => void) => Promise<TurnOutcome>;
}

/** A PostgreSQL database that all runtimes of a process share: one pool, one connection that listens, one queue. */
export interface SharedDatabase {
  readonly db: Postgres;
  /** Rejects where it does not answer, or its schema is that of a newer program. */
  reachable(): Promise<void>;
  /** What belongs to a tenant. */
  backend(tenant: string, parts: BackendParts): Backend;
  /** Goes on with what was left of anybody, until the signal aborts. */
  workForAll(options: WorkForAll): Promise<void>;
  close(): Promise<void>;
}
