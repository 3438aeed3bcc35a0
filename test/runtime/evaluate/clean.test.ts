import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { fixture, learner, reporter } from '../enhance/learner.ts';
import { makePlace, open } from '../open.ts';
import { evaluatedSkill, obedientExecutor } from './skilled.ts';

const many = (step: ReturnType<typeof obedientExecutor>): readonly ReturnType<typeof obedientExecutor>[] => Array.from({ length: 2_000 }, () => step);
const cases = [{ id: 1, prompt: 'Task 1: make the report', expectations: [{ check: 'file_matches', path: 'report.txt', pattern: '^total 42$' }] }];

it('removes all but the newest evaluations with their sessions, which no listing shows, and those that a newer one has taken over stay', async () => {
  const place = makePlace();
  evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: cases });
  const { runtime } = await open(scriptedModel(many(obedientExecutor('reporter'))), { place });
  const evaluate = () => runtime.evaluateSkill({ skill: 'reporter', cwd: place.project, runs: 1 });
  const first = await evaluate();
  const second = await evaluate();
  const all = async (task?: string): Promise<readonly string[]> => (await runtime.sessions.list({ limit: 100, ...(task === undefined ? {} : { task }) })).map(({ session_id }) => session_id);
  expect(await all()).toEqual([]);
  expect(await all(first.id)).toHaveLength(2);
  expect(second.records.map(({ arm, reused }) => `${arm} ${reused ?? 'anew'}`).toSorted()).toEqual(['new anew', `without ${first.id}`]);
  expect(await runtime.evaluations.clean({ keep: 5 })).toEqual({ evaluations: 0, enhancements: 0, sessions: 0, drafts: 0 });
  expect(await runtime.evaluations.clean({ keep: 1 })).toMatchObject({ evaluations: 1, sessions: 1 });
  expect(fs.existsSync(first.folder)).toBe(false);
  expect((await runtime.evaluations.list()).map(({ id }) => id)).toEqual([second.id]);
  for (const { session_id } of second.records) expect((await runtime.sessions.get(session_id)).task_id).toMatch(/^eval_/);
  expect(await runtime.evaluations.clean({ keep: 0 })).toMatchObject({ evaluations: 1, sessions: 1 });
  expect(await runtime.evaluations.list()).toEqual([]);
  await expect(runtime.evaluations.clean({ keep: -1 })).rejects.toMatchObject({ code: 'invalid_argument' });
}, 60_000);

it('keeps as many as the setting says whenever a new one is begun', async () => {
  const place = makePlace();
  evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: cases });
  const { runtime } = await open(scriptedModel(many(obedientExecutor('reporter'))), { place, settings: { evaluate: { keep: 2 } } });
  const made: string[] = [];
  for (let i = 0; i < 4; i += 1) made.push((await runtime.evaluateSkill({ skill: 'reporter', cwd: place.project, runs: 1, seed: i })).id);
  expect((await runtime.evaluations.list()).map(({ id }) => id)).toEqual([made[3], made[2]]);
}, 60_000);

it('evaluations of an enhancement go with it, and not before; old drafts go, too', async () => {
  const place = makePlace();
  reporter(place);
  const { runtime } = await open(scriptedModel(many(learner())), { place });
  const made = await runtime.enhanceSkill({ conversation: fixture('enhance-wrong-total'), cwd: place.project, runs: 1, rounds: 1, sandbox: 'off' });
  expect(await runtime.evaluations.list()).toHaveLength(2);
  const drafts = path.join(place.data, 'drafts/here');
  for (const [name, days] of [['draft_old', 9], ['draft_new', 1]] as const) {
    fs.mkdirSync(path.join(drafts, name), { recursive: true });
    const time = new Date(Date.now() - days * 24 * 3_600_000);
    fs.utimesSync(path.join(drafts, name), time, time);
  }
  expect(await runtime.evaluations.clean({ keep: 1 })).toEqual({ evaluations: 0, enhancements: 0, sessions: 0, drafts: 1 });
  expect(await runtime.evaluations.clean({ keep: 0 })).toMatchObject({ evaluations: 2, enhancements: 1, sessions: expect.any(Number) });
  expect(fs.existsSync(made.folder)).toBe(false);
  expect([await runtime.enhancements.list(), await runtime.evaluations.list()]).toEqual([[], []]);
  expect(fs.readdirSync(drafts)).toEqual(['draft_new']);
}, 60_000);
