import { setTimeout as sleep } from 'node:timers/promises';
import { SkillmintError } from '../protocol/errors.ts';
import type { Postgres } from '../store/postgres/postgres.ts';
import type { DeltaHub } from './delta-hub.ts';
import { keyOf } from './delta-log.ts';
import type { EventBus, MessageReply, MessageTaker, PassedMessage } from './event-bus.ts';

/** A process that runs the turn takes a message at once; one that none has taken is taken back after so long, ms. */
const TAKEN_MS = 1_500;
/** What hooks look at may take longer, ms. */
const ANSWERED_MS = 60_000;
/** A call that was lost shows after so long, ms. */
const LOOK_MS = 250;
/** Of whoever was killed before it took its answer, ms. */
const LEFT_MS = 600_000;

/** What messages between processes need. */
export interface MessagesParts {
  readonly db: Postgres;
  readonly hub: DeltaHub;
  readonly tenant: string;
}

/**
 * Messages to turns that run in other processes. They pass through a table that a crash of the database empties: what was told as
 * taken stands in the log of the session. `endings` end what is heard.
 */
export function postgresMessages(parts: MessagesParts, endings: (() => void)[]): Pick<EventBus, 'send' | 'onSend'> {
  const { db, hub, tenant } = parts;
  const waiting = new Map<string, () => void>();
  endings.push(hub.onCall('reply', (id) => waiting.get(id)?.()));
  return {
    async send(sessionId, message) {
      const id = await put(parts, sessionId, message);
      try {
        return await replyTo(parts, id, waiting);
      } finally {
        waiting.delete(id);
        await db.query(`DELETE FROM skillmint.messages WHERE tenant = $1 AND (message_id = $2 OR at < clock_timestamp() - $3 * interval '1 ms')`, [tenant, id, LEFT_MS]);
      }
    },
    onSend(take) {
      const begin = keyOf({ tenant, sessionId: '' });
      endings.push(hub.onCall('message', (key) => {
        if (!key.startsWith(begin)) return;
        takeAll(parts, key.slice(begin.length), take).catch((error: unknown) => {
          // Whoever has sent it learns that nobody has taken it.
          if (!(error instanceof SkillmintError)) throw error;
        });
      }));
    },
  };
}

function put({ db, hub, tenant }: MessagesParts, sessionId: string, message: PassedMessage): Promise<string> {
  return db.transaction(async (queries) => {
    const { rows: [row] } = await queries.query('INSERT INTO skillmint.messages (tenant, session_id, message) VALUES ($1, $2, $3) RETURNING message_id', [tenant, sessionId, JSON.stringify(message)]);
    await hub.call(queries, 'message', keyOf({ tenant, sessionId }));
    return String(row?.['message_id']);
  });
}

/** Nothing where none has taken it by then, or whoever did has not answered: it may have died. */
async function replyTo({ db, tenant }: MessagesParts, id: string, waiting: Map<string, () => void>): Promise<MessageReply | undefined> {
  const began = performance.now();
  for (;;) {
    const called = new AbortController();
    waiting.set(id, () => called.abort());
    const { rows: [row] } = await db.query('SELECT is_taken, reply FROM skillmint.messages WHERE tenant = $1 AND message_id = $2', [tenant, id]);
    // The text was written by `takeAll` from a MessageReply.
    if (typeof row?.['reply'] === 'string') return JSON.parse(row['reply']) as MessageReply;
    const waited = performance.now() - began;
    const taken = row?.['is_taken'] === true;
    if (waited > ANSWERED_MS || !row) return undefined;
    if (!taken && waited > TAKEN_MS && (await db.query('DELETE FROM skillmint.messages WHERE tenant = $1 AND message_id = $2 AND NOT is_taken', [tenant, id])).count > 0) return undefined;
    await sleep(LOOK_MS, undefined, { signal: called.signal }).catch((error: unknown) => {
      if (!called.signal.aborted) throw error;
    });
  }
}

/** Takes what waits for a session whose turn runs here, each message once. */
async function takeAll({ db, hub, tenant }: MessagesParts, sessionId: string, take: MessageTaker): Promise<void> {
  const answer = take(sessionId);
  if (!answer) return;
  const { rows } = await db.query('UPDATE skillmint.messages SET is_taken = true WHERE tenant = $1 AND session_id = $2 AND NOT is_taken RETURNING message_id, message, at', [tenant, sessionId]);
  for (const row of rows.toSorted((a, b) => Number(a['at']) - Number(b['at']))) {
    const id = String(row['message_id']);
    // The text was written by `put` from a PassedMessage.
    const reply = await answer(JSON.parse(String(row['message'])) as PassedMessage);
    await db.query('UPDATE skillmint.messages SET reply = $3 WHERE tenant = $1 AND message_id = $2', [tenant, id, JSON.stringify(reply)]);
    await hub.call(db, 'reply', id);
  }
}
