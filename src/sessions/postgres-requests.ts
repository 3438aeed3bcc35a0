import { setTimeout as sleep } from 'node:timers/promises';
import { SkillmintError } from '../protocol/errors.ts';
import type { Postgres } from '../store/postgres/postgres.ts';
import type { DeltaHub } from './delta-hub.ts';
import { keyOf } from './delta-log.ts';
import type { EventBus, TurnReply, TurnRequest, TurnRequestTaker } from './event-bus.ts';
import { LIVE } from './postgres-leases.ts';

/** A process that runs the turn takes a request at once; one that none has taken is taken back after so long, ms. */
const TAKEN_MS = 1_500;
/** What hooks look at may take longer, ms. */
const ANSWERED_MS = 60_000;
/** A call that was lost shows after so long, ms. */
const LOOK_MS = 250;
/** Of whoever was killed before it took its answer, ms. */
const LEFT_MS = 600_000;

/** What requests between processes need. */
export interface RequestParts {
  readonly db: Postgres;
  readonly hub: DeltaHub;
  readonly tenant: string;
}

/**
 * Requests to turns that run in other processes. They pass through a table that a crash of the database empties: a message that was
 * told as taken stands in the log of the session. `endings` end what is heard.
 */
export function postgresRequests(parts: RequestParts, endings: (() => void)[]): Pick<EventBus, 'send' | 'onSend'> {
  const { db, hub, tenant } = parts;
  const waiting = new Map<string, () => void>();
  endings.push(hub.onCall('reply', (id) => waiting.get(id)?.()));
  return {
    async send(sessionId, request) {
      const id = await put(parts, sessionId, request);
      try {
        return await replyTo(parts, id, waiting);
      } finally {
        waiting.delete(id);
        await db.query(`DELETE FROM skillmint.messages WHERE tenant = $1 AND (message_id = $2 OR at < clock_timestamp() - $3 * interval '1 ms')`, [tenant, id, LEFT_MS]);
      }
    },
    onSend(take) {
      const begin = keyOf({ tenant, sessionId: '' });
      endings.push(hub.onCall('request', (key) => {
        if (key !== '' && !key.startsWith(begin)) return;
        const taking = key === '' ? takeMissed(parts, take) : takeAll(parts, key.slice(begin.length), take);
        taking.catch((error: unknown) => {
          // Whoever has sent it learns that nobody has taken it.
          if (!(error instanceof SkillmintError)) throw error;
        });
      }));
    },
  };
}

function put({ db, hub, tenant }: RequestParts, sessionId: string, request: TurnRequest): Promise<string> {
  return db.transaction(async (queries) => {
    const { rows: [row] } = await queries.query('INSERT INTO skillmint.messages (tenant, session_id, message) VALUES ($1, $2, $3) RETURNING message_id', [tenant, sessionId, JSON.stringify(request)]);
    await hub.call(queries, 'request', keyOf({ tenant, sessionId }));
    return String(row?.['message_id']);
  });
}

/** Nothing where none has taken it by then, or whoever did has not answered: it may have died. */
async function replyTo({ db, tenant }: RequestParts, id: string, waiting: Map<string, () => void>): Promise<TurnReply | undefined> {
  const began = performance.now();
  let holder: string | undefined;
  let isLost = false;
  for (;;) {
    const called = new AbortController();
    waiting.set(id, () => called.abort());
    const { rows: [row] } = await db.query(
      `SELECT is_taken, reply, CASE WHEN ${LIVE} THEN s.epoch END AS held FROM skillmint.messages LEFT JOIN skillmint.sessions s USING (tenant, session_id) WHERE tenant = $1 AND message_id = $2`,
      [tenant, id],
    );
    // The text was written by `takeAll` from a TurnReply.
    if (typeof row?.['reply'] === 'string') return JSON.parse(row['reply']) as TurnReply;
    const waited = performance.now() - began;
    const taken = row?.['is_taken'] === true;
    // A turn that has just ended may have its answer under way.
    if (waited > ANSWERED_MS || !row || (taken && isLost)) return undefined;
    if (!taken && waited > TAKEN_MS && (await db.query('DELETE FROM skillmint.messages WHERE tenant = $1 AND message_id = $2 AND NOT is_taken', [tenant, id])).count > 0) return undefined;
    const held = String(row['held']);
    holder ??= held;
    isLost = held !== holder;
    await sleep(LOOK_MS, undefined, { signal: called.signal }).catch((error: unknown) => {
      if (!called.signal.aborted) throw error;
    });
  }
}

/** Takes what waits for any session, for a process that could not hear of it. */
async function takeMissed(parts: RequestParts, take: TurnRequestTaker): Promise<void> {
  const { rows } = await parts.db.query('SELECT DISTINCT session_id FROM skillmint.messages WHERE tenant = $1 AND NOT is_taken', [parts.tenant]);
  await Promise.all(rows.map((row) => takeAll(parts, String(row['session_id']), take)));
}

/** Takes what waits for a session whose turn runs here, each request once. */
async function takeAll({ db, hub, tenant }: RequestParts, sessionId: string, take: TurnRequestTaker): Promise<void> {
  const answer = take(sessionId);
  if (!answer) return;
  const { rows } = await db.query('UPDATE skillmint.messages SET is_taken = true WHERE tenant = $1 AND session_id = $2 AND NOT is_taken RETURNING message_id, message, at', [tenant, sessionId]);
  for (const row of rows.toSorted((a, b) => Number(a['at']) - Number(b['at']))) {
    const id = String(row['message_id']);
    // The text was written by `put` from a TurnRequest.
    const reply = await answer(JSON.parse(String(row['message'])) as TurnRequest);
    await db.query('UPDATE skillmint.messages SET reply = $3 WHERE tenant = $1 AND message_id = $2', [tenant, id, JSON.stringify(reply)]);
    await hub.call(db, 'reply', id);
  }
}
