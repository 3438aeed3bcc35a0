import { migrateJobs } from '../../sessions/turn-jobs.ts';
import { migratePostgres, requireSchema } from '../../store/postgres/migrate.ts';
import type { Postgres } from '../../store/postgres/postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../store/postgres/schema.ts';

/** Makes all tables, or brings them up to date; those of the queue first. @throws SkillmintError store_unavailable for a newer schema */
export function migrateDatabase(db: Postgres): Promise<{ readonly from: number; readonly to: number }> {
  return migratePostgres(db, POSTGRES_MIGRATIONS, { before: () => migrateJobs(db) });
}

/** Makes sure that the schema is the one of this program; an empty database gets it. @throws SkillmintError store_unavailable, which names the command for an older one */
export function requirePostgresSchema(db: Postgres): Promise<void> {
  return requireSchema(db, POSTGRES_MIGRATIONS, { before: () => migrateJobs(db) });
}
