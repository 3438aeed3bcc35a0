import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { leftSessions } from '../../src/sessions/left-sessions.ts';
import { postgresSessions } from '../../src/sessions/postgres-sessions.ts';
import type { NewEvent, Owner, SessionStore } from '../../src/sessions/store.ts';
import { openPostgres, type Postgres } from '../../src/store/postgres/postgres.ts';
import { requireSchema } from '../../src/store/postgres/migrate.ts';
import { POSTGRES_MIGRATIONS } from '../../src/store/postgres/schema.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';
import { describeSessionStore } from './session-store-contract.ts';

describe.skipIf(withoutPostgres)('with PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  describeSessionStore('PostgreSQL', async () => {
    const db = await openPostgres(await cluster.database());
    await requireSchema(db, POSTGRES_MIGRATIONS);
    return {
      open: async ({ isAlive }) => postgresSessions({ db, tenant: 'ann', isAlive, sleep }),
      async pass(ms) {
        await db.query('UPDATE skillmint.sessions SET lease_until = lease_until - $1 * interval \'1 ms\'', [ms]);
      },
      dispose: () => db.close(),
    };
  });
});

describe.skipIf(withoutPostgres)('sessions in PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster({ fsync: true }); });
  afterAll(() => cluster.dispose());

  const owner = (instance: string, pid = 1): Owner => ({ instance, machine: instance, pid, started: '1', service: true });
  const note = (message: string): NewEvent => ({ body: { type: 'warning', code: 'test', message }, time: '2026-01-01T00:00:00.000Z' });
  const begun: NewEvent = { body: { type: 'turn.started', turn_id: 't', input: [{ type: 'text', text: 'secret words' }] }, time: '2026-01-01T00:00:00.000Z' };
  const messages = async (store: SessionStore, id: string): Promise<readonly string[]> => {
    const all: string[] = [];
    for await (const event of store.read(id)) if (event.type === 'warning') all.push(event.message);
    return all;
  };

  async function database(of: Cluster = cluster): Promise<Postgres> {
    const db = await openPostgres(await of.database());
    onTestFinished(() => db.close());
    await requireSchema(db, POSTGRES_MIGRATIONS);
    return db;
  }

  it('of one tenant are not there for another, whatever it asks', async () => {
    const db = await database();
    const [ann, eve] = ['ann', 'eve'].map((tenant) => postgresSessions({ db, tenant, isAlive: () => false, sleep }));
    if (!ann || !eve) throw new Error('no store');
    const lease = await ann.create({ session_id: 's1', cwd: '/work', model: 'm' }, owner('a'));
    await ann.append(lease, [begun, note('of ann')]);
    await ann.addRules('/work', ['Bash(ls)']);
    const attempts: readonly (() => Promise<unknown>)[] = [
      () => messages(eve, 's1'), () => eve.acquire('s1', owner('e')), () => eve.remove(['s1']), () => eve.fork('s1', { session_id: 's2' }, owner('e')),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(eve.append(lease, [note('of eve')])).rejects.toMatchObject({ code: 'session_fenced' });
    await expect(eve.renew(lease)).rejects.toMatchObject({ code: 'session_fenced' });
    await eve.release(lease);
    expect(await eve.get('s1')).toBeUndefined();
    expect(await eve.list({ limit: 9, agents: true, text: 'secret' })).toEqual([]);
    expect(await eve.left()).toEqual([]);
    expect(await eve.rules('/work')).toEqual([]);
    expect(await eve.usage({})).toEqual({ days: [], models: [], skills: [] });
    const own = await eve.create({ session_id: 's1', cwd: '/work', model: 'm' }, owner('e'));
    await eve.append(own, [note('of eve')]);
    await eve.release(own);
    await eve.remove(['s1']);
    await ann.append(lease, [note('still')]);
    expect(await messages(ann, 's1')).toEqual(['of ann', 'still']);
    expect(await ann.left()).toEqual(['s1']);
    expect((await leftSessions(db, () => false)).map(({ tenant, sessionId }) => `${tenant}/${sessionId}`)).toEqual(['ann/s1']);
  });

  it('an append waits for a database that is down, and is stored once', { timeout: 60_000 }, async () => {
    const own = await startCluster({ fsync: true });
    onTestFinished(() => own.dispose());
    const db = await database(own);
    const store = postgresSessions({ db, tenant: 'ann', isAlive: () => true, sleep, patienceMs: 30_000 });
    const lease = await store.create({ session_id: 's1', cwd: '/work', model: 'm' }, owner('a'));
    let written = 0;
    let writing = true;
    const write = async (): Promise<void> => {
      while (writing) {
        await store.append(lease, [note(String(written))]);
        written += 1;
      }
    };
    const done = write();
    for (let kill = 0; kill < 3; kill += 1) {
      await sleep(150);
      await own.stop('SIGKILL');
      await sleep(100);
      await own.start();
    }
    await sleep(150);
    writing = false;
    await done;
    expect(await messages(store, 's1')).toEqual(Array.from({ length: written }, (_, n) => String(n)));
    expect(written).toBeGreaterThan(3);
  });

  it('gives up on a database that stays away, and refuses the others at once', { timeout: 60_000 }, async () => {
    const own = await startCluster();
    onTestFinished(() => own.dispose());
    const db = await database(own);
    const store = postgresSessions({ db, tenant: 'ann', isAlive: () => true, sleep, patienceMs: 300 });
    const lease = await store.create({ session_id: 's1', cwd: '/work', model: 'm' }, owner('a'));
    await own.stop();
    await expect(store.append(lease, [note('x')])).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(store.list({ limit: 1 })).rejects.toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('127.0.0.1') });
  });

  it('of a thousand that two workers want at the same moment each gets one', { timeout: 60_000 }, async () => {
    const db = await database();
    const [a, b] = ['a', 'b'].map(() => postgresSessions({ db, tenant: 'ann', isAlive: () => true, sleep }));
    if (!a || !b) throw new Error('no store');
    const ids = Array.from({ length: 1_000 }, (_, n) => `s${n}`);
    await db.query("INSERT INTO skillmint.sessions (tenant, session_id, cwd, model, created_at, updated_at) SELECT 'ann', unnest($1::text[]), '/work', 'm', '', ''", [ids]);
    const take = async (store: SessionStore, name: string, id: string): Promise<number> => store.acquire(id, owner(name)).then(() => 1, (error: unknown) => {
      expect(error).toMatchObject({ code: 'session_busy' });
      return 0;
    });
    const taken: number[] = [];
    for (let n = 0; n < ids.length; n += 20) {
      taken.push(...(await Promise.all(ids.slice(n, n + 20).map(async (id) => {
        const [one, other] = await Promise.all([take(a, 'a', id), take(b, 'b', id)]);
        return one + other;
      }))));
    }
    expect([taken.length, new Set(taken)]).toEqual([1_000, new Set([1])]);
  });
});
