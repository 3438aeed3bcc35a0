import type { StoredEvent } from '../protocol/events.ts';
import { isPassing } from '../store/postgres/postgres-error.ts';
import type { Queries } from '../store/postgres/postgres.ts';
import { whileDown } from '../store/postgres/while-down.ts';
import { textOfEvent } from './postgres-events.ts';
import { PROLONGED, tailKey, type Tails } from './postgres-leases.ts';
import type { PostgresLogParts } from './postgres-log.ts';
import { noteUsage } from './postgres-usage.ts';
import { fenced, numbered, summarise } from './session-rows.ts';
import type { Lease, SessionStore } from './store.ts';

interface Batch {
  readonly tenant: string;
  readonly lease: Lease;
  readonly last: number;
  readonly stored: readonly StoredEvent[];
}

/**
 * Appends in one statement that does nothing unless the lease holds and the log ends where this process knows it to end.
 * A connection that breaks may have hidden the success: the number of the last event tells, since nobody else could append.
 */
export function postgresAppend({ db, tenant, sleep, patienceMs = 0 }: PostgresLogParts, tails: Tails): SessionStore['append'] {
  return async (lease, events) => {
    let unsure = false;
    return whileDown({ forMs: patienceMs, sleep }, async () => {
      try {
        const last = tails.get(tailKey(lease)) ?? (await lastSeq(db, tenant, lease));
        const stored = numbered(lease.session_id, last, events);
        const kept = await store({ tenant, lease, last, stored });
        tails.set(tailKey(lease), kept.at(-1)?.seq ?? last);
        return kept;
      } catch (error) {
        unsure ||= isPassing(error);
        throw error;
      }
    });

    async function store(batch: Batch): Promise<readonly StoredEvent[]> {
      if (batch.stored.length === 0) return [];
      if (await write(batch)) return batch.stored;
      const end = await lastSeq(db, tenant, lease);
      if (unsure && end === batch.last + batch.stored.length) return batch.stored;
      const again = { ...batch, last: end, stored: numbered(lease.session_id, end, events) };
      if (await write(again)) return again.stored;
      throw fenced(lease);
    }

    function write(batch: Batch): Promise<boolean> {
      const ended = batch.stored.some((event) => event.type === 'turn.completed' && !event.is_sub_agent);
      return ended ? db.transaction((queries) => writeEnd(queries, batch)) : writeBatch(db, batch);
    }
  };
}

/** @throws SkillmintError session_fenced */
async function lastSeq(db: Queries, tenant: string, lease: Lease): Promise<number> {
  const { rows: [row] } = await db.query('SELECT last_seq FROM skillmint.sessions WHERE tenant = $1 AND session_id = $2 AND epoch = $3', [tenant, lease.session_id, lease.epoch]);
  if (!row) throw fenced(lease);
  return Number(row['last_seq']);
}

/** False where the lease is stale or the log ends elsewhere. */
async function writeBatch(db: Queries, { tenant, lease, last, stored }: Batch): Promise<boolean> {
  const { status, title, model } = summarise({ status: '', title: '', model: '' }, stored);
  const turnSeq = stored.findLast((event) => event.type === 'turn.started' && !event.is_sub_agent)?.seq ?? 0;
  const { count } = await db.query(`
    WITH held AS (
      UPDATE skillmint.sessions SET last_seq = $5, ${PROLONGED}, updated_at = $6,
        status = CASE WHEN $7 = '' THEN status ELSE $7 END,
        title = CASE WHEN title = '' THEN $8 ELSE title END,
        model = CASE WHEN $9 = '' THEN model ELSE $9 END,
        turn_seq = CASE WHEN $10 = 0 THEN turn_seq ELSE $10 END
      WHERE tenant = $1 AND session_id = $2 AND epoch = $3 AND last_seq = $4
      RETURNING tenant, session_id
    )
    INSERT INTO skillmint.events (tenant, session_id, seq, event)
    SELECT held.tenant, held.session_id, $4 + given.nth, given.event FROM held, unnest($11::text[]) WITH ORDINALITY AS given (event, nth)`,
    [tenant, lease.session_id, lease.epoch, last, last + stored.length, stored.at(-1)?.time ?? '', status, title, model, turnSeq, stored.map(textOfEvent)]);
  return count > 0;
}

/** The end of a turn is stored with what it took. */
async function writeEnd(queries: Queries, batch: Batch): Promise<boolean> {
  if (!(await writeBatch(queries, batch))) return false;
  for (const event of batch.stored) {
    if (event.type === 'turn.completed' && !event.is_sub_agent) await noteUsage(queries, batch.tenant, event);
  }
  return true;
}

