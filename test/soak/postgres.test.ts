import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contest, scripted, soonDone, startWorker } from '../e2e/postgres.ts';
import { makePlace, type Place } from '../e2e/program.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';

describe.skipIf(withoutPostgres)('workers on one database', () => {
  let cluster: Cluster;
  let url: string;
  let place: Place;
  beforeAll(async () => { cluster = await startCluster({ fsync: true }); });
  afterAll(() => cluster.dispose());
  beforeEach(async () => {
    url = await cluster.database();
    place = makePlace();
  });

  const script = (step: Parameters<typeof scripted>[1]) => scripted(place, step);
  const worker = () => startWorker(place, url);

  it('one that was stopped for longer than its lease is refused when it wakes, and what it did stays as it was', async () => {
    const waiting: (() => void)[] = [];
    const provider = await script(() => (waiting.length === 0 ? new Promise<string>((resolve) => { waiting.push(() => resolve('too late')); }) : 'Taken over.'));
    const a = await worker();
    const id = await a.begin('go');
    await expect.poll(() => provider.requests.length).toBe(1);
    const b = await worker();
    a.running.child.kill('SIGSTOP');
    await soonDone(b, id);
    const before = await b.log(id);
    waiting[0]?.();
    a.running.child.kill('SIGCONT');
    await expect.poll(() => a.errors()).toContain(`Another process has taken over session ${id}`);
    expect(await b.log(id)).toEqual(before);
    expect(before.at(-1)).toMatchObject({ text: 'Taken over.' });
    // It goes on to work.
    expect(await a.status(await a.begin('again'))).toBeDefined();
  });

  it('a thousand turns that one has left are gone on with once each by two that both want them', async () => {
    expect(await contest(place, url, 1_000)).toEqual({ asked: Array.from({ length: 1_000 }, () => 2), wrong: [] });
  });
});
