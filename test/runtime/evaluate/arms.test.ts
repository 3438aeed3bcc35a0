import { expect, it } from 'vitest';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { makePlace, open, logOf } from '../open.ts';
import { evaluatedSkill, obedientExecutor } from './skilled.ts';

const many = (step: ReturnType<typeof obedientExecutor>, count = 2_000): readonly (typeof step)[] => Array.from({ length: count }, () => step);
const tasks = (count: number, assertions: readonly unknown[]): readonly unknown[] => Array.from({ length: count }, (_, i) => ({ id: i + 1, prompt: `Task ${i + 1}: make the report`, assertions }));

it('finds a planted good skill better, and says by how much', async () => {
  const place = makePlace();
  evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: tasks(6, [{ check: 'file_matches', path: 'report.txt', pattern: '^total 42$' }, { check: 'skill_loaded' }]) });
  const model = scriptedModel(many(obedientExecutor('reporter')));
  const { runtime } = await open(model, { place });
  const report = await runtime.evaluateSkill({ skill: 'reporter', cwd: place.project, runs: 2 });
  console.log(JSON.stringify(report, (k, v) => (k === 'records' ? (v as unknown[]).slice(0, 2) : v), 1).slice(0, 6000));
  expect(report.verdict).toBe('better');
  const first = report.records[0];
  expect((await logOf(runtime, first?.session_id ?? '')).length).toBeGreaterThan(3);
});
