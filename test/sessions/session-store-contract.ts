import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredBody, StoredEvent } from '../../src/protocol/events.ts';
import { NO_USAGE } from '../../src/protocol/usage.ts';
import type { Lease, NewEvent, Owner, SessionStore } from '../../src/sessions/store.ts';

/** A backend under test: the same log opened any number of times, as by several processes. */
export interface Backend {
  /** Opens the log; `clock.now` and `alive` are what the store is given. */
  open(options: { readonly now: () => number; readonly isAlive: (owner: Owner) => boolean }): Promise<SessionStore>;
  /** Lets so many ms pass for leases, beside what `now` says; for those that go by a clock of their own. */
  pass?(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

const owner = (pid: number): Owner => ({ instance: `test-${pid}`, machine: 'test', pid, started: `start-${pid}` });
const started = { type: 'turn.started', turn_id: 't1', input: [{ type: 'text', text: '  Count the\nlines. ' }] } satisfies StoredBody;
const ended = { type: 'turn.completed', turn_id: 't1', status: 'done', usage: NO_USAGE, text: 'Three.' } satisfies StoredBody;
const note = (message: string): StoredBody => ({ type: 'warning', code: 'test', message });
const event = (body: StoredBody, time = '2026-01-01T00:00:00.000Z'): NewEvent => ({ body, time });

async function all(store: SessionStore, id: string, after?: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const stored of store.read(id, after)) events.push(stored);
  return events;
}

/** What every session log must do, whatever database lies under it. */
export function describeSessionStore(name: string, makeBackend: () => Promise<Backend>): void {
  describe(`session store: ${name}`, () => {
    let backend: Backend;
    let store: SessionStore;
    let dead: Set<number>;
    let time: number;
    const clock = { now: () => time, isAlive: (other: Owner) => !dead.has(other.pid) };
    const create = (id: string, pid = 1, cwd = '/work'): Promise<Lease> => store.create({ session_id: id, cwd, model: 'demo/demo' }, owner(pid));

    beforeEach(async () => {
      dead = new Set();
      time = Date.parse('2026-01-01T00:00:00Z');
      backend = await makeBackend();
      store = await backend.open(clock);
    });
    afterEach(async () => {
      await store.close();
      await backend.dispose();
    });

    it('numbers events from 1 and gives them back as they were, to other openers too', async () => {
      const lease = await create('s1');
      const first = await store.append(lease, [event(started), event(note('ü 数 \u0000'))]);
      const second = await store.append(lease, [event(ended)], { durable: true });
      expect([...first, ...second].map((stored) => stored.seq)).toEqual([1, 2, 3]);
      const other = await backend.open(clock);
      expect(await all(other, 's1')).toEqual([...first, ...second]);
      expect(await all(other, 's1', 2)).toEqual(second);
      await other.close();
    });

    it('reads long logs in order', async () => {
      const lease = await create('s1');
      await store.append(lease, Array.from({ length: 1_203 }, (_, i) => event(note(String(i)))));
      const read = await all(store, 's1');
      expect(read.map((stored) => stored.seq)).toEqual(Array.from({ length: 1_203 }, (_, i) => i + 1));
    });

    it('appends all events of a batch or none', async () => {
      const lease = await create('s1');
      const unserialisable: StoredBody = { type: 'warning', code: 'x', get message(): string { throw new Error('no text'); } };
      await expect(store.append(lease, [event(note('kept?')), event(unserialisable)])).rejects.toThrow('no text');
      expect(await all(store, 's1')).toEqual([]);
      expect((await store.append(lease, [event(note('next'))]))[0]?.seq).toBe(1);
    });

    it('refuses the append of a lease that another has taken, and tells who is busy', async () => {
      const stale = await create('s1', 1);
      await expect(store.acquire('s1', owner(2))).rejects.toMatchObject({ code: 'session_busy', message: expect.stringContaining('process 1') });
      dead.add(1);
      const fresh = await store.acquire('s1', owner(2));
      expect(fresh.epoch).toBeGreaterThan(stale.epoch);
      await expect(store.append(stale, [event(note('late'))])).rejects.toMatchObject({ code: 'session_fenced' });
      await expect(store.renew(stale)).rejects.toMatchObject({ code: 'session_fenced' });
      await store.release(stale);
      await store.append(fresh, [event(note('mine'))]);
      expect(await all(store, 's1')).toHaveLength(1);
    });

    it('lets a silent owner keep its lease for its length and no longer, unless it renews', async () => {
      const pass = async (ms: number): Promise<void> => {
        time += ms;
        await backend.pass?.(ms);
      };
      const lease = await create('s1', 1);
      await pass(store.leaseMs * 0.8);
      await store.renew(lease);
      await pass(store.leaseMs * 0.8);
      await expect(store.acquire('s1', owner(2))).rejects.toMatchObject({ code: 'session_busy' });
      await pass(store.leaseMs * 0.3);
      await expect(store.acquire('s1', owner(2))).resolves.toMatchObject({ session_id: 's1' });
    });

    it('gives a released session to anyone', async () => {
      await store.release(await create('s1', 1));
      await expect(store.acquire('s1', owner(2))).resolves.toMatchObject({ session_id: 's1' });
    });

    it('lists sessions newest first, by folder, with title and status', async () => {
      const a = await create('a', 1, '/one');
      await store.append(a, [event(started, '2026-01-01T00:00:01.000Z')]);
      const b = await create('b', 2, '/two');
      await store.append(b, [event(started, '2026-01-01T00:00:02.000Z'), event(ended, '2026-01-01T00:00:03.000Z')]);
      expect((await store.list({ limit: 10 })).map((session) => [session.session_id, session.status, session.title, session.last_seq])).toEqual([['b', 'done', 'Count the lines.', 2], ['a', 'running', 'Count the lines.', 1]]);
      expect((await store.list({ limit: 10, cwd: '/one' })).map((session) => session.session_id)).toEqual(['a']);
      expect((await store.list({ limit: 1, offset: 1 })).map((session) => session.session_id)).toEqual(['a']);
      dead.add(1);
      expect(await store.get('a')).toMatchObject({ status: 'interrupted' });
    });

    it('lists those with a status or a text alone, also page by page', async () => {
      const said = (text: string): NewEvent => event({ type: 'turn.started', turn_id: 't1', input: [{ type: 'text', text }] });
      const make = async (id: string, pid: number, ...events: readonly NewEvent[]): Promise<Lease> => {
        const lease = await create(id, pid);
        await store.append(lease, events);
        return lease;
      };
      await make('run', 1, said('50% of the Überblick'));
      await make('cut1', 2, said('500 lines'));
      await make('cut2', 2, said('x'));
      await make('end', 1, said('数一数 lines'), event(ended));
      dead.add(2);
      const ids = async (query: object) => (await store.list({ limit: 9, ...query })).map(({ session_id }) => session_id).toSorted();
      expect(await ids({ status: 'running' })).toEqual(['run']);
      expect(await ids({ status: 'interrupted' })).toEqual(['cut1', 'cut2']);
      expect(await store.list({ status: 'interrupted', limit: 1, offset: 1 })).toHaveLength(1);
      expect(await ids({ status: 'done' })).toEqual(['end']);
      expect(await ids({ text: '50%' })).toEqual(['run']);
      expect(await ids({ text: 'LINES' })).toEqual(['cut1', 'end']);
      expect(await ids({ text: '一数', status: 'done' })).toEqual(['end']);
      expect(await ids({ text: 'cut' })).toEqual(['cut1', 'cut2']);
      expect(await ids({ text: "_'" })).toEqual([]);
      await create('away', 1, '/srv/Garden');
      expect(await ids({ text: 'garden' })).toEqual(['away']);
    });

    it('knows whose turns go on by themselves: those of services that are gone', async () => {
      const service = (pid: number): Owner => ({ ...owner(pid), service: true });
      const begin = async (id: string, by: Owner): Promise<Lease> => {
        const lease = await store.create({ session_id: id, cwd: '/work', model: 'demo/demo' }, by);
        await store.append(lease, [event(started)]);
        return lease;
      };
      await begin('alive', service(1));
      await begin('dead', service(2));
      await begin('person', owner(2));
      const ended = await begin('ended', service(2));
      await store.append(ended, [event({ type: 'turn.completed', turn_id: 't1', status: 'done', usage: NO_USAGE, text: '' })]);
      await store.release(await begin('stopped', service(3)));
      dead.add(2);
      expect((await store.left()).toSorted()).toEqual(['dead', 'stopped']);
      await store.acquire('dead', owner(4));
      expect(await store.left()).toEqual(['stopped']);
    });

    it('forks at an event and leaves the parent alone', async () => {
      const lease = await create('s1');
      await store.append(lease, [event(started), event(note('two')), event(ended)]);
      const { lease: fork, at_seq } = await store.fork('s1', { session_id: 's2', atSeq: 2 }, owner(1));
      expect(at_seq).toBe(2);
      const [forked] = await store.append(fork, [event({ type: 'session.forked', parent_id: 's1', at_seq: 2 })]);
      expect(forked?.seq).toBe(3);
      const events = await all(store, 's2');
      expect(events.map((stored) => [stored.session_id, stored.seq, stored.type])).toEqual([['s2', 1, 'turn.started'], ['s2', 2, 'warning'], ['s2', 3, 'session.forked']]);
      expect(await all(store, 's1')).toHaveLength(3);
      expect(await store.get('s2')).toMatchObject({ parent_id: 's1', title: 'Count the lines.' });
    });

    it('removes a session with its events, not while it is in use', async () => {
      const lease = await create('s1');
      await store.append(lease, [event(note('gone'))]);
      await expect(store.remove(['s1'])).rejects.toMatchObject({ code: 'session_busy' });
      await store.release(lease);
      await store.remove(['s1']);
      expect(await store.get('s1')).toBeUndefined();
      await expect(all(store, 's1')).rejects.toMatchObject({ code: 'session_not_found' });
      await create('s1');
      expect(await all(store, 's1')).toEqual([]);
    });

    it('lists sessions of sub-agents only when they are asked for; a fork is none', async () => {
      await create('main');
      await store.release(await store.create({ session_id: 'agent', cwd: '/work', model: 'fake/one', parent_id: 'main', task_id: 'task_1' }, owner(1)));
      const ids = async (query: object) => (await store.list({ limit: 9, ...query })).map(({ session_id }) => session_id).toSorted();
      expect([await ids({}), await ids({ agents: true })]).toEqual([['main'], ['agent', 'main']]);
      expect([await ids({ task: 'task_1' }), await ids({ task: 'task_2' })]).toEqual([['agent'], []]);
      expect(await store.get('agent')).toMatchObject({ parent_id: 'main', task_id: 'task_1' });
    });

    it('removes several sessions together, or none of them', async () => {
      await store.release(await create('s1'));
      const lease = await create('s2');
      await expect(store.remove(['s1', 's2'])).rejects.toMatchObject({ code: 'session_busy' });
      expect(await store.get('s1')).toBeDefined();
      await store.release(lease);
      await store.remove(['s1', 's2']);
      expect([await store.get('s1'), await store.get('s2')]).toEqual([undefined, undefined]);
    });

    it('names a session that does not exist', async () => {
      for (const attempt of [() => store.acquire('nope', owner(1)), () => store.remove(['nope']), () => store.fork('nope', { session_id: 'x' }, owner(1)), () => all(store, 'nope')]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'session_not_found', message: expect.stringContaining('nope') });
      }
    });

    it('keeps allow rules by folder', async () => {
      await store.addRules('/one', ['Bash(git status:*)', 'Bash(git status:*)', 'Edit(/src/**)']);
      expect(await store.rules('/one')).toEqual(['Bash(git status:*)', 'Edit(/src/**)']);
      expect(await store.rules('/two')).toEqual([]);
    });

    it('sums up what turns took, by model and skill, once each, and keeps it when sessions go', async () => {
      const at = (minute: number, ms = 0): string => new Date(Date.parse('2026-01-01T00:00:00Z') + minute * 60_000 + ms).toISOString();
      const reply = (model: string, input: number): StoredBody => ({ type: 'message.completed', role: 'assistant', content: [], model, usage: { input, output: 5, cache_read: 1, cache_write: 2 }, cost_usd: 0.5 });
      const skill: StoredBody = { type: 'skill.activated', skill_id: 'user:pdf', trigger: 'model', digest: 'd', path: '/p', folder: '/f', body: '' };
      const tool: StoredBody = { type: 'tool.completed', call_id: 'c', status: 'ok', output: [], duration_ms: 40 };
      const lease = await create('s1');
      await store.append(lease, [event(started, at(0)), event(reply('a/one', 10), at(0, 300)), event(tool, at(0, 340)), event(skill, at(0, 350)), { ...event(reply('a/one', 1_000), at(0, 360)), agent_id: 'task_1' }, event(reply('b/two', 20), at(0, 560))]);
      await store.append(lease, [event({ ...ended, status: 'waiting' }, at(1))]);
      await store.append(lease, [event(reply('a/one', 1), at(2)), event(ended, at(3))]);
      const two = await create('s2');
      await store.append(two, [event({ ...started, turn_id: 't2' }, at(2_000)), event({ type: 'message.completed', role: 'assistant', content: [] }, at(2_000, 7)), event({ ...ended, turn_id: 't2' }, at(2_001))]);
      const nothing = { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0, tool_ms: 0 };
      const { days, models, skills } = await store.usage({});
      expect(days.map(({ day, name, turns, steps, cost_usd }) => [day, name, turns, steps, cost_usd])).toEqual([['2026-01-01', '', 1, 3, 1.5], ['2026-01-02', '', 1, 1, 0]]);
      expect(models).toEqual([
        { day: '2026-01-01', name: 'a/one', turns: 1, steps: 2, input: 11, output: 10, cache_read: 2, cache_write: 4, cost_usd: 1, model_ms: 300 + 60_000, tool_ms: 40 },
        { day: '2026-01-01', name: 'b/two', turns: 1, steps: 1, input: 20, output: 5, cache_read: 1, cache_write: 2, cost_usd: 0.5, model_ms: 200, tool_ms: 0 },
        { day: '2026-01-02', name: 'demo/demo', turns: 1, steps: 1, ...nothing, model_ms: 7 },
      ]);
      expect(skills).toEqual([{ day: '2026-01-01', name: 'user:pdf', turns: 1, steps: 3, input: 31, output: 15, cache_read: 3, cache_write: 6, cost_usd: 1.5, model_ms: 60_500, tool_ms: 40 }]);
      await store.release(two);
      await store.remove(['s2']);
      expect((await store.usage({ from: '2026-01-02', to: '2026-01-02' })).models).toHaveLength(1);
      expect((await store.usage({ from: '2026-01-03' })).models).toEqual([]);
    });

    it('takes fifty creations at once from eight openers', async () => {
      const stores = await Promise.all(Array.from({ length: 8 }, () => backend.open(clock)));
      await Promise.all(Array.from({ length: 50 }, async (_, i) => {
        const mine = stores[i % 8] ?? store;
        const lease = await mine.create({ session_id: `many-${i}`, cwd: '/work', model: 'demo/demo' }, owner(i));
        await mine.append(lease, [event(started), event(ended)], { durable: true });
      }));
      expect(await store.list({ limit: 100 })).toHaveLength(50);
      for (const other of stores) await other.close();
    });
  });
}
