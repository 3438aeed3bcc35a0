import { SkillmintError } from '../protocol/errors.ts';
import type { StoredEvent } from '../protocol/events.ts';
import type { Database, Row } from '../store/database.ts';
import { isSame, LEASE_MS, liveOwner, type OwnerChecks } from './owner-row.ts';
import { fenced, goingOn, noSession, numbered, rowSummary, summarise } from './session-rows.ts';
import { noteUsage, readUsage } from './sqlite-usage.ts';
import { dependsOnWriter, wantedRows } from './wanted-sessions.ts';
import type { Lease, NewEvent, Owner, SessionQuery, SessionStore, SessionSummary } from './store.ts';

const PAGE = 500;

/** The session log in SQLite. Any number of processes may open one file. */
export function sqliteSessions(db: Database, options: OwnerChecks): SessionStore {
  const log = { db, ...options };
  return {
    ...leaseOperations(log),
    ...eventOperations(log),
    ...listOperations(log),
    ...ruleOperations(log),
    leaseMs: LEASE_MS,
    usage: async (query) => readUsage(db, query),
    close: async () => db.close(),
  };
}

/** The database with the store's clock. */
interface Log extends OwnerChecks {
  readonly db: Database;
}

function leaseOperations(log: Log): Pick<SessionStore, 'create' | 'acquire' | 'renew' | 'release' | 'fork'> {
  const { db, now } = log;
  return {
    create: async (session, owner) => db.transaction(() => {
      insertSession(log, session);
      return takeLease(log, session.session_id, owner);
    }),
    acquire: async (sessionId, owner) => db.transaction(() => takeLease(log, sessionId, owner)),
    async renew(lease) {
      const { changes } = db.transaction(() => db.run('UPDATE sessions SET lease_until = ? WHERE session_id = ? AND epoch = ?', [now() + LEASE_MS, lease.session_id, lease.epoch]));
      if (changes === 0) throw fenced(lease);
    },
    async release(lease) {
      db.transaction(() => db.run('UPDATE sessions SET owner_instance = NULL, owner_machine = NULL, owner_pid = NULL, owner_started = NULL, lease_until = NULL WHERE session_id = ? AND epoch = ?', [lease.session_id, lease.epoch]));
    },
    fork: async (sessionId, target, owner) => db.transaction(() => {
      const row = requireSession(log, sessionId);
      const at_seq = Math.min(target.atSeq ?? Number.POSITIVE_INFINITY, Number(row['last_seq']));
      if (at_seq < 1) throw new SkillmintError('invalid_argument', `Session ${sessionId} cannot be forked at ${at_seq}: events are numbered from 1.`);
      insertSession(log, { session_id: target.session_id, cwd: String(row['cwd']), model: String(row['model']), parent_id: sessionId });
      db.run("INSERT INTO events (session_id, seq, event) SELECT ?, seq, json_set(event, '$.session_id', ?) FROM events WHERE session_id = ? AND seq <= ?", [target.session_id, target.session_id, sessionId, at_seq]);
      const events = db.all('SELECT seq, event FROM events WHERE session_id = ? ORDER BY seq', [target.session_id]).map((copied) => parseEvent(target.session_id, copied));
      const summary = summarise({ status: 'idle', title: '', model: String(row['model']) }, events);
      const turnSeq = events.findLast((event) => event.type === 'turn.started' && !event.is_sub_agent)?.seq ?? 0;
      db.run('UPDATE sessions SET title = ?, status = ?, last_seq = ?, turn_seq = ? WHERE session_id = ?', [summary.title, summary.status, at_seq, turnSeq, target.session_id]);
      return { lease: takeLease(log, target.session_id, owner), at_seq };
    }),
  };
}

function eventOperations(log: Log): Pick<SessionStore, 'append' | 'read'> {
  const { db } = log;
  return {
    append: async (lease, events, options = {}) => db.transaction(() => appendEvents(log, lease, events), options),
    async *read(sessionId, after = 0) {
      requireSession(log, sessionId);
      for (let from = after; ; ) {
        const page = db.all('SELECT seq, event FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?', [sessionId, from, PAGE]);
        for (const row of page) yield parseEvent(sessionId, row);
        if (page.length < PAGE) return;
        from = Number(page.at(-1)?.['seq']);
      }
    },
  };
}

function listOperations(log: Log): Pick<SessionStore, 'get' | 'list' | 'left' | 'remove'> {
  const { db } = log;
  return {
    async get(sessionId) {
      const row = db.get('SELECT * FROM sessions WHERE session_id = ?', [sessionId]);
      return row ? toSummary(log, row) : undefined;
    },
    async list(query: SessionQuery) {
      const { limit, offset = 0, status } = query;
      const { condition, values } = wantedRows(query, { value: () => '?', type: '', like: 'LIKE' });
      const ordered = `SELECT * FROM sessions ${condition} ORDER BY updated_at DESC, session_id DESC`;
      if (!dependsOnWriter(query)) return db.all(`${ordered} LIMIT ? OFFSET ?`, [...values, limit, offset]).map((row) => toSummary(log, row));
      return db.all(ordered, values).map((row) => toSummary(log, row)).filter((session) => session.status === status).slice(offset, offset + limit);
    },
    left: async () => goingOn(db.all("SELECT * FROM sessions WHERE status = 'running' AND service = 1 ORDER BY updated_at").filter((row) => liveOwner(log, row) === undefined)).map((row) => String(row['session_id'])),
    async remove(sessionIds) {
      db.transaction(() => {
        for (const sessionId of sessionIds) {
          const holder = liveOwner(log, requireSession(log, sessionId));
          if (holder) throw new SkillmintError('session_busy', `Session ${sessionId} is in use by process ${holder.pid}. Stop it before you remove the session.`);
          db.run('DELETE FROM sessions WHERE session_id = ?', [sessionId]);
        }
      }, { durable: true });
    },
  };
}

function ruleOperations({ db }: Log): Pick<SessionStore, 'rules' | 'addRules'> {
  return {
    rules: async (cwd) => db.all('SELECT rule FROM permission_rules WHERE cwd = ? ORDER BY rule', [cwd]).map((row) => String(row['rule'])),
    async addRules(cwd, rules) {
      db.transaction(() => {
        for (const rule of rules) db.run('INSERT OR IGNORE INTO permission_rules (cwd, rule) VALUES (?, ?)', [cwd, rule]);
      }, { durable: true });
    },
  };
}

function timeOf({ now }: Log): string {
  return new Date(now()).toISOString();
}

function requireSession({ db }: Log, sessionId: string): Row {
  const row = db.get('SELECT * FROM sessions WHERE session_id = ?', [sessionId]);
  if (!row) throw noSession(sessionId);
  return row;
}

function takeLease(log: Log, sessionId: string, owner: Owner): Lease {
  const { db, now } = log;
  const row = requireSession(log, sessionId);
  const holder = liveOwner(log, row);
  if (holder && !isSame(holder, owner)) {
    throw new SkillmintError('session_busy', `Session ${sessionId} is in use by process ${holder.pid}. Wait until its turn has ended, or stop that process.`);
  }
  const epoch = Number(row['epoch']) + 1;
  db.run('UPDATE sessions SET epoch = ?, owner_instance = ?, owner_machine = ?, owner_pid = ?, owner_started = ?, lease_until = ?, service = ? WHERE session_id = ?', [epoch, owner.instance, owner.machine, owner.pid, owner.started, now() + LEASE_MS, owner.service ? 1 : 0, sessionId]);
  return { session_id: sessionId, epoch };
}

function insertSession(log: Log, session: { readonly session_id: string; readonly cwd: string; readonly model: string; readonly parent_id?: string; readonly task_id?: string }): void {
  log.db.run('INSERT INTO sessions (session_id, cwd, model, parent_id, task_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)', [session.session_id, session.cwd, session.model, session.parent_id ?? null, session.task_id ?? null, timeOf(log), timeOf(log)]);
}

function appendEvents(log: Log, lease: Lease, events: readonly NewEvent[]): readonly StoredEvent[] {
  const { db } = log;
  const row = db.get('SELECT last_seq, turn_seq, status, title, model FROM sessions WHERE session_id = ? AND epoch = ?', [lease.session_id, lease.epoch]);
  if (!row) throw fenced(lease);
  const stored = numbered(lease.session_id, Number(row['last_seq']), events);
  const seq = stored.at(-1)?.seq ?? Number(row['last_seq']);
  for (const event of stored) db.run('INSERT INTO events (session_id, seq, event) VALUES (?, ?, ?)', [event.session_id, event.seq, JSON.stringify(event)]);
  let turnSeq = Number(row['turn_seq']);
  for (const event of stored) {
    if (event.type === 'turn.started' && !event.is_sub_agent) turnSeq = event.seq;
    if (event.type === 'turn.completed' && !event.is_sub_agent) noteUsage(db, { last: event, fromSeq: turnSeq, model: String(row['model']) });
  }
  const summary = summarise({ status: String(row['status']), title: String(row['title']), model: String(row['model']) }, stored);
  db.run('UPDATE sessions SET last_seq = ?, turn_seq = ?, status = ?, title = ?, model = ?, updated_at = ?, lease_until = ? WHERE session_id = ?', [seq, turnSeq, summary.status, summary.title, summary.model, stored.at(-1)?.time ?? timeOf(log), log.now() + LEASE_MS, lease.session_id]);
  return stored;
}

function toSummary(log: Log, row: Row): SessionSummary {
  return rowSummary(row, liveOwner(log, row) !== undefined);
}

function parseEvent(sessionId: string, row: Row): StoredEvent {
  try {
    // The text was written by `append` from a StoredEvent and lies in a transaction-safe store.
    return JSON.parse(String(row['event'])) as StoredEvent;
  } catch (error) {
    throw new SkillmintError('store_corrupt', `Event ${String(row['seq'])} of session ${sessionId} cannot be read. Restore skillmint.db from a backup, or remove the session: skillmint sessions remove ${sessionId}`, { cause: error });
  }
}
