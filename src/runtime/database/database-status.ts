import fs from 'node:fs';
import path from 'node:path';
import { mayBeAlive } from '../../host/process-identity.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { SESSION_MIGRATIONS } from '../../sessions/migrations.ts';
import { liveOwner } from '../../sessions/owner-row.ts';
import { connect, type Connection } from '../../store/connection.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { storeError } from '../../store/store-error.ts';
import type { DatabaseContent, DatabaseStatus } from './status-types.ts';

/** Where the sessions of a person are. */
export interface DatabasePlace {
  /** Of PostgreSQL; the file of the data folder when left out. */
  readonly url?: string | undefined;
  readonly dataFolder: string;
}

/** Looks, and changes nothing. @throws SkillmintError usage, store_unavailable, store_corrupt */
export async function databaseStatus({ url, dataFolder }: DatabasePlace): Promise<DatabaseStatus> {
  if (url !== undefined) return (await import('./postgres-status.ts')).postgresStatus(url);
  return fileStatus(path.join(dataFolder, 'skillmint.db'));
}

/** Brings the schema up to date. Resolves to the versions before and after. @throws SkillmintError usage, store_unavailable, store_corrupt, store_full */
export async function migrateDatabaseOf({ url, dataFolder }: DatabasePlace): Promise<{ readonly place: string; readonly from: number; readonly to: number }> {
  if (url !== undefined) return (await import('./postgres-status.ts')).migrateAt(url);
  const file = path.join(dataFolder, 'skillmint.db');
  const from = fileStatus(file).schema.version;
  openSqlite(file, SESSION_MIGRATIONS).close();
  return { place: file, from, to: latest() };
}

function fileStatus(file: string): DatabaseStatus {
  const known = latest();
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return { backend: 'sqlite', place: file, schema: { state: 'empty', version: 0, known } };
  try {
    const connection = connect(file);
    try {
      const version = Number(connection.get('SELECT max(version) AS version FROM schema_migrations', [])?.['version']);
      const state = version === known ? 'current' : version < known ? 'older' : 'newer';
      return { backend: 'sqlite', place: file, schema: { state, version, known }, ...(state === 'current' ? { content: { size_bytes: size, ...fileContent(connection) } } : {}) };
    } finally {
      connection.close();
    }
  } catch (error) {
    throw storeError(file, error);
  }
}

function fileContent(connection: Connection): Omit<DatabaseContent, 'size_bytes'> {
  const one = (sql: string): number => Number(connection.get(sql, [])?.['n']);
  const statuses = connection.all('SELECT status, count(*) AS n FROM sessions GROUP BY status ORDER BY status', []);
  const row = connection.get('SELECT * FROM queue_worker WHERE id = 1', []);
  const worker = row && liveOwner({ now: Date.now, isAlive: mayBeAlive }, row);
  return {
    tenants: 1,
    sessions: one('SELECT count(*) AS n FROM sessions'),
    by_status: Object.fromEntries(statuses.map(({ status, n }) => [String(status), Number(n)])),
    events: one('SELECT count(*) AS n FROM events'),
    queue: { waiting: one('SELECT count(*) AS n FROM turn_queue'), active: 0 },
    workers: worker ? [{ machine: worker.machine, pid: worker.pid }] : [],
  };
}

function latest(): number {
  const version = SESSION_MIGRATIONS.at(-1)?.version;
  if (version === undefined) throw new SkillmintError('store_corrupt', 'This skillmint knows no schema. Install it anew.');
  return version;
}
