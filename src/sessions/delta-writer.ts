import type { SessionEvent } from '../protocol/events.ts';
import type { Postgres } from '../store/postgres/postgres.ts';
import { SkillmintError } from '../protocol/errors.ts';
import { CHANNEL, dropPassed, keyOf, REREAD, writeDeltas, type DeltaRow, type Finished, type SessionKey } from './delta-log.ts';

/** What is said is written so often, ms: about thirty times a second for a process, whatever it says. */
const BATCH_MS = 30;
const AGAIN_MS = 500;
const TIDY_MS = 30_000;
/** The most that waits while the database is down; what is said is best effort. */
const MOST_WAITING = 20_000;
/** PostgreSQL takes messages below 8,000 bytes. */
const MOST_BYTES = 7_500;

/** Tells other processes what happens here. */
export interface DeltaWriter {
  /** `afterSeq`: number of the last stored event before it. */
  publish(key: SessionKey & { readonly instance: string }, event: SessionEvent, afterSeq: number): void;
  /** The log has changed otherwise than by an event. */
  reread(key: SessionKey): void;
  /** Resolves when what was published is written. */
  close(): Promise<void>;
}

interface Waiting {
  rows: DeltaRow[];
  finished: Finished[];
  readonly changed: Set<string>;
}

/** Writes in batches. */
export function deltaWriter(db: Postgres, own: string): DeltaWriter {
  let waiting: Waiting = { rows: [], finished: [], changed: new Set() };
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let closed = false;

  const write = async (): Promise<void> => {
    const batch = waiting;
    waiting = { rows: [], finished: [], changed: new Set() };
    try {
      await db.transaction(async (queries) => {
        // What is lost with the server is not missed: the message is stored when it is finished.
        await queries.query('SET LOCAL synchronous_commit = off');
        await writeDeltas(queries, batch.rows, batch.finished);
        await queries.query('SELECT pg_notify($1, message) FROM unnest($2::text[]) AS message', [CHANNEL, messages(own, batch.changed)]);
      });
    } catch (error) {
      if (!(error instanceof SkillmintError)) throw error;
      if (closed) return;
      waiting = { rows: [...batch.rows, ...waiting.rows].slice(-MOST_WAITING), finished: [...batch.finished, ...waiting.finished], changed: new Set([...batch.changed, ...waiting.changed]) };
      soon(AGAIN_MS);
    }
  };
  const soon = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = writing.then(write);
    }, ms);
  };
  const tidy = setInterval(() => {
    dropPassed(db).catch(() => undefined);
  }, TIDY_MS);
  tidy.unref();
  return {
    publish(key, event, afterSeq) {
      const what = finishedBy(event);
      if (what) {
        waiting.rows = waiting.rows.filter((row) => !isFinished(row, key, what));
        waiting.finished.push({ tenant: key.tenant, sessionId: key.sessionId, what });
      } else if (!('seq' in event) || event.is_sub_agent) add(waiting.rows, { ...key, afterSeq, callId: event.type === 'tool.delta' ? event.call_id : null, passing: event.is_sub_agent === true || !isSpeech(event), event });
      waiting.changed.add(keyOf(key));
      soon(BATCH_MS);
    },
    reread(key) {
      waiting.changed.add(`${REREAD}${keyOf(key)}`);
      soon(BATCH_MS);
    },
    async close() {
      clearInterval(tidy);
      closed = true;
      clearTimeout(timer);
      await writing;
      if (waiting.changed.size > 0) await write();
    },
  };
}

function isSpeech({ type }: SessionEvent): boolean {
  return type === 'text.delta' || type === 'reasoning.delta' || type === 'tool.delta';
}

function finishedBy(event: SessionEvent): Finished['what'] | undefined {
  if (event.is_sub_agent) return undefined;
  switch (event.type) {
    case 'message.completed':
    case 'model.retried': return 'speech';
    case 'tool.completed': return { call: event.call_id };
    case 'turn.completed': return 'everything';
    default: return undefined;
  }
}

function isFinished(row: DeltaRow, { tenant, sessionId }: SessionKey, what: Finished['what']): boolean {
  if (row.passing || row.tenant !== tenant || row.sessionId !== sessionId) return false;
  return what === 'everything' || (what === 'speech' ? row.callId === null : row.callId === what.call);
}

/** What follows the same is joined with it, so that a batch has few rows. */
function add(rows: DeltaRow[], row: DeltaRow): void {
  const before = rows.at(-1);
  const said = before?.event;
  const isMore = before && said && !before.passing && !row.passing && before.tenant === row.tenant && before.sessionId === row.sessionId && before.afterSeq === row.afterSeq && before.callId === row.callId;
  if (isMore && 'text' in said && 'text' in row.event && said.type === row.event.type && typeof said.text === 'string' && typeof row.event.text === 'string') {
    rows[rows.length - 1] = { ...row, event: { ...row.event, text: said.text + row.event.text } };
  } else rows.push(row);
}

function messages(own: string, keys: Iterable<string>): readonly string[] {
  const all: string[] = [];
  let message = own;
  for (const key of keys) {
    if (message !== own && Buffer.byteLength(message) + Buffer.byteLength(key) + 1 > MOST_BYTES) {
      all.push(message);
      message = own;
    }
    message += `\n${key}`;
  }
  return message === own ? all : [...all, message];
}
