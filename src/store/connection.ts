import { loadNative, type Native, type NativeHandle } from './libsql-native.ts';
import type { Row, SqlValue } from './database.ts';

const CACHED_STATEMENTS = 200;
const ROWS_PER_PAGE = 100;

interface Statement {
  readonly handle: NativeHandle;
  readonly parameters: number;
}

/** A connection without any policy: statements are prepared once, values checked before the native library sees them. */
export interface Connection {
  /** Runs statements without parameters and drops their rows. */
  exec(sql: string): void;
  run(sql: string, params: readonly SqlValue[]): { readonly changes: number };
  get(sql: string, params: readonly SqlValue[]): Row | undefined;
  all(sql: string, params: readonly SqlValue[]): readonly Row[];
  inTransaction(): boolean;
  close(): void;
}

/** Number of `?` outside of strings, quoted names and comments. */
export function countParameters(sql: string): number {
  const bare = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g, '');
  if (/\?\d|[:@$][A-Za-z_]/.test(bare)) throw new TypeError(`only plain ? parameters are supported: ${sql}`);
  return bare.split('?').length - 1;
}

/**
 * The native library ends the process when it is given a boolean, and keeps the values of the run before
 * when it is given too few.
 */
function checkParams(sql: string, expected: number, params: readonly unknown[]): void {
  if (params.length !== expected) throw new TypeError(`${expected} parameters expected, ${params.length} given: ${sql}`);
  for (const value of params) {
    const fits = value === null || ['string', 'number', 'bigint'].includes(typeof value) || value instanceof Uint8Array;
    if (!fits) throw new TypeError(`a parameter of type ${typeof value} cannot be stored: ${sql}`);
  }
}

function isSqlValue(value: unknown): value is SqlValue {
  return value === null || ['string', 'number', 'bigint'].includes(typeof value) || value instanceof Uint8Array;
}

/** The library gives blobs as buffers or array buffers, and in single rows a note of its own beside the columns. */
function toRow(raw: object): Row {
  const row: Record<string, SqlValue> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
    else if (value instanceof Uint8Array) row[name] = new Uint8Array(value);
    else if (isSqlValue(value)) row[name] = value;
  }
  return row;
}

function readAll(native: Native, handle: NativeHandle, params: readonly SqlValue[]): readonly Row[] {
  const cursor = native.statementRowsSync.call(handle, params);
  const rows: Row[] = [];
  for (;;) {
    const page: unknown[] = Array.from({ length: ROWS_PER_PAGE });
    native.rowsNext.call(cursor, page);
    for (const raw of page) {
      if (typeof raw !== 'object' || raw === null) return rows;
      rows.push(toRow(raw));
    }
  }
}

/** Opens the file, which must exist. */
export function connect(file: string): Connection {
  const native = loadNative();
  const db = native.databaseOpen(file, '', 'aes256cbc', '', 0, '');
  const cache = new Map<string, Statement>();

  const prepare = (sql: string, params: readonly SqlValue[]): NativeHandle => {
    let statement = cache.get(sql);
    if (statement === undefined) {
      statement = { handle: native.databasePrepareSync.call(db, sql), parameters: countParameters(sql) };
      const [oldest] = cache.keys();
      if (cache.size >= CACHED_STATEMENTS && oldest !== undefined) cache.delete(oldest);
      cache.set(sql, statement);
    }
    checkParams(sql, statement.parameters, params);
    return statement.handle;
  };

  return {
    exec: (sql) => native.databaseExecSync.call(db, sql),
    run: (sql, params) => ({ changes: native.statementRun.call(prepare(sql, params), params).changes }),
    get: (sql, params) => {
      const raw = native.statementGet.call(prepare(sql, params), params);
      if (raw === undefined || raw === null) return undefined;
      const { _metadata, ...columns } = raw;
      return toRow(columns);
    },
    all: (sql, params) => readAll(native, prepare(sql, params), params),
    inTransaction: () => native.databaseInTransaction(db),
    close: () => {
      cache.clear();
      native.databaseClose.call(db);
    },
  };
}
