import type { Queries } from '../store/postgres/postgres.ts';
import { LIVE } from './postgres-leases.ts';
import { ownerOf } from './owner-row.ts';
import { goingOn } from './session-rows.ts';
import type { Owner } from './store.ts';

/** A session that a service has left in the middle. */
export interface LeftSession {
  readonly tenant: string;
  readonly sessionId: string;
}

/**
 * What is left of one tenant, or of all where a server works for all. Processes that hold running sessions are few, sessions are
 * many: whether those live is asked first.
 */
export async function leftSessions(db: Queries, isAlive: (owner: Owner) => boolean, tenant?: string): Promise<readonly LeftSession[]> {
  const running = `status = 'running' AND service${tenant === undefined ? '' : ' AND tenant = $2'}`;
  const ofTenant = tenant === undefined ? [] : [tenant];
  const { rows: owners } = await db.query(`SELECT DISTINCT owner_instance, owner_machine, owner_pid, owner_started FROM skillmint.sessions WHERE ${running} AND ${LIVE} AND $1::text[] IS NOT NULL`, [[], ...ofTenant]);
  const dead = owners.flatMap((row) => {
    const owner = ownerOf(row);
    return owner && !isAlive(owner) ? [owner.instance] : [];
  });
  const { rows } = await db.query(`SELECT tenant, session_id, task_id, parent_id FROM skillmint.sessions WHERE ${running} AND (NOT ${LIVE} OR owner_instance = ANY($1)) ORDER BY updated_at`, [dead, ...ofTenant]);
  return goingOn(rows).map((row) => ({ tenant: String(row['tenant']), sessionId: String(row['session_id']) }));
}
