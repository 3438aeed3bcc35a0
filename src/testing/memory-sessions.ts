import { SkillmintError } from '../protocol/errors.ts';
import type { StoredEvent } from '../protocol/events.ts';
import { isSame, LEASE_MS, type OwnerChecks } from '../sessions/owner-row.ts';
import { fenced, goingOn, noSession, numbered, rowSummary, summarise } from '../sessions/session-rows.ts';
import type { Lease, Owner, SessionQuery, SessionStore, SessionSummary } from '../sessions/store.ts';
import { memoryUsage, type MemoryUsage } from './memory-usage.ts';

interface MemorySession {
  readonly session_id: string;
  readonly cwd: string;
  readonly parent_id: string | null;
  readonly task_id: string | null;
  readonly created_at: string;
  readonly events: StoredEvent[];
  updated_at: string;
  title: string;
  status: string;
  model: string;
  epoch: number;
  service: boolean;
  held: { readonly owner: Owner; until: number } | undefined;
}

/** What stores in memory keep; one that is given to several is shared by them. */
export interface SessionMemory {
  readonly sessions: Map<string, MemorySession>;
  readonly rules: Map<string, Set<string>>;
  readonly usage: MemoryUsage;
}

/** Makes an empty memory. */
export function sessionMemory(): SessionMemory {
  return { sessions: new Map(), rules: new Map(), usage: memoryUsage() };
}

/** How a store in memory is made: time (ms since 1970), which owners live, and what it shares with other stores. */
export interface MemorySessionsOptions extends Partial<OwnerChecks> {
  readonly memory?: SessionMemory;
}

/** Sessions in memory: for tests, and to begin a store of your own with. `close` keeps what was stored. */
export function memorySessions({ memory = sessionMemory(), now = Date.now, isAlive = () => true }: MemorySessionsOptions = {}): SessionStore {
  const parts: Parts = { memory, now, isAlive };
  return {
    ...leaseOperations(parts),
    ...eventOperations(parts),
    ...listOperations(parts),
    leaseMs: LEASE_MS,
    rules: async (cwd) => [...(memory.rules.get(cwd) ?? [])].toSorted(),
    async addRules(cwd, rules) {
      memory.rules.set(cwd, new Set([...(memory.rules.get(cwd) ?? []), ...rules]));
    },
    usage: async (query) => memory.usage.report(query),
    close: async () => undefined,
  };
}

interface Parts extends OwnerChecks {
  readonly memory: SessionMemory;
}

function leaseOperations(parts: Parts): Pick<SessionStore, 'create' | 'acquire' | 'renew' | 'release' | 'fork'> {
  const { memory, now } = parts;
  return {
    async create(session, owner) {
      insert(parts, session);
      return takeLease(parts, session.session_id, owner);
    },
    acquire: async (sessionId, owner) => takeLease(parts, sessionId, owner),
    async renew(lease) {
      const { held } = ofLease(parts, lease);
      if (held) held.until = now() + LEASE_MS;
    },
    async release({ session_id, epoch }) {
      const session = memory.sessions.get(session_id);
      if (session?.epoch === epoch) session.held = undefined;
    },
    async fork(sessionId, { session_id, atSeq }, owner) {
      const parent = sessionOf(parts, sessionId);
      const at_seq = Math.min(atSeq ?? Number.POSITIVE_INFINITY, parent.events.length);
      if (at_seq < 1) throw new SkillmintError('invalid_argument', `Session ${sessionId} cannot be forked at ${at_seq}: events are numbered from 1.`);
      const events = parent.events.slice(0, at_seq).map((event) => ({ ...event, session_id }));
      const copy = insert(parts, { session_id, cwd: parent.cwd, model: parent.model, parent_id: sessionId });
      copy.events.push(...events);
      const { title, status } = summarise({ title: '', status: 'idle', model: parent.model }, events);
      Object.assign(copy, { title, status });
      return { lease: takeLease(parts, session_id, owner), at_seq };
    },
  };
}

function eventOperations(parts: Parts): Pick<SessionStore, 'append' | 'read'> {
  return {
    async append(lease, events) {
      const session = ofLease(parts, lease);
      // What the caller changes later changes nothing here.
      const stored: readonly StoredEvent[] = JSON.parse(JSON.stringify(numbered(lease.session_id, session.events.length, events)));
      const { model } = session;
      session.events.push(...stored);
      for (const event of stored) if (event.type === 'turn.completed' && !event.is_sub_agent) parts.memory.usage.note(turnEvents(session.events, event), model);
      Object.assign(session, summarise(session, stored), { updated_at: stored.at(-1)?.time ?? timeOf(parts) });
      if (session.held) session.held.until = parts.now() + LEASE_MS;
      return stored;
    },
    async *read(sessionId, after = 0) {
      const { events } = sessionOf(parts, sessionId);
      for (let at = after; at < events.length; at++) {
        const event = events[at];
        if (event) yield event;
      }
    },
  };
}

function listOperations(parts: Parts): Pick<SessionStore, 'get' | 'list' | 'left' | 'remove'> {
  const { sessions } = parts.memory;
  return {
    async get(sessionId) {
      const session = sessions.get(sessionId);
      return session && summaryOf(parts, session);
    },
    async list(query) {
      const { limit, offset = 0 } = query;
      const newestFirst = (a: SessionSummary, b: SessionSummary): number => compare(b.updated_at, a.updated_at) || compare(b.session_id, a.session_id);
      return [...sessions.values()].map((session) => summaryOf(parts, session)).filter((session) => isWanted(session, query)).toSorted(newestFirst).slice(offset, offset + limit);
    },
    async left() {
      const left = [...sessions.values()].filter((session) => session.status === 'running' && session.service && !holder(parts, session));
      return goingOn(left.toSorted((a, b) => compare(a.updated_at, b.updated_at)).map(({ session_id, task_id, parent_id }) => ({ session_id, task_id, parent_id }))).map(({ session_id }) => session_id);
    },
    async remove(sessionIds) {
      for (const id of sessionIds) {
        const owner = holder(parts, sessionOf(parts, id));
        if (owner) throw new SkillmintError('session_busy', `Session ${id} is in use by process ${owner.pid}. Stop it before you remove the session.`);
      }
      for (const id of sessionIds) sessions.delete(id);
    },
  };
}

function isWanted(session: SessionSummary, { cwd, status, task, agents = false, text = '' }: SessionQuery): boolean {
  if (cwd !== undefined && session.cwd !== cwd) return false;
  if (status !== undefined && session.status !== status) return false;
  if (task === undefined ? !agents && session.task_id !== undefined : session.task_id !== task) return false;
  const wanted = text.toLowerCase();
  return session.title.toLowerCase().includes(wanted) || session.cwd.toLowerCase().includes(wanted) || session.session_id.startsWith(text);
}

/** The events of the turn that ends with this one. */
function turnEvents(events: readonly StoredEvent[], last: StoredEvent): readonly StoredEvent[] {
  const before = events.slice(0, last.seq);
  return before.slice(before.findLastIndex((event) => event.type === 'turn.started' && !event.is_sub_agent));
}

function insert(parts: Parts, { session_id, cwd, model, parent_id = null, task_id = null }: { readonly session_id: string; readonly cwd: string; readonly model: string; readonly parent_id?: string | null; readonly task_id?: string | null }): MemorySession {
  if (parts.memory.sessions.has(session_id)) throw new SkillmintError('store_corrupt', `There is a session ${session_id} already.`);
  const time = timeOf(parts);
  const session: MemorySession = { session_id, cwd, model, parent_id, task_id, created_at: time, updated_at: time, events: [], title: '', status: 'idle', epoch: 0, service: false, held: undefined };
  parts.memory.sessions.set(session_id, session);
  return session;
}

function takeLease(parts: Parts, sessionId: string, owner: Owner): Lease {
  const session = sessionOf(parts, sessionId);
  const other = holder(parts, session);
  if (other && !isSame(other, owner)) throw new SkillmintError('session_busy', `Session ${sessionId} is in use by process ${other.pid}. Wait until its turn has ended, or stop that process.`);
  session.epoch += 1;
  session.service = owner.service === true;
  session.held = { owner, until: parts.now() + LEASE_MS };
  return { session_id: sessionId, epoch: session.epoch };
}

function holder({ now, isAlive }: Parts, { held }: MemorySession): Owner | undefined {
  return held && held.until > now() && isAlive(held.owner) ? held.owner : undefined;
}

function ofLease({ memory }: Parts, lease: Lease): MemorySession {
  const session = memory.sessions.get(lease.session_id);
  if (session?.epoch !== lease.epoch) throw fenced(lease);
  return session;
}

function sessionOf({ memory }: Parts, sessionId: string): MemorySession {
  const session = memory.sessions.get(sessionId);
  if (!session) throw noSession(sessionId);
  return session;
}

function summaryOf(parts: Parts, session: MemorySession): SessionSummary {
  const { session_id, title, cwd, model, status, created_at, updated_at, parent_id, task_id, events } = session;
  return rowSummary({ session_id, title, cwd, model, status, created_at, updated_at, parent_id, task_id, last_seq: events.length }, holder(parts, session) !== undefined);
}

function timeOf({ now }: Parts): string {
  return new Date(now()).toISOString();
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
