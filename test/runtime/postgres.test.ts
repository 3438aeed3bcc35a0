import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { localHost } from '../../src/host/local-host.ts';
import type { Model } from '../../src/model/model.ts';
import { createRuntime } from '../../src/runtime/create-runtime.ts';
import { openSharedDatabase } from '../../src/runtime/database/shared-database.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';
import { finish, makePlace } from './open.ts';

const HOUR_MS = 3_600_000;

describe.skipIf(withoutPostgres)('runtimes on PostgreSQL', () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  /** Opens runtimes of tenants on one database, as a server with users does. */
  async function opener(): Promise<(tenant: string, model: Model, more?: { readonly aheadMs?: number }) => Promise<{ readonly runtime: Runtime; readonly cwd: string }>> {
    const shared = await openSharedDatabase(await cluster.database());
    onTestFinished(() => shared.close());
    return async (tenant, model, { aheadMs = 0 } = {}) => {
      const place = makePlace();
      const host = localHost({ env: process.env });
      const runtime = await createRuntime({
        model, home: place.home, dataFolder: place.data, service: true,
        env: { PATH: process.env['PATH'] ?? '', HOME: place.home },
        host: { ...host, clock: { ...host.clock, now: () => Date.now() + aheadMs } },
        settings: { sandbox: 'off', permissions: { mode: 'unrestricted' } },
        database: { shared, tenant },
      });
      onTestFinished(() => runtime.close());
      return { runtime, cwd: place.project };
    };
  }

  it('whose queue could not be opened while the database was away open it later, and close', async () => {
    const own = await startCluster();
    onTestFinished(() => own.dispose());
    const shared = await openSharedDatabase(await own.database());
    const { queue } = shared.backend('ann', { isAlive: () => true, now: Date.now, sleep: async () => undefined, instance: 'a' });
    await own.stop();
    await expect(queue.wake('ses_a')).rejects.toMatchObject({ code: 'store_unavailable' });
    await own.start();
    await queue.wake('ses_a');
    await shared.close();
  });

  it('of two tenants know nothing of each other: no id of one opens anything for the other', async () => {
    const open = await opener();
    const [ann, eve] = [await open('ann', scriptedModel([{ calls: [{ tool: 'AskUserQuestion', input: { question: 'Which?' } }] }, { text: 'secret' }])), await open('eve', scriptedModel([{ text: 'x' }]))];
    const { result } = await finish(await ann.runtime.prompt({ text: 'ask me', cwd: ann.cwd }));
    expect(result.status).toBe('waiting');
    const id = result.session_id;
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const follow = async (): Promise<void> => { for await (const _ of eve.runtime.sessions.follow(id, { signal: stop.signal })); };
    const attempts: readonly (() => Promise<unknown>)[] = [
      () => eve.runtime.sessions.get(id), () => eve.runtime.sessions.state(id), () => eve.runtime.sessions.fork(id), () => eve.runtime.sessions.remove(id), follow,
      () => eve.runtime.prompt({ text: 'go on', sessionId: id }), () => eve.runtime.resume({ sessionId: id }),
      () => eve.runtime.answer({ sessionId: id, answer: { kind: 'text', text: 'mine' } }), () => eve.runtime.configure(id, { mode: 'plan' }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'session_not_found' });
    expect(await eve.runtime.sessions.list({ limit: 9, agents: true })).toEqual([]);
    expect((await eve.runtime.usage({})).days).toEqual([]);
    expect(await eve.runtime.cancelElsewhere(id)).toBe(false);
    expect(await ann.runtime.sessions.get(id)).toMatchObject({ status: 'waiting' });
  });

  it('with clocks an hour apart do not take a turn from each other', async () => {
    const open = await opener();
    let answer = (_text: string): void => undefined;
    const asked = new Promise<string>((resolve) => { answer = resolve; });
    const [slow, ahead, behind] = [await open('ann', scriptedModel([async () => ({ text: await asked })])), await open('ann', scriptedModel([]), { aheadMs: HOUR_MS }), await open('ann', scriptedModel([]), { aheadMs: -HOUR_MS })];
    const turn = await slow.runtime.prompt({ text: 'go', cwd: slow.cwd });
    await turn.begun;
    for (const { runtime } of [ahead, behind]) {
      await expect(runtime.resume({ sessionId: turn.sessionId })).rejects.toMatchObject({ code: 'session_busy' });
      expect(await runtime.sessions.get(turn.sessionId)).toMatchObject({ status: 'running' });
    }
    answer('done in time');
    expect((await finish(turn)).result).toMatchObject({ status: 'done', text: 'done in time' });
  });
});
