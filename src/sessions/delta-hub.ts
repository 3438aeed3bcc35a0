import { randomBytes } from 'node:crypto';
import type { SessionEvent, StoredEvent } from '../protocol/events.ts';
import { listen, type Listening } from '../store/postgres/listen.ts';
import type { Postgres, Queries } from '../store/postgres/postgres.ts';
import { SkillmintError } from '../protocol/errors.ts';
import { CHANNEL, inOrder, keyOf, readDeltas, REREAD, SIGNS, type HeardDelta, type SessionKey, type Sign } from './delta-log.ts';
import { deltaWriter, type DeltaWriter } from './delta-writer.ts';
import { eventOf } from './postgres-events.ts';

/** After a failure what was missed is asked for again so late, ms. */
const AGAIN_MS = 1_000;
/** What no message told of, such as the last words of a worker that was killed, is seen after so long, ms. */
const LOOK_MS = 5_000;

/** A session that somebody of this process follows. */
export interface Heard extends SessionKey {
  /** Number of the last stored event that was given. */
  readonly seq: number;
  /** Number of the last delta that was given. */
  readonly no: number;
  /** Gives what has happened elsewhere, in order. */
  readonly hear: (events: readonly (StoredEvent | HeardDelta)[]) => void;
  /** The log has to be read, for another reason than an event. */
  readonly reread: () => void;
}

/** One for a process: it tells others what this one publishes, and hears what they do. */
export interface DeltaHub {
  readonly writer: DeltaWriter;
  /** Adds a session, of which nothing is given while `heard` gives nothing; the result takes it away. */
  add(key: SessionKey, heard: () => Heard | undefined): () => void;
  /**
   * Calls `hear` with what other processes name under a sign, such as the key of a session that somebody has a request for, and with
   * nothing after a while in which it could have missed a call; the result ends that.
   */
  onCall(sign: Sign, hear: (named: string) => void): () => void;
  /** Calls something to all other processes at once. @throws SkillmintError store_unavailable */
  call(db: Queries, sign: Sign, named: string): Promise<void>;
  /** Gives what there is of a session by now. */
  look(key: SessionKey): void;
  close(): Promise<void>;
}

/** Opens it, with a connection that listens. @throws SkillmintError store_unavailable */
export async function openDeltaHub(db: Postgres): Promise<DeltaHub> {
  const own = randomBytes(6).toString('hex');
  const followed = new Map<string, Set<() => Heard | undefined>>();
  const calls = new Map<string, Set<(named: string) => void>>(Object.values(SIGNS).map((sign) => [sign, new Set()]));
  const dirty = new Set<string>();
  let pulling: Promise<void> | undefined;
  let closed = false;

  const pull = async (): Promise<void> => {
    while (dirty.size > 0 && !closed) {
      const keys = [...dirty];
      dirty.clear();
      const heard = keys.flatMap((key) => [...(followed.get(key) ?? [])].flatMap((one) => one() ?? []));
      try {
        await give(db, heard);
      } catch (error) {
        // The database is down: those who follow wait, and hear of it when they ask for something.
        if (!(error instanceof SkillmintError)) throw error;
        for (const key of keys) dirty.add(key);
        await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS).unref(); });
      }
    }
  };
  const hear = (keys: Iterable<string>): void => {
    for (const key of keys) if (followed.has(key)) dirty.add(key);
    if (dirty.size === 0 || pulling || closed) return;
    pulling = pull().finally(() => {
      pulling = undefined;
      if (dirty.size > 0) hear([]);
    });
  };
  const listening: Listening = await listen(db.url, {
    channel: CHANNEL,
    onBack() {
      for (const hearers of calls.values()) for (const hearCall of hearers) hearCall('');
      hear(followed.keys());
    },
    onMessage(payload) {
      const [from, ...keys] = payload.split('\n');
      if (from === own) return;
      for (const key of keys) {
        if (key.startsWith(REREAD)) for (const one of followed.get(key.slice(REREAD.length)) ?? []) one()?.reread();
        for (const hearCall of calls.get(key.slice(0, 1)) ?? []) hearCall(key.slice(1));
      }
      hear(keys);
    },
  });
  const look = setInterval(() => hear(followed.keys()), LOOK_MS);
  look.unref();
  const writer = deltaWriter(db, own);
  return {
    writer,
    add(session, one) {
      const key = keyOf(session);
      const all = followed.get(key) ?? new Set();
      followed.set(key, all.add(one));
      return () => {
        all.delete(one);
        if (all.size === 0) followed.delete(key);
      };
    },
    onCall(sign, hearCall) {
      const all = calls.get(SIGNS[sign]);
      all?.add(hearCall);
      return () => void all?.delete(hearCall);
    },
    async call(queries, sign, named) {
      await queries.query('SELECT pg_notify($1, $2)', [CHANNEL, `${own}\n${SIGNS[sign]}${named}`]);
    },
    look: (session) => hear([keyOf(session)]),
    async close() {
      await writer.close();
      closed = true;
      clearInterval(look);
      await listening.close();
      await pulling;
    },
  };
}

/** Deltas are read before events, so that no event that they follow is missing. */
async function give(db: Postgres, heard: readonly Heard[]): Promise<void> {
  if (heard.length === 0) return;
  const deltas = await readDeltas(db, heard);
  const { rows } = await db.query(
    `SELECT e.tenant, e.session_id, e.seq, e.event FROM unnest($1::text[], $2::text[], $3::integer[]) AS k (tenant, session_id, seq)
     JOIN skillmint.events e ON e.tenant = k.tenant AND e.session_id = k.session_id AND e.seq > k.seq ORDER BY e.seq`,
    [heard.map(({ tenant }) => tenant), heard.map(({ sessionId }) => sessionId), heard.map(({ seq }) => seq)],
  );
  for (const one of heard) {
    const isOf = (tenant: string, id: string): boolean => tenant === one.tenant && id === one.sessionId;
    const events = rows.filter((row) => isOf(String(row['tenant']), String(row['session_id']))).map((row) => eventOf(one.sessionId, row));
    one.hear(inOrder(events, deltas.filter(({ tenant, sessionId }) => isOf(tenant, sessionId))));
  }
}

/** What a delta or a stored event says. */
export function saidBy(one: StoredEvent | HeardDelta): SessionEvent {
  return 'no' in one ? one.event : one;
}
