import type { UsageSum } from '../protocol/usage.ts';
import type { StoredBody, StoredEvent, TurnStatus } from '../protocol/events.ts';

/** The process that writes a session. */
export interface Owner {
  /** Tells runtimes within one process apart. */
  readonly instance: string;
  /** Identifies the machine, its boot and its process namespace; process ids mean something only within one. */
  readonly machine: string;
  readonly pid: number;
  /** Tells a process from a later one with the same id. */
  readonly started: string;
  /** Its turns go on by themselves when another one takes its place; see `TurnQueue`. */
  readonly service?: true;
}

/** The right to append to a session. Whoever acquires it next gets a higher epoch and ends this one. */
export interface Lease {
  readonly session_id: string;
  readonly epoch: number;
}

/** What a session is doing, or was doing when its writer died (`interrupted`). */
export type SessionStatus = 'idle' | 'running' | 'interrupted' | TurnStatus;

/** A session as listings show it. Times are ISO 8601, UTC. */
export interface SessionSummary {
  readonly session_id: string;
  readonly title: string;
  readonly cwd: string;
  readonly model: string;
  readonly status: SessionStatus;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_seq: number;
  readonly parent_id?: string;
  /** Set for that of a sub-agent, which `parent_id` has started for this task, or which no session has started (the skill agent); a fork has none. */
  readonly task_id?: string;
}

/** Which sessions a listing wants, newest first; those of sub-agents only with `agents`. */
export interface SessionQuery {
  readonly status?: SessionStatus;
  /** Stands in the title or the folder, in whatever case of the letters a to z, or is the beginning of the id. */
  readonly text?: string;
  readonly agents?: boolean;
  /** Those that work for this task. */
  readonly task?: string;
  readonly cwd?: string;
  readonly limit: number;
  readonly offset?: number;
}

/**
 * The log of all sessions. One contract suite runs over every implementation.
 * Errors are `SkillmintError`: session_not_found, session_busy, session_fenced, store_unavailable, store_full.
 */
export interface SessionStore {
  /** A lease that was not renewed for so many ms may be taken by another process. */
  readonly leaseMs: number;
  /** Makes an empty session and takes its lease. */
  create(session: { readonly session_id: string; readonly cwd: string; readonly model: string; readonly parent_id?: string; readonly task_id?: string }, owner: Owner): Promise<Lease>;
  /** Takes the lease of a session whose owner is gone or silent for longer than the lease holds; refuses with session_busy otherwise. */
  acquire(sessionId: string, owner: Owner): Promise<Lease>;
  /** Prolongs a lease; refuses with session_fenced when another has taken it. */
  renew(lease: Lease): Promise<void>;
  /** Gives the lease back; nothing happens when another has it. */
  release(lease: Lease): Promise<void>;
  /**
   * Appends events in one transaction and numbers them. What it returned survives the death of every process;
   * with `durable` also a power cut. Refuses with session_fenced when the lease is stale.
   */
  append(lease: Lease, events: readonly NewEvent[], options?: { readonly durable?: boolean }): Promise<readonly StoredEvent[]>;
  /** Events with a number above `after`, in order. */
  read(sessionId: string, after?: number): AsyncIterable<StoredEvent>;
  get(sessionId: string): Promise<SessionSummary | undefined>;
  list(query: SessionQuery): Promise<readonly SessionSummary[]>;
  /**
   * Sessions whose turn runs for a service that is gone. Not among them are sub-agents whose session is, which goes on with
   * them, and agents that no session has started: their caller is gone, and nobody would get their result.
   */
  left(): Promise<readonly string[]>;
  /** Copies the events up to `atSeq` (from 1; all when left out) into a new session and takes its lease; `at_seq` is the last one copied. */
  fork(sessionId: string, options: { readonly session_id: string; readonly atSeq?: number }, owner: Owner): Promise<{ readonly lease: Lease; readonly at_seq: number }>;
  /** Removes sessions, all of them or none. Refuses with session_busy while one of them is in use. */
  remove(sessionIds: readonly string[]): Promise<void>;
  /** Allow rules that answers with scope `always` stored for a folder. */
  rules(cwd: string): Promise<readonly string[]>;
  addRules(cwd: string, rules: readonly string[]): Promise<void>;
  /** What turns took, by day. Removed sessions are counted, too. */
  usage(query: UsageQuery): Promise<UsageReport>;
  close(): Promise<void>;
}

/** Days, as `2026-01-31` (UTC), both counted; all when left out. */
export interface UsageQuery {
  readonly from?: string;
  readonly to?: string;
}

/** Sums, in the order of days. A turn counts for each skill that was loaded in it. */
export interface UsageReport {
  /** Over all models; a turn that used two counts once. The name is empty. */
  readonly days: readonly UsageSum[];
  readonly models: readonly UsageSum[];
  readonly skills: readonly UsageSum[];
}

/** An event before it has a number. */
export interface NewEvent {
  readonly body: StoredBody;
  readonly time: string;
  readonly agent_id?: string;
}
