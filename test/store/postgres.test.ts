import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSharedDatabase } from '../../src/runtime/database/shared-database.ts';
import { migrateDatabase } from '../../src/runtime/database/postgres-schema.ts';
import { migratePostgres, requireSchema, schemaState } from '../../src/store/postgres/migrate.ts';
import { openPostgres, type Postgres, type PostgresOptions } from '../../src/store/postgres/postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../src/store/postgres/schema.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';

const SECRET = 'pass-word-of-nobody';

describe.skipIf(withoutPostgres)('a database of PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster({ maxConnections: 20 }); });
  afterAll(() => cluster.dispose());

  async function opened(url: string, options?: PostgresOptions): Promise<Postgres> {
    const db = await openPostgres(url, options);
    onTestFinished(() => db.close());
    return db;
  }

  const failure = async (url: string, options: PostgresOptions = {}): Promise<Error> => {
    const db = await opened(url, options);
    try {
      await db.query('SELECT 1');
    } catch (error) {
      if (error instanceof Error) return error;
    }
    throw new Error('it did not fail');
  };

  it('says in one sentence what is wrong, where, and never the password', async () => {
    const admin = await opened(await cluster.database());
    await admin.query(`CREATE ROLE locked LOGIN PASSWORD '${SECRET}'`);
    const cases: readonly (readonly [string, string, RegExp])[] = [
      ['nobody listens', cluster.url('x', { port: 1, password: SECRET }), /127\.0\.0\.1:1\/x: nothing answers there/],
      ['no such host', `postgres://me:${SECRET}@no-such-host.invalid:5432/x`, /no-such-host\.invalid:5432\/x: (there is no host of that name|the name of the host cannot be looked up)/],
      ['wrong password', cluster.url('postgres', { user: 'locked', password: `not-${SECRET}` }), /user or password are wrong/],
      ['no password', cluster.url('postgres', { user: 'locked' }), /user or password are wrong/],
      ['no such database', cluster.url('nowhere', { password: SECRET }), /nowhere: there is no database of that name/],
    ];
    for (const [name, url, says] of cases) {
      const error = await failure(url);
      expect(error, name).toMatchObject({ code: 'store_unavailable', message: expect.stringMatching(says) });
      expect(error.message).not.toMatch(SECRET);
      expect(error.message).not.toMatch('\n');
    }
    for (const url of ['', 'not a url', `mysql://me:${SECRET}@host/x`, `postgres://me:${SECRET}@host`, `postgres://me:${SECRET}@host/%`]) {
      const error: unknown = await openPostgres(url).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining('postgres://USER:PASSWORD@HOST') });
      expect(String(error)).not.toMatch(SECRET);
    }
  });

  it('says that all connections are in use: those of this process, or those of the server', async () => {
    const url = await cluster.database();
    const db = await opened(url, { connections: 1, connectMs: 200 });
    let release = (): void => undefined;
    const held = db.transaction(() => new Promise<void>((resolve) => { release = resolve; }));
    await expect(db.query('SELECT 1')).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('all connections of this process stayed in use') });
    release();
    await held;
    await expect(db.query('SELECT 1')).resolves.toMatchObject({ count: 1 });
    const many = await opened(url, { connections: 30 });
    const sleeping = Array.from({ length: 30 }, () => many.query('SELECT pg_sleep(0.3)'));
    const results = await Promise.allSettled(sleeping);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) expect(error).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('max_connections') });
  });

  it('leaves wrong SQL and what a transaction throws as they are, and rolls back', async () => {
    const db = await opened(await cluster.database());
    await db.query('CREATE TABLE t (n integer)');
    await expect(db.query('SELEC 1')).rejects.toMatchObject({ code: '42601' });
    await expect(db.transaction(async (queries) => {
      await queries.query('INSERT INTO t VALUES (1)');
      throw new TypeError('mine');
    })).rejects.toThrow(TypeError);
    expect((await db.query('SELECT FROM t')).count).toBe(0);
    await db.transaction((queries) => queries.query('INSERT INTO t VALUES ($1)', [2]));
    expect((await db.query('SELECT n FROM t')).rows).toEqual([{ n: 2 }]);
    expect((await db.query('SELECT $1::text AS text', ['a\0b'])).rows).toEqual([{ text: 'a\uFFFDb' }]);
  });

  it('gets its tables once from four who begin at the same moment', async () => {
    const url = await cluster.database();
    const all = await Promise.all(Array.from({ length: 4 }, () => openSharedDatabase(url, { connections: 2 })));
    const [one] = all;
    expect((await one?.db.query('SELECT version FROM skillmint.schema_migrations'))?.count).toBe(POSTGRES_MIGRATIONS.length);
    for (const shared of all) await shared.close();
  });

  it('refuses a schema of a newer program, and of an older one until it is migrated', async () => {
    const db = await opened(await cluster.database());
    const more = [...POSTGRES_MIGRATIONS, { version: 900, name: 'a later one', sql: 'CREATE TABLE skillmint.later (tenant text)' }];
    await requireSchema(db, POSTGRES_MIGRATIONS);
    await expect(requireSchema(db, more)).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('skillmint db migrate') });
    expect(await migratePostgres(db, more)).toEqual({ from: POSTGRES_MIGRATIONS.at(-1)?.version, to: 900 });
    expect(await schemaState(db, more)).toMatchObject({ kind: 'current', version: 900 });
    await expect(requireSchema(db, POSTGRES_MIGRATIONS)).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('update skillmint') });
    await expect(migrateDatabase(db)).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('applies all steps or none', async () => {
    const db = await opened(await cluster.database());
    const broken = [...POSTGRES_MIGRATIONS, { version: 900, name: 'broken', sql: 'CREATE TABLE skillmint.half (n integer); SELECT nonsense' }];
    await expect(migratePostgres(db, broken)).rejects.toMatchObject({ code: '42703' });
    expect(await schemaState(db, POSTGRES_MIGRATIONS)).toMatchObject({ kind: 'empty' });
    await requireSchema(db, POSTGRES_MIGRATIONS);
  });

  it('does not take tables of another program for its own, and leaves them alone', async () => {
    const db = await opened(await cluster.database());
    await db.query('CREATE TABLE public.sessions (theirs text)');
    await requireSchema(db, POSTGRES_MIGRATIONS);
    expect((await db.query('SELECT theirs FROM public.sessions')).count).toBe(0);
  });

  it('is used again as soon as it is back', { timeout: 30_000 }, async () => {
    const own = await startCluster();
    onTestFinished(() => own.dispose());
    const db = await opened(await own.database());
    await db.query('SELECT 1');
    await own.stop('SIGKILL');
    // What serves a connection outlives the server that was killed by a moment.
    await expect.poll(() => db.query('SELECT 1').catch((error: unknown) => error)).toMatchObject({ code: 'store_unavailable' });
    await own.start();
    await expect.poll(() => db.query('SELECT 1').then(({ count }) => count, () => 0)).toBe(1);
  });
});
