import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { SessionEvent, StoredBody } from '../../src/protocol/events.ts';
import { NO_USAGE } from '../../src/protocol/usage.ts';
import { followSession, type FollowedEvent } from '../../src/runtime/follow/follow-session.ts';
import { openDeltaHub } from '../../src/sessions/delta-hub.ts';
import type { EventBus, TurnReply, TurnRequest } from '../../src/sessions/event-bus.ts';
import { postgresBus } from '../../src/sessions/postgres-bus.ts';
import { postgresSessions } from '../../src/sessions/postgres-sessions.ts';
import type { Lease, SessionStore } from '../../src/sessions/store.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { POSTGRES_MIGRATIONS } from '../../src/store/postgres/schema.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';
import { describeEventBus } from './event-bus-contract.ts';

interface Worker {
  readonly name: string;
  readonly bus: EventBus;
  readonly store: SessionStore;
  /** Stores events and publishes them, as a turn does. */
  say(lease: Lease, ...bodies: readonly StoredBody[]): Promise<void>;
  speak(text: string): void;
  follow(after?: number): { readonly got: FollowedEvent[]; readonly stop: () => void };
  acquire(): Promise<Lease>;
}

const time = '2026-01-01T00:00:00.000Z';
const said = (text: string): StoredBody => ({ type: 'message.completed', role: 'assistant', content: [{ type: 'text', text }] });
const started: StoredBody = { type: 'turn.started', turn_id: 't', input: [{ type: 'text', text: 'go' }] };
const done: StoredBody = { type: 'turn.completed', turn_id: 't', status: 'done', usage: NO_USAGE, text: '' };

describe.skipIf(withoutPostgres)('with PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  /** Opens a worker, as a process of its own would. */
  async function worker(url: string, name: string, tenant = 'ann'): Promise<Worker> {
    const db = await openPostgres(url);
    await migratePostgres(db, POSTGRES_MIGRATIONS);
    const hub = await openDeltaHub(db);
    const bus = postgresBus({ db, hub, tenant, instance: name });
    const store = postgresSessions({ db, tenant, isAlive: () => true, sleep });
    onTestFinished(async () => {
      await bus.close();
      await hub.close();
      await db.close();
    });
    return {
      name, bus, store,
      async say(lease, ...bodies) {
        for (const event of await store.append(lease, bodies.map((body) => ({ body, time })))) bus.publish('ses_a', event);
      },
      speak: (text) => bus.publish('ses_a', { session_id: 'ses_a', time, type: 'text.delta', text }),
      follow(after) {
        const stop = new AbortController();
        onTestFinished(() => stop.abort());
        const got: FollowedEvent[] = [];
        const read = async (): Promise<void> => {
          for await (const event of followSession({ store, bus }, 'ses_a', { signal: stop.signal, ...(after === undefined ? {} : { after }) })) got.push(event);
        };
        read().catch((error: unknown) => { if (!stop.signal.aborted) throw error; });
        return { got, stop: () => stop.abort() };
      },
      acquire: () => store.acquire('ses_a', { instance: name, machine: name, pid: 1, started: '1' }),
    };
  }

  const seen = (events: readonly FollowedEvent[]): string => events.map((event) => (event.type === 'text.delta' ? event.text : event.seq === undefined ? `(${event.type})` : `[${event.seq}]`)).join('');
  const create = (one: Worker): Promise<Lease> => one.store.create({ session_id: 'ses_a', cwd: '/work', model: 'demo/demo' }, { instance: one.name, machine: one.name, pid: 1, started: '1' });

  describeEventBus('PostgreSQL', async () => {
    const url = await cluster.database();
    const [own, other] = [await worker(url, 'own'), await worker(url, 'other')];
    const lease = await create(other);
    return { bus: own.bus, writeElsewhere: () => other.say(lease, { type: 'warning', code: 'test', message: 'x' }) };
  });

  it('gives a message to the worker that runs the turn, once, and its answer back; a tenant hears nothing of another', async () => {
    const url = await cluster.database();
    const [a, b, c, stranger] = [await worker(url, 'a'), await worker(url, 'b'), await worker(url, 'c'), await worker(url, 'd', 'bob')];
    const got: TurnRequest[] = [];
    const take = async (request: TurnRequest): Promise<TurnReply> => {
      got.push(request);
      if (request.kind === 'stop') return { kind: 'stopped' };
      if (request.text === 'no') return { kind: 'refused', reason: 'not now' };
      return { kind: 'taken', turn_id: `turn of ${request.key}` };
    };
    b.bus.onSend((id) => (id === 'ses_a' ? take : undefined));
    c.bus.onSend(() => undefined);
    stranger.bus.onSend(() => async () => { throw new Error('a message of somebody else'); });
    const messages = ['k1', 'k2', 'k3'].map((key) => ({ kind: 'message' as const, text: 'hello', attachments: [{ type: 'image' as const, media_type: 'image/png', data: 'x'.repeat(20_000) }], key }));
    expect(await Promise.all(messages.map((message) => a.bus.send('ses_a', message)))).toEqual(messages.map(({ key }) => ({ kind: 'taken', turn_id: `turn of ${key}` })));
    expect(got).toHaveLength(3);
    expect(got).toEqual(expect.arrayContaining(messages));
    expect(await a.bus.send('ses_a', { kind: 'message', text: 'no', attachments: [], key: 'k4' })).toEqual({ kind: 'refused', reason: 'not now' });
    expect(await a.bus.send('ses_b', { kind: 'message', text: 'x', attachments: [], key: 'k5' })).toBeUndefined();
    expect(await a.bus.send('ses_a', { kind: 'stop' })).toEqual({ kind: 'stopped' });
    expect(await a.bus.send('ses_b', { kind: 'stop' })).toBeUndefined();
    const db = await openPostgres(url);
    onTestFinished(() => db.close());
    expect((await db.query('SELECT FROM skillmint.messages')).count).toBe(0);
  });

  it('a worker that closes while it takes a message breaks nothing', async () => {
    const url = await cluster.database();
    const a = await worker(url, 'a');
    const db = await openPostgres(url);
    const hub = await openDeltaHub(db);
    const bus = postgresBus({ db, hub, tenant: 'ann', instance: 'b' });
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      bus.onSend(() => () => new Promise<TurnReply>((reply) => {
        answer = () => reply({ kind: 'again' });
        resolve();
      }));
    });
    const sent = a.bus.send('ses_a', { kind: 'message', text: 'x', attachments: [], key: 'k' });
    await asked;
    await bus.close();
    await hub.close();
    await db.close();
    // What is rejected and nobody handles fails this file.
    answer();
    const left = await openPostgres(url);
    onTestFinished(() => left.close());
    expect((await left.query('DELETE FROM skillmint.messages WHERE is_taken AND reply IS NULL')).count).toBe(1);
    expect(await sent).toBeUndefined();
  });

  it('a request that comes while the worker of the turn cannot hear is taken once it can', async () => {
    const url = await cluster.database();
    const a = await worker(url, 'a');
    const db = await openPostgres(url);
    onTestFinished(() => db.close());
    const listening = async (): Promise<readonly number[]> => (await db.query("SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'")).rows.map((row) => Number(row['pid']));
    const before = await listening();
    const b = await worker(url, 'b');
    b.bus.onSend(() => async () => ({ kind: 'stopped' }));
    const [pid] = (await listening()).filter((one) => !before.includes(one));
    expect((await db.query('SELECT pg_terminate_backend($1)', [pid ?? 0])).count).toBe(1);
    await expect.poll(async () => (await db.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid ?? 0])).count).toBe(0);
    expect(await a.bus.send('ses_a', { kind: 'stop' })).toEqual({ kind: 'stopped' });
  });

  it('a stop does not wait behind a message, and what no sender waits for any more is not done', async () => {
    const url = await cluster.database();
    const [a, b] = [await worker(url, 'a'), await worker(url, 'b')];
    const db = await openPostgres(url);
    onTestFinished(() => db.close());
    const put = (text: string, agoMs: number): Promise<unknown> => db.query("INSERT INTO skillmint.messages (tenant, session_id, message, at) VALUES ('ann', 'ses_a', $1, clock_timestamp() - $2 * interval '1 ms')", [JSON.stringify({ kind: 'message', text, attachments: [], key: text }), agoMs]);
    await put('from a sender that was killed', 2_000);
    await put('first', 10);
    await put('second', 0);
    const got: string[] = [];
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => { stop = resolve; });
    b.bus.onSend(() => async (request) => {
      got.push(request.kind === 'message' ? request.text : 'stop');
      if (request.kind === 'stop') stop();
      await stopped;
      return request.kind === 'stop' ? { kind: 'stopped' } : { kind: 'again' };
    });
    expect(await a.bus.send('ses_a', { kind: 'stop' })).toEqual({ kind: 'stopped' });
    await expect.poll(() => got.length).toBe(3);
    expect(got.filter((one) => one !== 'stop')).toEqual(['first', 'second']);
  });

  it('who has taken a request and lost the session does not let its sender wait', async () => {
    const url = await cluster.database();
    const [a, b] = [await worker(url, 'a'), await worker(url, 'b')];
    const lease = await create(b);
    const asked = new Promise<void>((resolve) => {
      b.bus.onSend(() => () => {
        resolve();
        return new Promise<TurnReply>(() => undefined);
      });
    });
    const sent = a.bus.send('ses_a', { kind: 'message', text: 'x', attachments: [], key: 'k' });
    await asked;
    await sleep(600);
    await b.store.release(lease);
    expect(await sent).toBeUndefined();
  });

  it('gives what one worker says to those who follow at another: every word once, in order with what is stored', async () => {
    const url = await cluster.database();
    const [a, b] = [await worker(url, 'a'), await worker(url, 'b')];
    const lease = await create(a);
    await a.say(lease, started);
    const early = b.follow();
    a.speak('Hel');
    a.speak('lo ');
    await expect.poll(() => seen(early.got)).toBe('[1]Hello ');
    const late = b.follow();
    await expect.poll(() => seen(late.got)).toBe('[1]Hello ');
    a.speak('world');
    await a.say(lease, said('Hello world'));
    a.speak('More');
    await expect.poll(() => seen(early.got)).toMatch(/^\[1\]Hello (world)?\[2\]More$/);
    await a.say(lease, said('More'), done);
    await expect.poll(() => seen(early.got)).toMatch(/\[2\]More\[3\]\[4\]$/);
    expect(seen(late.got)).toMatch(/^\[1\]Hello (world)?\[2\]More\[3\]\[4\]$/);
  });

  it('says nothing again that is stored by the time somebody comes, though it lies there for a moment', async () => {
    const url = await cluster.database();
    const [a, b] = [await worker(url, 'a'), await worker(url, 'b')];
    const lease = await create(a);
    await a.say(lease, started);
    a.speak('Hello');
    const { got, stop } = b.follow();
    await expect.poll(() => seen(got)).toBe('[1]Hello');
    stop();
    // Stored, and those who tell of it are slow.
    await a.store.append(lease, [{ body: said('Hello'), time }, { body: { type: 'warning', code: 'x', message: '' }, time }]);
    const late = b.follow();
    await expect.poll(() => seen(late.got)).toBe('[1][2][3]');
    a.speak('More');
    await expect.poll(() => seen(late.got)).toContain('More');
    expect(seen(late.got)).toBe('[1][2][3]More');
  });

  it('leaves nothing of what was said once it is stored', async () => {
    const url = await cluster.database();
    const a = await worker(url, 'a');
    const db = await openPostgres(url);
    onTestFinished(() => db.close());
    const deltas = async (): Promise<number> => (await db.query('SELECT FROM skillmint.deltas')).count;
    const lease = await create(a);
    await a.say(lease, started);
    a.speak('Hello');
    await expect.poll(deltas).toBe(1);
    await a.say(lease, said('Hello'), done);
    await expect.poll(deltas).toBe(0);
  });

  it('goes on with those who follow when another worker takes the session over, and hears nothing of the one before', async () => {
    const url = await cluster.database();
    const [a, b] = [await worker(url, 'a'), await worker(url, 'b')];
    const lease = await create(a);
    await a.say(lease, started);
    const [atA, atB] = [a.follow(), b.follow()];
    a.speak('of A ');
    await expect.poll(() => seen(atB.got)).toBe('[1]of A ');
    await a.store.release(lease);
    const taken = await b.acquire();
    await b.say(taken, { type: 'turn.resumed', turn_id: 't' });
    b.speak('of B ');
    await expect.poll(() => seen(atA.got)).toBe('[1]of A [2]of B ');
    a.speak('too late');
    await sleep(150);
    const late = b.follow(2);
    await expect.poll(() => seen(late.got)).toBe('of B ');
    await b.say(taken, said('of B'), done);
    await expect.poll(() => seen(atB.got)).toBe('[1]of A [2]of B [3][4]');
    expect(seen(late.got)).toBe('of B [3][4]');
  });

  it('shows those who follow elsewhere what sub-agents do', async () => {
    const url = await cluster.database();
    const [a, b] = [await worker(url, 'a'), await worker(url, 'b')];
    const lease = await create(a);
    await a.say(lease, started);
    const { got } = b.follow();
    await expect.poll(() => got.length).toBe(1);
    const ofAgent: SessionEvent = { type: 'tool.started', call_id: 'c', session_id: 'ses_child', seq: 7, time, agent_id: 'task_1', is_sub_agent: true };
    a.bus.publish('ses_a', ofAgent);
    await expect.poll(() => got.at(-1)).toEqual({ ...ofAgent, seq: undefined });
  });

  it('hears again after the database was restarted, and misses nothing', { timeout: 60_000 }, async () => {
    const own = await startCluster();
    onTestFinished(() => own.dispose());
    const url = await own.database();
    const [a, b] = [await worker(url, 'a'), await worker(url, 'b')];
    const lease = await create(a);
    await a.say(lease, started);
    const { got } = b.follow();
    await expect.poll(() => got.length).toBe(1);
    await own.stop();
    a.speak('said while it was down ');
    await own.start();
    await expect.poll(() => seen(got), { timeout: 20_000 }).toBe('[1]said while it was down ');
    await a.say(lease, said('x'), done);
    await expect.poll(() => seen(got)).toMatch(/\[2\]\[3\]$/);
  });

  it('tells of a session that is removed elsewhere', async () => {
    const url = await cluster.database();
    const [a, b] = [await worker(url, 'a'), await worker(url, 'b')];
    await a.store.release(await create(a));
    const stop = new AbortController();
    const ended = (async () => { for await (const _ of followSession({ store: b.store, bus: b.bus }, 'ses_a', { signal: stop.signal })); })();
    ended.catch(() => undefined);
    await sleep(100);
    await a.store.remove(['ses_a']);
    a.bus.reread('ses_a');
    await expect(ended).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('says nothing to another tenant, whatever session it names', async () => {
    const url = await cluster.database();
    const [a, eve] = [await worker(url, 'a', 'ann'), await worker(url, 'e', 'eve')];
    const lease = await create(a);
    const got: SessionEvent[] = [];
    await eve.bus.follow('ses_a', { onEvent: (event) => void got.push(event), onElsewhere: () => void got.push({ session_id: 'x', time, type: 'text.delta', text: 'elsewhere' }), onClose: () => undefined });
    await a.say(lease, started);
    a.speak('secret');
    await sleep(300);
    expect(got).toEqual([]);
  });
});
