import type { SessionEvent, StoredEvent } from '../protocol/events.ts';
import type { Queries } from '../store/postgres/postgres.ts';
import { eventOf as storedEvent } from './postgres-events.ts';

/** Events of sub-agents are for those who follow at the moment; this long, ms. */
const PASSING_MS = 30_000;

/** The channel of PostgreSQL that tells which sessions have changed. */
export const CHANNEL = 'skillmint_sessions';

/** Before a session in a message: its log has to be read again. */
export const REREAD = '!';

/** What stands before a session in a message: somebody has a request for its turn. Before an id: that request was answered. Alone: the schema was raised. */
export const SIGNS = { request: '>', reply: '<', schema: '#' } as const;

/** What processes call to each other. */
export type Sign = keyof typeof SIGNS;

/** A session among those of all tenants. */
export interface SessionKey {
  readonly tenant: string;
  readonly sessionId: string;
}

/** Tells all processes that the schema was raised, once what raises it is committed. */
export async function callSchema(db: Queries): Promise<void> {
  await db.query('SELECT pg_notify($1, $2)', [CHANNEL, `\n${SIGNS.schema}`]);
}

/** A session in a message. */
export function keyOf({ tenant, sessionId }: SessionKey): string {
  return `${encodeURIComponent(tenant)}/${sessionId}`;
}

/** What is being said in a session and not stored yet. */
export interface DeltaRow extends SessionKey {
  /** The runtime that says it; it counts only while that one holds the session. */
  readonly instance: string;
  /** Number of the last stored event before it. */
  readonly afterSeq: number;
  /** Of the call whose output it is. */
  readonly callId: string | null;
  /** It is no part of what one who comes later begins with. */
  readonly passing: boolean;
  readonly event: SessionEvent;
}

/** What a stored event has made needless: everything said, the speech of the model, or the output of a call. */
export interface Finished extends SessionKey {
  readonly what: 'everything' | 'speech' | { readonly call: string };
}

/** What was said elsewhere, in order. */
export interface HeardDelta extends SessionKey {
  readonly instance: string;
  readonly no: number;
  readonly afterSeq: number;
  readonly event: SessionEvent;
}

/** Takes away what is stored by now, and adds what was said since. */
export async function writeDeltas(db: Queries, rows: readonly DeltaRow[], finished: readonly Finished[]): Promise<void> {
  if (finished.length > 0) {
    await db.query(
      `DELETE FROM skillmint.deltas d USING unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS f (tenant, session_id, what, call)
       WHERE d.tenant = f.tenant AND d.session_id = f.session_id AND NOT d.passing AND (f.what = 'everything' OR (f.what = 'speech' AND d.call_id IS NULL) OR d.call_id = f.call)`,
      [finished.map(({ tenant }) => tenant), finished.map(({ sessionId }) => sessionId), finished.map(({ what }) => (typeof what === 'string' ? what : 'call')), finished.map(({ what }) => (typeof what === 'string' ? null : what.call))],
    );
  }
  if (rows.length === 0) return;
  // A worker that was taken over adds nothing any more.
  await db.query(
    `INSERT INTO skillmint.deltas (tenant, session_id, instance, after_seq, call_id, passing, event)
     SELECT g.tenant, g.session_id, g.instance, g.after_seq, g.call_id, g.passing, g.event
     FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::text[], $6::boolean[], $7::text[]) WITH ORDINALITY AS g (tenant, session_id, instance, after_seq, call_id, passing, event, nth)
     JOIN skillmint.sessions s ON s.tenant = g.tenant AND s.session_id = g.session_id AND s.owner_instance = g.instance
     ORDER BY g.nth`,
    [rows.map(({ tenant }) => tenant), rows.map(({ sessionId }) => sessionId), rows.map(({ instance }) => instance), rows.map(({ afterSeq }) => afterSeq), rows.map(({ callId }) => callId), rows.map(({ passing }) => String(passing)), rows.map(({ event }) => JSON.stringify(event))],
  );
}

/** Takes away what nobody can want any more. */
export async function dropPassed(db: Queries): Promise<void> {
  await db.query('DELETE FROM skillmint.deltas WHERE passing AND at < clock_timestamp() - $1 * interval \'1 ms\'', [PASSING_MS]);
}

/** What was said in sessions after the numbers that are known of each. */
export async function readDeltas(db: Queries, known: readonly (SessionKey & { readonly no: number })[]): Promise<readonly HeardDelta[]> {
  const { rows } = await db.query(
    `SELECT d.tenant, d.session_id, d.instance, d.no, d.after_seq, d.event FROM unnest($1::text[], $2::text[], $3::bigint[]) AS k (tenant, session_id, no)
     JOIN skillmint.deltas d ON d.tenant = k.tenant AND d.session_id = k.session_id AND d.no > k.no ORDER BY d.no`,
    [known.map(({ tenant }) => tenant), known.map(({ sessionId }) => sessionId), known.map(({ no }) => no)],
  );
  return rows.map((row) => ({ tenant: String(row['tenant']), sessionId: String(row['session_id']), instance: String(row['instance']), no: Number(row['no']), afterSeq: Number(row['after_seq']), event: eventOf(String(row['event'])) }));
}

/**
 * What one who comes in the middle begins with, of what others say than this runtime: deltas, and the stored events after them,
 * which may have finished them by now.
 */
export async function readSaid(db: Queries, { tenant, sessionId, instance }: SessionKey & { readonly instance: string }): Promise<{ readonly seq: number; readonly no: number; readonly said: readonly SessionEvent[] }> {
  const { rows } = await db.query('SELECT no, after_seq, instance, event, passing FROM skillmint.deltas WHERE tenant = $1 AND session_id = $2 ORDER BY no', [tenant, sessionId]);
  const others = rows.filter((row) => row['passing'] !== true && row['instance'] !== instance);
  const { rows: [session] } = await db.query('SELECT last_seq FROM skillmint.sessions WHERE tenant = $1 AND session_id = $2', [tenant, sessionId]);
  const seq = Number(session?.['last_seq'] ?? 0);
  const from = Math.min(seq, ...others.map((row) => Number(row['after_seq'])));
  const stored = from === seq ? [] : (await db.query('SELECT seq, event FROM skillmint.events WHERE tenant = $1 AND session_id = $2 AND seq > $3 AND seq <= $4 ORDER BY seq', [tenant, sessionId, from, seq])).rows.map((row) => storedEvent(sessionId, row));
  const deltas = others.map((row) => ({ afterSeq: Number(row['after_seq']), event: eventOf(String(row['event'])) }));
  return { seq, no: Math.max(0, ...rows.map((row) => Number(row['no']))), said: inOrder(stored, deltas).map((one) => ('afterSeq' in one ? one.event : one)) };
}

/** Stored events and what was said after them. */
export function inOrder<T extends { readonly afterSeq: number }>(events: readonly StoredEvent[], deltas: readonly T[]): readonly (StoredEvent | T)[] {
  const all: (StoredEvent | T)[] = [];
  const rest = [...events];
  for (const delta of deltas) {
    while (rest[0] && rest[0].seq <= delta.afterSeq) all.push(...rest.splice(0, 1));
    all.push(delta);
  }
  return [...all, ...rest];
}

function eventOf(text: string): SessionEvent {
  // The text was written by `writeDeltas` from a SessionEvent.
  return JSON.parse(text) as SessionEvent;
}
