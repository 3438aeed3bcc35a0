import { describe, expect, it, onTestFinished } from 'vitest';
import { openSharedDatabase } from '../../src/runtime/database/shared-database.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { startCluster, withoutPostgres } from '../helpers/postgres.ts';
import { openUsers, type TestUser } from './open-users.ts';

describe.skipIf(withoutPostgres)('users of servers on one database', () => {
  it('are apart, and what one server leaves of anybody another one goes on with', { timeout: 60_000 }, async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.dispose());
    const url = await cluster.database();
    const [one, two] = [await openSharedDatabase(url), await openSharedDatabase(url)];
    onTestFinished(async () => {
      await one.close();
      await two.close();
    });
    const hanging = scriptedModel([{ text: 'never', hang: true }]);
    const first = await openUsers({ model: hanging, database: one });
    const [ann, eve] = [await first.user('ann'), await first.user('eve')];
    const begin = async (user: TestUser): Promise<string> => {
      const id = String((await user.ask('POST', '/api/sessions', { body: {} })).json['id']);
      expect((await user.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'go' } })).status).toBe(202);
      return id;
    };
    const id = await begin(ann);
    await expect.poll(() => hanging.requests.length).toBe(1);
    for (const [method, at] of [['GET', ''], ['GET', '/export'], ['GET', '/events'], ['POST', '/cancel'], ['DELETE', ''], ['POST', '/fork']] as const) {
      expect((await eve.ask(method, `/api/sessions/${id}${at}`, method === 'POST' ? { body: {} } : {})).status, `${method} ${at}`).toBe(404);
    }
    expect((await eve.ask('GET', '/api/sessions')).json['sessions']).toEqual([]);
    await first.close();
    const second = await openUsers({ model: scriptedModel(['Gone on with.']), database: two, place: first.place });
    const annAgain: TestUser['ask'] = (method, at) => second.bare(method, at, { headers: { authorization: `Bearer ${ann.token}` } });
    await expect.poll(async () => (await annAgain('GET', `/api/sessions/${id}`)).json['status'], { timeout: 20_000 }).toBe('done');
    expect((await annAgain('GET', `/api/sessions/${id}/export`)).text).toContain('Gone on with.');
    expect(second.log).toEqual([]);
  });
});
