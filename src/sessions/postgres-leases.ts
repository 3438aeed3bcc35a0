import { SkillmintError } from '../protocol/errors.ts';
import type { Queries } from '../store/postgres/postgres.ts';
import { whileDown } from '../store/postgres/while-down.ts';
import { ownerOf } from './owner-row.ts';
import { eventOf } from './postgres-events.ts';
import type { PostgresLogParts } from './postgres-log.ts';
import { fenced, noSession, summarise, type SessionRow } from './session-rows.ts';
import type { Lease, Owner, SessionStore } from './store.ts';

/** A worker that was silent for so many ms has lost its sessions, by the clock of the database. */
export const LEASE_MS = 12_000;
const NEW_LEASE = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;
const NOW = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** True in SQL while the lease of a row holds. */
export const LIVE = '(owner_pid IS NOT NULL AND lease_until > clock_timestamp())';

/** What says that a lease is prolonged, in SQL. */
export const PROLONGED = `lease_until = ${NEW_LEASE}`;

/** Last numbers of sessions by lease, as far as they are known. */
export type Tails = Map<string, number>;

/** The key of a lease among the tails. */
export function tailKey({ session_id, epoch }: Lease): string {
  return `${session_id}:${epoch}`;
}

/** Taking, prolonging and giving back of sessions. */
export function postgresLeases(parts: PostgresLogParts, tails: Tails): Pick<SessionStore, 'leaseMs' | 'create' | 'acquire' | 'renew' | 'release' | 'fork'> {
  const { db, tenant } = parts;
  const remember = (lease: Lease, seq: number): Lease => {
    tails.set(tailKey(lease), seq);
    return lease;
  };
  return {
    leaseMs: LEASE_MS,
    async create(session, owner) {
      await insertSession(db, { tenant, session, owner });
      return remember({ session_id: session.session_id, epoch: 1 }, 0);
    },
    async acquire(sessionId, owner) {
      const { lease, seq } = await takeLease(parts, sessionId, owner);
      return remember(lease, seq);
    },
    async renew(lease) {
      const { count } = await db.query(`UPDATE skillmint.sessions SET ${PROLONGED} WHERE tenant = $1 AND session_id = $2 AND epoch = $3`, [tenant, lease.session_id, lease.epoch]);
      if (count === 0) throw fenced(lease);
    },
    async release(lease) {
      tails.delete(tailKey(lease));
      await whileDown({ forMs: parts.patienceMs ?? 0, sleep: parts.sleep }, () => db.query('UPDATE skillmint.sessions SET owner_instance = NULL, owner_machine = NULL, owner_pid = NULL, owner_started = NULL, lease_until = NULL WHERE tenant = $1 AND session_id = $2 AND epoch = $3', [tenant, lease.session_id, lease.epoch]));
    },
    async fork(sessionId, target, owner) {
      const at_seq = await db.transaction((queries) => copySession(queries, { tenant, sessionId, target, owner }));
      return { lease: remember({ session_id: target.session_id, epoch: 1 }, at_seq), at_seq };
    },
  };
}

/** Takes the session in one statement, so that of any number of workers one gets it. */
async function takeLease({ db, tenant, isAlive }: PostgresLogParts, sessionId: string, owner: Owner): Promise<{ readonly lease: Lease; readonly seq: number }> {
  const take = async (deadEpoch: number): Promise<SessionRow | undefined> => {
    const { rows: [row] } = await db.query(`
      WITH taken AS (
        UPDATE skillmint.sessions SET epoch = epoch + 1, owner_instance = $3, owner_machine = $4, owner_pid = $5, owner_started = $6, service = $7, ${PROLONGED}
        WHERE tenant = $1 AND session_id = $2 AND (NOT ${LIVE} OR epoch = $8 OR (owner_instance = $3 AND owner_machine = $4 AND owner_pid = $5 AND owner_started = $6))
        RETURNING epoch, last_seq
      ), said AS (DELETE FROM skillmint.deltas WHERE tenant = $1 AND session_id = $2 AND EXISTS (SELECT FROM taken))
      SELECT epoch, last_seq FROM taken`, [tenant, sessionId, owner.instance, owner.machine, owner.pid, owner.started, owner.service === true, deadEpoch]);
    return row;
  };
  let deadEpoch = -1;
  for (;;) {
    const taken = await take(deadEpoch);
    if (taken) return { lease: { session_id: sessionId, epoch: Number(taken['epoch']) }, seq: Number(taken['last_seq']) };
    const { rows: [row] } = await db.query('SELECT * FROM skillmint.sessions WHERE tenant = $1 AND session_id = $2', [tenant, sessionId]);
    if (!row) throw noSession(sessionId);
    const holder = ownerOf(row);
    if (holder && isAlive(holder)) throw new SkillmintError('session_busy', `Session ${sessionId} is in use by process ${holder.pid}. Wait until its turn has ended, or stop that process.`);
    deadEpoch = Number(row['epoch']);
  }
}

interface NewSession {
  readonly tenant: string;
  readonly session: Parameters<SessionStore['create']>[0];
  readonly owner: Owner;
}

async function insertSession(db: Queries, { tenant, session, owner }: NewSession): Promise<void> {
  await db.query(
    `INSERT INTO skillmint.sessions (tenant, session_id, cwd, model, parent_id, task_id, epoch, owner_instance, owner_machine, owner_pid, owner_started, service, created_at, updated_at, lease_until)
     VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10, $11, ${NOW}, ${NOW}, ${NEW_LEASE})`,
    [tenant, session.session_id, session.cwd, session.model, session.parent_id ?? null, session.task_id ?? null, owner.instance, owner.machine, owner.pid, owner.started, owner.service === true],
  );
}

interface Copy {
  readonly tenant: string;
  readonly sessionId: string;
  readonly target: Parameters<SessionStore['fork']>[1];
  readonly owner: Owner;
}

async function copySession(db: Queries, { tenant, sessionId, target, owner }: Copy): Promise<number> {
  const { rows: [row] } = await db.query('SELECT cwd, model, last_seq FROM skillmint.sessions WHERE tenant = $1 AND session_id = $2 FOR SHARE', [tenant, sessionId]);
  if (!row) throw noSession(sessionId);
  const at_seq = Math.min(target.atSeq ?? Number.POSITIVE_INFINITY, Number(row['last_seq']));
  if (at_seq < 1) throw new SkillmintError('invalid_argument', `Session ${sessionId} cannot be forked at ${at_seq}: events are numbered from 1.`);
  const model = String(row['model']);
  await insertSession(db, { tenant, session: { session_id: target.session_id, cwd: String(row['cwd']), model, parent_id: sessionId }, owner });
  const { rows } = await db.query('INSERT INTO skillmint.events (tenant, session_id, seq, event) SELECT tenant, $3, seq, event FROM skillmint.events WHERE tenant = $1 AND session_id = $2 AND seq <= $4 ORDER BY seq RETURNING seq, event', [tenant, sessionId, target.session_id, at_seq]);
  const events = rows.map((copied) => eventOf(target.session_id, copied)).toSorted((a, b) => a.seq - b.seq);
  const summary = summarise({ status: 'idle', title: '', model }, events);
  const turnSeq = events.findLast((event) => event.type === 'turn.started' && !event.is_sub_agent)?.seq ?? 0;
  await db.query('UPDATE skillmint.sessions SET title = $3, status = $4, last_seq = $5, turn_seq = $6 WHERE tenant = $1 AND session_id = $2', [tenant, target.session_id, summary.title, summary.status, at_seq, turnSeq]);
  return at_seq;
}
