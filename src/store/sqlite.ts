import { systemCode } from '../protocol/errors.ts';
import { connect, type Connection } from './connection.ts';
import type { Database, TransactionOptions } from './database.ts';
import { prepareFile, type OpenDatabaseOptions } from './database-file.ts';
import { migrate, type Migration } from './migrations.ts';
import { markOpen } from './open-mark.ts';
import { isBusyError, storeError } from './store-error.ts';

/** How long one attempt waits for another process's lock, and how many attempts there are. */
const BUSY_MS = 5_000;
const ATTEMPTS = 6;
const PAUSE_MS = 20;

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Repeats what another process's lock refused; SQLite gives some of these refusals without waiting. */
function patiently<T>(work: () => T): T {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusyError(error) || attempt >= ATTEMPTS) throw error;
      pause(PAUSE_MS * attempt);
    }
  }
}

function configure(connection: Connection): void {
  connection.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  const mode = patiently(() => connection.get('PRAGMA journal_mode = WAL', [])?.['journal_mode']);
  if (mode !== 'wal') throw new Error(`the database is in journal mode ${String(mode)}, not wal`);
  connection.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY');
}

function rollBack(connection: Connection): void {
  if (connection.inTransaction()) connection.exec('ROLLBACK');
}

/** Only the database's own steps are `guarded`: what `work` throws belongs to its caller. */
function runTransaction<T>(connection: Connection, work: () => T, options: TransactionOptions, guarded: <R>(step: () => R) => R): T {
  if (connection.inTransaction()) throw new TypeError('transactions do not nest');
  // In WAL mode a commit at FULL syncs the log, and with it every commit before.
  if (options.durable) connection.exec('PRAGMA synchronous = FULL');
  try {
    guarded(() => patiently(() => connection.exec('BEGIN IMMEDIATE')));
    const result = work();
    if (result instanceof Promise) throw new TypeError('the work of a transaction must be synchronous');
    guarded(() => patiently(() => connection.exec('COMMIT')));
    return result;
  } finally {
    rollBack(connection);
    if (options.durable) connection.exec('PRAGMA synchronous = NORMAL');
  }
}

/** Moves the log into the file, so that the file alone holds everything. What cannot be moved now stays safe in the log. */
function settle(connection: Connection): void {
  try {
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!systemCode(error).startsWith('SQLITE_')) throw error;
  }
}

function open(file: string, migrations: readonly Migration[], options: OpenDatabaseOptions): Connection {
  prepareFile(file, migrations, options);
  const connection = connect(file);
  try {
    configure(connection);
    patiently(() => migrate(file, connection, migrations));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Opens the database, makes it when there is none (0600, in a folder of 0700), and brings its schema up to date.
 * Any number of processes may have the file open. Throws `store_unavailable`, `store_corrupt` or `store_full`.
 */
export function openSqlite(file: string, migrations: readonly Migration[], options: OpenDatabaseOptions = {}): Database {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw storeError(file, error);
    }
  };
  const connection = guarded(() => open(file, migrations, options));
  const mark = options.isCache ? undefined : guarded(() => markOpen(file));
  let closed = false;
  const call = <T>(work: () => T): T => {
    if (closed) throw new TypeError(`the database ${file} is closed`);
    return guarded(() => (connection.inTransaction() ? work() : patiently(work)));
  };
  return {
    file,
    run: (sql, params = []) => call(() => connection.run(sql, params)),
    get: (sql, params = []) => call(() => connection.get(sql, params)),
    all: (sql, params = []) => call(() => connection.all(sql, params)),
    transaction: (work, options = {}) => {
      if (closed) throw new TypeError(`the database ${file} is closed`);
      return runTransaction(connection, work, options, guarded);
    },
    close: () => {
      if (!closed) {
        settle(connection);
        mark?.remove();
        connection.close();
        mark?.tidy();
      }
      closed = true;
    },
  };
}
