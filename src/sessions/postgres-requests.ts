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

/** In SQL: nobody has taken it, and its sender still waits for that. */
const OPEN = `NOT is_taken AND at > clock_timestamp() - interval '${TAKEN_MS} milliseconds'`;

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
  const { hub, tenant } = parts;
  const waiting = new Map<string, () => void>();
  endings.push(hub.onCall('reply', (id) => waiting.get(id)?.()));
  return {
    async send(sessionId, request) {
      const id = await put(parts, sessionId, request);
      try {
        return await replyTo(parts, id, waiting);
      } finally {
        waiting.delete(id);
        await remove(parts, id);
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

/** Removes one, and those that nobody has removed. */
async function remove({ db, tenant }: RequestParts, id: string): Promise<void> {
  try {
    await db.query(`DELETE FROM skillmint.messages WHERE tenant = $1 AND (message_id = $2 OR at < clock_timestamp() - $3 * interval '1 ms')`, [tenant, id, LEFT_MS]);
  } catch (error) {
    // It is too old to be taken soon, and goes with a later one; its answer counts.
    if (!(error instanceof SkillmintError)) throw error;
  }
}

/** Nothing where none has taken it by then, or whoever did has not answered: it may have died. */
async function replyTo({ db, tenant }: RequestParts, id: string, waiting: Map<string, () => void>): Promise<TurnReply | undefined> {
  const began = performance.now();
  let holder: unknown;
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
    const held = row['held'] ?? undefined;
    holder ??= held;
    isLost = held !== holder;
    await sleep(LOOK_MS, undefined, { signal: called.signal }).catch((error: unknown) => {
      if (!called.signal.aborted) throw error;
    });
  }
}

/** Takes what waits for any session, for a process that could not hear of it. */
async function takeMissed(parts: RequestParts, take: TurnRequestTaker): Promise<void> {
  const { rows } = await parts.db.query(`SELECT DISTINCT session_id FROM skillmint.messages WHERE tenant = $1 AND ${OPEN}`, [parts.tenant]);
  await Promise.all(rows.map((row) => takeAll(parts, String(row['session_id']), take)));
}

/** Takes what waits for a session whose turn runs here, each request once: messages in their order, and a stop at once. */
async function takeAll(parts: RequestParts, sessionId: string, take: TurnRequestTaker): Promise<void> {
  const answer = take(sessionId);
  if (!answer) return;
  const { rows } = await parts.db.query(`UPDATE skillmint.messages SET is_taken = true WHERE tenant = $1 AND session_id = $2 AND ${OPEN} RETURNING message_id, message, at`, [parts.tenant, sessionId]);
  let before = Promise.resolve();
  const works = rows.toSorted((a, b) => Number(a['at']) - Number(b['at'])).map((row) => {
    // The text was written by `put` from a TurnRequest.
    const request = JSON.parse(String(row['message'])) as TurnRequest;
    const work = async (): Promise<void> => reply(parts, String(row['message_id']), await answer(request));
    if (request.kind === 'stop') return work();
    const message = before.then(work);
    before = message.catch(() => undefined);
    return message;
  });
  await Promise.allSettled(works);
  await Promise.all(works);
}

async function reply({ db, hub, tenant }: RequestParts, id: string, said: TurnReply): Promise<void> {
  await db.query('UPDATE skillmint.messages SET reply = $3 WHERE tenant = $1 AND message_id = $2', [tenant, id, JSON.stringify(said)]);
  await hub.call(db, 'reply', id);
}
