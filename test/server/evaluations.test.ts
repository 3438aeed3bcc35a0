import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { scriptedModel, type ScriptedStep } from '../../src/testing/scripted-model.ts';
import { finish, makePlace, type Place } from '../runtime/open.ts';
import { evaluatedSkill, obedientExecutor } from '../runtime/evaluate/skilled.ts';
import { learner, reporter as countingReporter } from '../runtime/enhance/learner.ts';
import { openServer, type TestServer } from './open-server.ts';
import { openUsers } from './open-users.ts';

const many = (step: ScriptedStep): readonly ScriptedStep[] => Array.from({ length: 500 }, () => step);

function reporter(place: Place): void {
  evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: [1, 2].map((id) => ({ id, prompt: `Task ${id}: make the report`, expectations: [{ check: 'file_matches', path: 'report.txt', pattern: '^total 42$' }] })) });
}

async function ended(server: TestServer, id: string): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const { json } = await server.ask('GET', `/api/evaluations/${id}`);
    if (json['status'] !== 'running') return json;
    await sleep(20);
  }
}

it('evaluates a skill beside the request, tells how far it is, and goes on after the server has ended', async () => {
  const place = makePlace();
  reporter(place);
  let calls = 0;
  const work = obedientExecutor('reporter');
  const hanging: ScriptedStep = (request, index) => {
    calls += 1;
    return calls > 4 ? { hang: true } : typeof work === 'function' ? work(request, index) : work;
  };
  const first = await openServer(scriptedModel(many(hanging)), { place });
  const begun = await first.ask('POST', '/api/skills/reporter/evaluate', { body: { runs: 1, parallel: 1 } });
  expect(begun.status, begun.text).toBe(202);
  const id = String(begun.json['id']);
  while (calls <= 4) await sleep(5);
  expect((await first.ask('GET', `/api/evaluations/${id}`)).json).toMatchObject({ id, skill: 'reporter', status: 'running', planned: 4 });
  expect((await first.ask('POST', `/api/evaluations/${id}/resume`)).json).toMatchObject({ code: 'session_busy' });
  await first.close();

  const second = await openServer(scriptedModel(many(work)), { place });
  const left = (await second.ask('GET', `/api/evaluations/${id}`)).json;
  expect(left).toMatchObject({ status: 'unfinished', report: { stopped: { reason: 'interrupted' } } });
  expect(left['done']).toBeGreaterThan(0);
  expect((await second.ask('POST', `/api/evaluations/${id}/resume`, { body: {} })).status).toBe(202);
  expect(await ended(second, id)).toMatchObject({ status: 'finished', done: 4, planned: 4, report: { verdict: expect.any(String), measured: 4 } });
  expect((await second.ask('GET', '/api/evaluations')).json).toMatchObject({ evaluations: [{ id, status: 'finished' }] });
  expect((await second.ask('POST', `/api/evaluations/${id}/stop`)).json).toEqual({ stopped: false });
  expect((await second.ask('GET', '/api/audit')).text).toContain('evaluation begun');
}, 60_000);

it('refuses what is no skill of the library, has no suites or is no evaluation, and members', async () => {
  const place = makePlace();
  evaluatedSkill(place, 'plain', { body: 'Nothing to measure.' });
  const server = await openServer(scriptedModel([]), { place });
  const codes = async (at: string, body: unknown = {}): Promise<unknown> => (await server.ask('POST', at, { body })).json['code'];
  expect(await codes('/api/skills/plain/evaluate')).toBe('not_found');
  expect(await codes(`/api/skills/${encodeURIComponent('../home/.agents/skills/plain')}/evaluate`)).toBe('skill_not_found');
  expect(await codes('/api/skills/plain/evaluate', { against: '/etc' })).toBe('invalid_argument');
  expect(await codes('/api/evaluations/eval_0/resume')).toBe('not_found');
  expect(await codes('/api/evaluations/eval_0/stop')).toBe('not_found');
  expect((await server.ask('GET', '/api/evaluations/..%2f..')).status).toBe(404);
  expect((await server.ask('GET', '/api/evaluations')).json).toEqual({ evaluations: [] });
  const users = await openUsers({ model: scriptedModel([]) });
  const ada = await users.user('ada');
  expect((await ada.ask('POST', '/api/skills/plain/evaluate', { body: {} })).status).toBe(403);
  expect((await ada.ask('GET', '/api/evaluations')).status).toBe(403);
}, 60_000);

it('learns from a session, shows what it proposes, and takes it with a second request', async () => {
  const place = makePlace();
  countingReporter(place, { tasks: 0 });
  const server = await openServer(scriptedModel(many(learner())), { place });
  const { result } = await finish(await server.runtime.prompt({ text: 'the report is wrong', cwd: place.project }));
  const made = await server.ask('POST', '/api/skills/enhance', { body: { session_id: result.session_id, rounds: 1 } });
  expect([made.status, made.json], made.text).toMatchObject([200, { decision: 'enhance', status: 'done', tried: [{ patch: expect.stringContaining('+TOTAL 42') }], result: { verdict: 'not enough evidence' } }]);
  const at = `/api/enhancements/${String(made.json['id'])}`;
  expect((await server.ask('GET', at)).json).toEqual(made.json);
  expect((await server.ask('POST', `${at}/apply`, { body: {} })).json).toMatchObject({ code: 'permission_denied' });
  expect((await server.ask('POST', `${at}/apply`, { body: { by_hand: true } })).json).toMatchObject({ skill: 'user:reporter' });
  expect((await server.ask('GET', '/api/skills/reporter')).text).toContain('TOTAL 42');
  expect((await server.ask('POST', '/api/skills/enhance', { body: { session_id: '/etc/passwd' } })).json).toMatchObject({ code: 'session_not_found' });
  expect((await server.ask('GET', '/api/audit')).text).toMatch(/skill enhancement made[^]*skill enhancement applied|skill enhancement applied[^]*skill enhancement made/);
}, 60_000);
