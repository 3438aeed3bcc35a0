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

async function learned(server: TestServer, id: string): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const { json } = await server.ask('GET', `/api/enhancements/${id}`);
    if (json['status'] !== 'running') return json;
    await sleep(20);
  }
}

it('learns from a session beside the request, shows what it proposes, and takes it with a second request', async () => {
  const place = makePlace();
  countingReporter(place, { tasks: 0 });
  const server = await openServer(scriptedModel(many(learner())), { place });
  const { result } = await finish(await server.runtime.prompt({ text: 'the report is wrong', cwd: place.project }));
  const begun = await server.ask('POST', '/api/skills/enhance', { body: { session_id: result.session_id, rounds: 1 } });
  expect(begun.status, begun.text).toBe(202);
  const id = String(begun.json['id']);
  const at = `/api/enhancements/${id}`;
  const made = await learned(server, id);
  expect(made).toMatchObject({ id, decision: 'enhance', status: 'done', tried: [{ patch: expect.stringContaining('+TOTAL 42') }], result: { verdict: 'not enough evidence' } });
  for (const kept of ['settings', 'learned', 'costs', 'judging', 'version']) expect(made).not.toHaveProperty(kept);
  expect((await server.ask('GET', '/api/enhancements')).json).toEqual({ enhancements: [made] });
  expect((await server.ask('POST', `${at}/resume`, { body: {} })).json).toMatchObject({ code: 'invalid_argument' });
  expect((await server.ask('POST', `${at}/stop`)).json).toEqual({ stopped: false });
  expect((await server.ask('POST', `${at}/apply`, { body: {} })).json).toMatchObject({ code: 'permission_denied' });
  expect((await server.ask('POST', `${at}/apply`, { body: { by_hand: true } })).json).toMatchObject({ skill: 'user:reporter' });
  expect((await server.ask('GET', '/api/skills/reporter')).text).toContain('TOTAL 42');
  expect((await server.ask('POST', '/api/skills/enhance', { body: { session_id: '/etc/passwd' } })).json).toMatchObject({ code: 'session_not_found' });
  expect((await server.ask('POST', '/api/skills/enhance', { body: { session_id: result.session_id, rounds: 11 } })).status).toBe(400);
  expect((await server.ask('GET', '/api/enhancements/enh_0')).json).toMatchObject({ code: 'not_found' });
  const audit = (await server.ask('GET', '/api/audit')).text;
  for (const what of ['skill enhancement begun', 'skill enhancement applied']) expect(audit).toContain(what);
}, 60_000);

it('goes on with an enhancement after the server has ended in the middle of it', async () => {
  const place = makePlace();
  countingReporter(place, { tasks: 4 });
  const step = learner();
  let runs = 0;
  const hanging: ScriptedStep = (request, index) => {
    if (!request.system.includes('You look after Agent Skills')) runs += 1;
    return runs > 6 ? { hang: true } : typeof step === 'function' ? step(request, index) : step;
  };
  const first = await openServer(scriptedModel(many(hanging)), { place });
  const { result } = await finish(await first.runtime.prompt({ text: 'the report is wrong', cwd: place.project }));
  const begun = await first.ask('POST', '/api/skills/enhance', { body: { session_id: result.session_id, rounds: 1, runs: 1 } });
  const id = String(begun.json['id']);
  while (runs <= 6) await sleep(5);
  expect((await first.ask('GET', `/api/enhancements/${id}`)).json).toMatchObject({ id, status: 'running', decision: 'enhance' });
  expect((await first.ask('POST', `/api/enhancements/${id}/resume`, { body: {} })).json).toMatchObject({ code: 'session_busy' });
  await first.close();

  let edits = 0;
  const second = await openServer(scriptedModel(many((request, index) => {
    if (request.system.includes('You look after Agent Skills')) edits += 1;
    return typeof step === 'function' ? step(request, index) : step;
  })), { place });
  expect((await second.ask('GET', `/api/enhancements/${id}`)).json).toMatchObject({ status: 'stopped', stopped: expect.stringContaining('interrupted'), tried: [{ round: 1 }] });
  expect((await second.ask('POST', `/api/enhancements/${id}/resume`, { body: {} })).status).toBe(202);
  expect(await learned(second, id)).toMatchObject({ status: 'done', tried: [{ round: 1, score: 1 }], best: 1, result: { verdict: expect.any(String) } });
  expect(edits).toBe(0);
}, 60_000);
