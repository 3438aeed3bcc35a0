import type { Pool, PoolClient } from 'pg';
import { SkillmintError } from '../../protocol/errors.ts';
import { databaseAddress } from './address.ts';
import { postgresError } from './postgres-error.ts';

/** What a parameter may be. There are no dates: moments are those of the database's clock. */
export type PgValue = string | number | bigint | boolean | Uint8Array | null | readonly (string | number | null)[];

/** A row by column name. Numbers of 64 bits come as strings. */
export type PgRow = Readonly<Record<string, string | number | boolean | Date | null>>;

/** What a statement gave. */
export interface PgResult {
  readonly rows: readonly PgRow[];
  /** Rows that were given or changed. */
  readonly count: number;
}

/** Runs statements with parameters `$1`, `$2` …. U+0000, which PostgreSQL does not store in text, becomes U+FFFD. */
export interface Queries {
  query(sql: string, params?: readonly PgValue[]): Promise<PgResult>;
}

/**
 * A PostgreSQL database through a pool of connections. Failures of the database are `SkillmintError`s (`store_unavailable`,
 * `store_full`, `store_corrupt`); wrong SQL is a programmer's error and thrown as it is.
 */
export interface Postgres extends Queries {
  /** As it was given, with the password. Never shown. */
  readonly url: string;
  /** Host, port and name, for people. */
  readonly place: string;
  /** For libraries that write their own SQL, maybe of several statements; gives the rows of the last one that has any. */
  executeSql(sql: string, values?: readonly unknown[]): Promise<{ readonly rows: PgRow[] }>;
  /** Runs `work` in one transaction on one connection; what it throws rolls it back and is thrown on. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Nothing is asked of it any more: every call from now on rejects with this. */
  refuse(error: SkillmintError): void;
  /** Waits for what runs; further calls reject with store_unavailable. Closing twice is no error. */
  close(): Promise<void>;
}

/** How a database is opened. */
export interface PostgresOptions {
  /** Most connections of this process, 10 unless told. */
  readonly connections?: number;
  /** Longest wait for a free or new connection, ms. */
  readonly connectMs?: number;
}

const USUAL_CONNECTIONS = 10;
const CONNECT_MS = 5_000;
const IDLE_MS = 30_000;

/** Opens a pool; nothing is connected before the first statement. @throws SkillmintError usage when the URL is none */
export async function openPostgres(url: string, { connections = USUAL_CONNECTIONS, connectMs = CONNECT_MS }: PostgresOptions = {}): Promise<Postgres> {
  const { place } = databaseAddress(url);
  const { default: pg } = await import('pg');
  const pool: Pool = new pg.Pool({ connectionString: url, max: connections, connectionTimeoutMillis: connectMs, idleTimeoutMillis: IDLE_MS, application_name: 'skillmint', keepAlive: true });
  // A connection that breaks while nobody uses it is replaced by the pool; whoever uses one is told by its statement.
  pool.on('error', () => undefined);
  let refusal: SkillmintError | undefined;
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (refusal) throw refusal;
    try {
      return await work();
    } catch (error) {
      throw postgresError(place, error);
    }
  };
  let closing: Promise<void> | undefined;
  const unlessClosed = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing) throw new SkillmintError('store_unavailable', `the connection to the database ${place} was closed`);
    return work();
  };
  return {
    url,
    place,
    query: (sql, params = []) => unlessClosed(() => guarded(() => run(pool, sql, params))),
    executeSql: (sql, values = []) => unlessClosed(() => guarded(() => run(pool, sql, values))),
    transaction: (work) => unlessClosed(() => transaction({ pool, guarded }, work)),
    refuse(error) {
      refusal = error;
    },
    close: () => (closing ??= pool.end()),
  };
}

interface Guarded {
  readonly pool: Pool;
  readonly guarded: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Only the database's own steps are guarded: what `work` throws belongs to its caller. */
async function transaction<T>({ pool, guarded }: Guarded, work: (queries: Queries) => Promise<T>): Promise<T> {
  const client = await guarded(() => pool.connect());
  let broken: Error | undefined;
  const noteBroken = (error: Error): void => { broken = error; };
  client.on('error', noteBroken);
  try {
    await guarded(() => client.query('BEGIN'));
    const result = await work({ query: (sql, params = []) => guarded(() => run(client, sql, params)) });
    await guarded(() => client.query('COMMIT'));
    return result;
  } catch (error) {
    broken ??= await rollBack(client);
    throw error;
  } finally {
    client.off('error', noteBroken);
    client.release(broken);
  }
}

/** What makes the connection useless, if anything: its end rolls back, too. */
async function rollBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function run(on: Pool | PoolClient, sql: string, params: readonly unknown[]): Promise<{ readonly rows: PgRow[]; readonly count: number }> {
  const result = await on.query<PgRow>(sql, params.map((value) => (typeof value === 'string' ? storable(value) : value)));
  const results = [result].flat();
  const { rows, rowCount } = results.findLast((one) => one.rows.length > 0) ?? result;
  return { rows, count: rowCount ?? 0 };
}

function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}
