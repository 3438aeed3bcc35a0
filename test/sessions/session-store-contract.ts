import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredBody, StoredEvent } from '../../src/protocol/events.ts';
import { NO_USAGE } from '../../src/protocol/usage.ts';
import type { Lease, NewEvent, Owner, SessionStore } from '../../src/sessions/store.ts';

/** A backend under test: the same log opened any number of times, as by several processes. */
export interface Backend {
  /** Opens the log; `clock.now` and `alive` are what the store is given. */
  open(options: { readonly now: () => number; readonly isAlive: (owner: Owner) => boolean }): Promise<SessionStore>;
  dispose(): Promise<void>;
}

const owner = (pid: number): Owner => ({ instance: 'test', machine: 'test', pid, started: `start-${pid}` });
const started: StoredBody = { type: 'turn.started', turn_id: 't1', input: [{ type: 'text', text: '  Count the\nlines. ' }] };
const ended: StoredBody = { type: 'turn.completed', turn_id: 't1', status: 'done', usage: NO_USAGE, text: 'Three.' };
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

    it('lets a silent owner keep its lease for 30 s and no longer, unless it renews', async () => {
      const lease = await create('s1', 1);
      time += 25_000;
      await store.renew(lease);
      time += 25_000;
      await expect(store.acquire('s1', owner(2))).rejects.toMatchObject({ code: 'session_busy' });
      time += 6_000;
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
      await expect(store.remove('s1')).rejects.toMatchObject({ code: 'session_busy' });
      await store.release(lease);
      await store.remove('s1');
      expect(await store.get('s1')).toBeUndefined();
      await expect(all(store, 's1')).rejects.toMatchObject({ code: 'session_not_found' });
      await create('s1');
      expect(await all(store, 's1')).toEqual([]);
    });

    it('names a session that does not exist', async () => {
      for (const attempt of [() => store.acquire('nope', owner(1)), () => store.remove('nope'), () => store.fork('nope', { session_id: 'x' }, owner(1)), () => all(store, 'nope')]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'session_not_found', message: expect.stringContaining('nope') });
      }
    });

    it('keeps allow rules by folder', async () => {
      await store.addRules('/one', ['Bash(git status:*)', 'Bash(git status:*)', 'Edit(/src/**)']);
      expect(await store.rules('/one')).toEqual(['Bash(git status:*)', 'Edit(/src/**)']);
      expect(await store.rules('/two')).toEqual([]);
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
