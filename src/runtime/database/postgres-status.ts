import { JOBS_SCHEMA } from '../../sessions/turn-jobs.ts';
import { PROCESS_NAME } from '../../store/postgres/listen.ts';
import { schemaState } from '../../store/postgres/migrate.ts';
import { openPostgres, type Postgres } from '../../store/postgres/postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../store/postgres/schema.ts';
import type { DatabaseContent, DatabaseStatus } from './status-types.ts';
import { migrateDatabase } from './postgres-schema.ts';

/** Looks at a database of PostgreSQL. @throws SkillmintError usage, store_unavailable */
export function postgresStatus(url: string): Promise<DatabaseStatus> {
  return withDatabase(url, async (db) => {
    const { kind: state, version, known } = await schemaState(db, POSTGRES_MIGRATIONS);
    return { backend: 'postgres', place: db.place, schema: { state, version, known }, ...(state === 'current' ? { content: await contentOf(db) } : {}) };
  });
}

/** Brings a database of PostgreSQL up to date. @throws SkillmintError usage, store_unavailable */
export function migrateAt(url: string): Promise<{ readonly place: string; readonly from: number; readonly to: number }> {
  return withDatabase(url, async (db) => ({ place: db.place, ...(await migrateDatabase(db)) }));
}

async function withDatabase<T>(url: string, work: (db: Postgres) => Promise<T>): Promise<T> {
  const db = await openPostgres(url, { connections: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Over all tenants: what is counted belongs to whoever runs the database. */
async function contentOf(db: Postgres): Promise<DatabaseContent> {
  const { rows: statuses } = await db.query('SELECT status, count(*) AS n FROM skillmint.sessions GROUP BY status ORDER BY status');
  const { rows: [counts] } = await db.query(`
    SELECT pg_database_size(current_database()) AS size, (SELECT count(DISTINCT tenant) FROM skillmint.sessions) AS tenants, (SELECT count(*) FROM skillmint.events) AS events,
      (SELECT count(*) FROM ${JOBS_SCHEMA}.job WHERE state < 'active') AS waiting, (SELECT count(*) FROM ${JOBS_SCHEMA}.job WHERE state = 'active') AS active`);
  const { rows: processes } = await db.query("SELECT application_name AS name, to_char(backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') AS since FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1 ORDER BY 1", [`${PROCESS_NAME} %`]);
  return {
    size_bytes: Number(counts?.['size']),
    tenants: Number(counts?.['tenants']),
    sessions: statuses.reduce((sum, { n }) => sum + Number(n), 0),
    by_status: Object.fromEntries(statuses.map(({ status, n }) => [String(status), Number(n)])),
    events: Number(counts?.['events']),
    queue: { waiting: Number(counts?.['waiting']), active: Number(counts?.['active']) },
    workers: processes.map(({ name, since }) => {
      const [machine = '', pid = ''] = String(name).slice(PROCESS_NAME.length + 1).split(' ');
      return { machine, pid: Number(pid), since: String(since) };
    }),
  };
}
