import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Owner, SessionStore } from '../../src/sessions/store.ts';
import type { TurnOutcome, TurnQueue } from '../../src/sessions/turn-queue.ts';

/** A backend under test: the same queue opened any number of times, as by several processes. */
export interface QueueBackend {
  /** Opens queue and log; `clock.now` and `isAlive` are what they are given. */
  open(options: { readonly now: () => number; readonly isAlive: (owner: Owner) => boolean }): Promise<{ readonly queue: TurnQueue; readonly store: SessionStore }>;
  dispose(): Promise<void>;
}

const owner = (pid: number): Owner => ({ instance: `test-${pid}`, machine: 'test', pid, started: `start-${pid}`, service: true });

/** What every queue of turns must do, whatever lies under it. */
export function describeTurnQueue(name: string, mostWorkers: 'one' | 'many', makeBackend: () => Promise<QueueBackend>): void {
  describe(`queue of turns: ${name}`, () => {
    let backend: QueueBackend;
    let queue: TurnQueue;
    let store: SessionStore;
    let dead: Set<number>;
    let skipped: number;
    let workers: { readonly stop: AbortController; readonly ended: Promise<unknown> }[];
    const checks = { now: () => Date.now() + skipped, isAlive: (other: Owner) => !dead.has(other.pid) };

    beforeEach(async () => {
      dead = new Set();
      skipped = 0;
      workers = [];
      backend = await makeBackend();
      ({ queue, store } = await backend.open(checks));
      for (const id of ['a', 'b', 'c', 'd', 'e']) await store.release(await store.create({ session_id: id, cwd: '/work', model: 'demo/demo' }, owner(1)));
    });
    afterEach(async () => {
      for (const { stop } of workers) stop.abort();
      await Promise.allSettled(workers.map(({ ended }) => ended));
      await store.close();
      await backend.dispose();
    });

    const work = (turn: (id: string) => Promise<TurnOutcome>, { pid = 1, parallel = 4, on = queue, left = async (): Promise<readonly string[]> => [] } = {}): { readonly stop: AbortController; readonly ended: Promise<void> } => {
      const stop = new AbortController();
      const ended = on.work({ owner: owner(pid), signal: stop.signal, parallel, turn, left });
      ended.catch(() => undefined);
      workers.push({ stop, ended });
      return { stop, ended };
    };
    const taken: string[] = [];
    beforeEach(() => void taken.splice(0));
    const take = async (id: string): Promise<TurnOutcome> => {
      taken.push(id);
      return 'done';
    };

    it('takes each session once, however often it was woken before, also from another opener', async () => {
      const other = await backend.open(checks);
      for (const id of ['a', 'b', 'a']) await queue.wake(id);
      await other.queue.wake('b');
      work(take);
      await expect.poll(() => taken.length).toBe(2);
      await other.queue.wake('c');
      await expect.poll(() => taken.toSorted(), { timeout: 5_000 }).toEqual(['a', 'b', 'c']);
      await other.store.close();
    });

    it('takes a session again that is woken while it is worked on, and never twice at a time', async () => {
      let atOnce = 0;
      let most = 0;
      work(async (id) => {
        most = Math.max(most, ++atOnce);
        taken.push(id);
        if (taken.length < 6) await queue.wake('a');
        await sleep(20);
        atOnce--;
        return 'done';
      });
      await queue.wake('a');
      await expect.poll(() => taken.length, { timeout: 5_000 }).toBe(6);
      await sleep(100);
      expect([taken.length, most]).toEqual([6, 1]);
    });

    it('works on as many at once as it is told', async () => {
      let atOnce = 0;
      let most = 0;
      for (const id of ['a', 'b', 'c', 'd', 'e']) await queue.wake(id);
      work(async (id) => {
        most = Math.max(most, ++atOnce);
        await sleep(30);
        atOnce--;
        return take(id);
      }, { parallel: 2 });
      await expect.poll(() => taken.length, { timeout: 5_000 }).toBe(5);
      expect(most).toBe(2);
    });

    it('keeps what is to be taken later, and tries it again', async () => {
      await queue.wake('a');
      work(async (id) => ((await take(id)) && taken.length < 3 ? 'later' : 'done'));
      await expect.poll(() => { skipped += 2_000; return taken.length; }, { timeout: 10_000 }).toBe(3);
      await sleep(100);
      expect(taken).toEqual(['a', 'a', 'a']);
    });

    it.runIf(mostWorkers === 'one')('has one worker; the next one begins when it has stopped', async () => {
      const first = work(take);
      const other = await backend.open(checks);
      await expect(work(take, { pid: 2, on: other.queue }).ended).rejects.toMatchObject({ code: 'queue_busy', message: expect.stringContaining('Process 1 ') });
      await expect(work(take).ended).rejects.toMatchObject({ code: 'queue_busy' });
      first.stop.abort();
      await first.ended;
      work(take, { pid: 2, on: other.queue });
      await queue.wake('a');
      await expect.poll(() => taken, { timeout: 5_000 }).toEqual(['a']);
      for (const { stop } of workers) stop.abort();
      await Promise.allSettled(workers.map(({ ended }) => ended));
      await other.store.close();
    });

    it.runIf(mostWorkers === 'one')('gives a session of a worker that has died to the next one, at once', async () => {
      await queue.wake('a');
      let release = (): void => undefined;
      const held = new Promise<TurnOutcome>((resolve) => { release = () => resolve('done'); });
      const first = work(async (id) => (await take(id)) && held);
      await expect.poll(() => taken).toEqual(['a']);
      dead.add(1);
      const other = await backend.open(checks);
      work(take, { pid: 2, on: other.queue });
      await expect.poll(() => taken, { timeout: 5_000 }).toEqual(['a', 'a']);
      // What the dead one still would say changes nothing.
      await other.queue.wake('b');
      release();
      first.stop.abort();
      await first.ended.catch(() => undefined);
      await expect.poll(() => taken, { timeout: 5_000 }).toEqual(['a', 'a', 'b']);
      for (const { stop } of workers) stop.abort();
      await Promise.allSettled(workers.map(({ ended }) => ended));
      await other.store.close();
    });

    it.runIf(mostWorkers === 'one')('keeps a worker that is silent for 30 s and no longer', async () => {
      work(take);
      const other = await backend.open(checks);
      skipped = 25_000;
      await expect(work(take, { pid: 2, on: other.queue }).ended).rejects.toMatchObject({ code: 'queue_busy' });
      skipped = 31_000;
      const second = work(take, { pid: 2, on: other.queue });
      await queue.wake('a');
      await expect.poll(() => taken, { timeout: 5_000 }).toEqual(['a']);
      second.stop.abort();
      await second.ended;
      await other.store.close();
    });

    it('begins with what was left in the middle', async () => {
      work(take, { left: async () => (taken.length === 0 ? ['b', 'c'] : []) });
      await expect.poll(() => taken.toSorted()).toEqual(['b', 'c']);
    });

    it.runIf(mostWorkers === 'many')('looks for what was left again and again', async () => {
      let left: readonly string[] = [];
      work(take, { left: async () => left });
      await queue.wake('a');
      await expect.poll(() => taken).toEqual(['a']);
      left = ['b'];
      await expect.poll(() => taken).toEqual(['a', 'b']);
    });

    it.runIf(mostWorkers === 'many')('has any number of workers, which never work on one session at a time', { timeout: 60_000 }, async () => {
      const others = await Promise.all([1, 2].map(() => backend.open(checks)));
      const atOnce = new Map<string, number>();
      let most = 0;
      const by: number[] = [];
      const turn = (pid: number) => async (id: string): Promise<TurnOutcome> => {
        atOnce.set(id, (atOnce.get(id) ?? 0) + 1);
        most = Math.max(most, ...atOnce.values());
        by.push(pid);
        if (by.length < 60) await queue.wake(id);
        await sleep(20);
        atOnce.set(id, (atOnce.get(id) ?? 0) - 1);
        return 'done';
      };
      for (const id of ['a', 'b', 'c', 'd', 'e']) await queue.wake(id);
      for (const [index, other] of [{ queue }, ...others].entries()) work(turn(index), { pid: index + 1, parallel: 2, on: other.queue });
      await expect.poll(() => by.length, { timeout: 50_000 }).toBeGreaterThanOrEqual(60);
      expect([most, new Set(by).size > 1]).toEqual([1, true]);
      for (const { stop } of workers) stop.abort();
      await Promise.allSettled(workers.map(({ ended }) => ended));
      for (const other of others) await other.store.close();
    });

    it('waits for what runs when it is stopped, and takes nothing more', async () => {
      for (const id of ['a', 'b']) await queue.wake(id);
      let ended = false;
      const { stop, ended: stopped } = work(async (id) => {
        await take(id);
        await sleep(100);
        ended = true;
        return 'done';
      }, { parallel: 1 });
      await expect.poll(() => taken.length).toBe(1);
      stop.abort();
      await stopped;
      expect([ended, taken.length]).toEqual([true, 1]);
    });

    it('ends with what a turn throws, and keeps that session', async () => {
      await queue.wake('a');
      await expect(work(async () => { throw new Error('broken'); }).ended).rejects.toThrow('broken');
      work(take);
      await expect.poll(() => taken).toEqual(['a']);
    });

    it('forgets a session that is removed', async () => {
      await queue.wake('a');
      await store.remove(['a']);
      await queue.wake('b');
      work(take);
      await expect.poll(() => taken).toEqual(['b']);
    });

    it('runs each of 300 turns once for two workers that follow each other', { timeout: 20_000 }, async () => {
      const other = await backend.open(checks);
      const ids = Array.from({ length: 300 }, (_, i) => `many-${String(i).padStart(3, '0')}`);
      for (const id of ids) {
        await store.release(await store.create({ session_id: id, cwd: '/work', model: 'demo/demo' }, owner(1)));
        await queue.wake(id);
      }
      const first = work(take, { parallel: 8 });
      await expect.poll(() => taken.length).toBeGreaterThan(20);
      first.stop.abort();
      await first.ended;
      work(take, { pid: 2, on: other.queue, parallel: 8 });
      await expect.poll(() => taken.length, { timeout: 15_000 }).toBe(300);
      expect(taken.toSorted()).toEqual(ids);
      for (const { stop } of workers) stop.abort();
      await Promise.allSettled(workers.map(({ ended }) => ended));
      await other.store.close();
    });
  });
}
