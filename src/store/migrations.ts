import { SkillmintError } from '../protocol/errors.ts';
import type { Connection } from './connection.ts';
import { DAMAGED, corrupt } from './store-error.ts';

/** One step of the schema. A step that was released never changes; versions rise, with gaps allowed. */
export interface Migration {
  readonly version: number;
  /** For people, for example `sessions and events`. */
  readonly name: string;
  /** Statements without parameters, separated by semicolons. */
  readonly sql: string;
}

const TABLE = 'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT';

function checkOrder(migrations: readonly Migration[]): void {
  migrations.forEach((migration, index) => {
    const before = migrations[index - 1]?.version ?? 0;
    if (!Number.isSafeInteger(migration.version) || migration.version <= before) {
      throw new TypeError(`migration ${migration.version} (${migration.name}) must come after ${before}`);
    }
  });
}

/** The highest version in the file, 0 for a file without a schema. */
function currentVersion(file: string, connection: Connection): number {
  const found = connection.get("SELECT count(*) AS tables, sum(name = 'schema_migrations') AS ours FROM sqlite_schema WHERE type = 'table'", []);
  if (Number(found?.['ours'] ?? 0) > 0) {
    const version = connection.get('SELECT max(version) AS version FROM schema_migrations', [])?.['version'];
    if (typeof version !== 'number') throw corrupt(file, DAMAGED);
    return version;
  }
  if (Number(found?.['tables'] ?? 0) > 0) {
    throw corrupt(file, 'it belongs to another program; move it away, or set SKILLMINT_HOME to another folder');
  }
  return 0;
}

function refuseNewer(file: string, version: number, known: number): void {
  if (version <= known) return;
  throw new SkillmintError(
    'store_unavailable',
    `the database ${file} was written by a newer skillmint (schema ${version}, this one knows ${known}): update skillmint, or set SKILLMINT_HOME to another folder`,
  );
}

function apply(connection: Connection, migration: Migration): void {
  connection.exec(migration.sql);
  connection.run("INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ'))", [migration.version, migration.name]);
}

/**
 * Brings the schema up to date: all missing steps in one transaction, none when one fails.
 * Processes that open the file at the same moment wait for each other. A schema newer than the last step is refused.
 */
export function migrate(file: string, connection: Connection, migrations: readonly Migration[]): void {
  checkOrder(migrations);
  const latest = migrations.at(-1)?.version ?? 0;
  const before = currentVersion(file, connection);
  refuseNewer(file, before, latest);
  if (before === latest) return;
  connection.exec('BEGIN IMMEDIATE');
  try {
    const version = currentVersion(file, connection);
    refuseNewer(file, version, latest);
    if (version === 0) connection.exec(TABLE);
    for (const migration of migrations.filter((one) => one.version > version)) apply(connection, migration);
    connection.exec('COMMIT');
  } finally {
    if (connection.inTransaction()) connection.exec('ROLLBACK');
  }
}
