import { callSchema } from '../../sessions/delta-log.ts';
import { migrateJobs } from '../../sessions/turn-jobs.ts';
import { migratePostgres, requireSchema } from '../../store/postgres/migrate.ts';
import type { Postgres, Queries } from '../../store/postgres/postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../store/postgres/schema.ts';

/**
 * Workers of the earlier schema append nothing more, and hear at once why; their turns go on at the next worker. Whoever has not
 * heard of it is refused by the epochs.
 */
async function endOlder(queries: Queries): Promise<void> {
  await queries.query('UPDATE skillmint.sessions SET epoch = epoch + 1, owner_instance = NULL, owner_machine = NULL, owner_pid = NULL, owner_started = NULL, lease_until = NULL WHERE owner_instance IS NOT NULL');
  await callSchema(queries);
}

/** Makes all tables, or brings them up to date; those of the queue first. @throws SkillmintError store_unavailable for a newer schema */
export function migrateDatabase(db: Postgres, migrations = POSTGRES_MIGRATIONS): Promise<{ readonly from: number; readonly to: number }> {
  return migratePostgres(db, migrations, { before: () => migrateJobs(db), after: endOlder });
}

/** Makes sure that the schema is the one of this program; an empty database gets it. @throws SkillmintError store_unavailable, which names the command for an older one */
export function requirePostgresSchema(db: Postgres): Promise<void> {
  return requireSchema(db, POSTGRES_MIGRATIONS, { before: () => migrateJobs(db) });
}
