import { SkillmintError } from '../../protocol/errors.ts';
import { never } from '../../util/never.ts';
import type { Migration } from '../migrations.ts';
import type { Postgres, Queries } from './postgres.ts';

/** All tables of skillmint lie in it. */
export const SCHEMA = 'skillmint';

/** One number for all processes: whoever holds its lock migrates. */
const LOCK = 5_742_901_133;

/** What there is to do before a database can be used. */
export type SchemaState =
  /** Nothing of skillmint is there. */
  | { readonly kind: 'empty'; readonly version: 0; readonly known: number }
  | { readonly kind: 'current'; readonly version: number; readonly known: number }
  /** `db migrate` brings it up to date. */
  | { readonly kind: 'older'; readonly version: number; readonly known: number }
  /** This program cannot use it. */
  | { readonly kind: 'newer'; readonly version: number; readonly known: number };

/** Compares the schema of a database with the steps that this program knows. */
export async function schemaState(db: Queries, migrations: readonly Migration[]): Promise<SchemaState> {
  const known = migrations.at(-1)?.version ?? 0;
  const version = await currentVersion(db);
  if (version === 0) return { kind: 'empty', version: 0, known };
  return { kind: version === known ? 'current' : version < known ? 'older' : 'newer', version, known };
}

/** What else is migrated. */
export interface MigrateOptions {
  /** Makes tables of others, while nobody else migrates; it may be called again when what follows has failed. */
  readonly before?: () => Promise<void>;
  /** Ends what programs of an earlier schema do, in the transaction that raises it. */
  readonly after?: (queries: Queries) => Promise<void>;
}

/**
 * Brings the schema up to date: all missing steps in one transaction, none when one fails. Processes that begin at the same
 * moment wait for each other. @throws SkillmintError store_unavailable when the schema is newer than the last step
 */
export async function migratePostgres(db: Postgres, migrations: readonly Migration[], { before, after }: MigrateOptions = {}): Promise<{ readonly from: number; readonly to: number }> {
  return db.transaction(async (queries) => {
    await queries.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const state = await schemaState(queries, migrations);
    if (state.kind === 'newer') throw newer(db, state);
    if (state.kind === 'empty') {
      await queries.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
      await queries.query(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.schema_migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
    }
    await before?.();
    for (const migration of migrations.filter(({ version }) => version > state.version)) {
      await queries.query(migration.sql);
      await queries.query(`INSERT INTO ${SCHEMA}.schema_migrations (version, name) VALUES ($1, $2)`, [migration.version, migration.name]);
    }
    if (state.kind === 'older') await after?.(queries);
    return { from: state.version, to: state.known };
  });
}

/** Makes sure that the schema is the one of this program; an empty database gets it. @throws SkillmintError store_unavailable, which names the command for an older one */
export async function requireSchema(db: Postgres, migrations: readonly Migration[], options: MigrateOptions = {}): Promise<void> {
  const state = await schemaState(db, migrations);
  switch (state.kind) {
    case 'current': return;
    case 'empty': {
      await migratePostgres(db, migrations, options);
      return;
    }
    case 'older': throw new SkillmintError('store_unavailable', `the database ${db.place} has the schema ${state.version} of an earlier skillmint, this one needs ${state.known}: stop the workers of the earlier one, make a backup, and run: skillmint db migrate`);
    case 'newer': throw newer(db, state);
    default: never(state);
  }
}

/** What a program says whose database was migrated by a later one. */
export function newer({ place }: Postgres, { version, known }: SchemaState): SkillmintError {
  return new SkillmintError('store_unavailable', `the database ${place} was migrated by a newer skillmint (schema ${version}, this one knows ${known}): update skillmint on this machine, or name another database`);
}

/** 0 where nothing of skillmint is there. */
async function currentVersion(db: Queries): Promise<number> {
  // Asked of the tables of the system, which show what was committed a moment ago; names are looked up in a cache.
  const { count } = await db.query("SELECT FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relname = 'schema_migrations'", [SCHEMA]);
  if (count === 0) return 0;
  const { rows: [row] } = await db.query(`SELECT coalesce(max(version), 0) AS version FROM ${SCHEMA}.schema_migrations`);
  return Number(row?.['version']);
}
