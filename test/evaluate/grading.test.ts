import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readGrading } from '../../src/evaluate/report/read-grading.ts';
import { readWorkspace } from '../../src/runtime/evaluate/read-workspace.ts';
import { makePlace } from '../runtime/open.ts';

const graded = (key: 'expectations' | 'assertion_results', ...verdicts: readonly boolean[]): string => JSON.stringify({ [key]: verdicts.map((passed, i) => ({ [key === 'expectations' ? 'text' : 'assertion']: `e${i}`, passed, evidence: 'because' })), summary: {} });

it('reads both spellings, and says what is wrong with others', () => {
  const wanted = { expectations: [{ text: 'e0', passed: true, evidence: 'because' }, { text: 'e1', passed: false, evidence: 'because' }] };
  for (const key of ['expectations', 'assertion_results'] as const) expect(readGrading('g.json', graded(key, true, false))).toEqual(wanted);
  expect(readGrading('g.json', '{')).toMatch(/^g\.json is no valid JSON object/);
  expect(readGrading('g.json', '{}')).toMatch(/neither "expectations" nor "assertion_results"/);
  expect(readGrading('g.json', '{"expectations":[{"text":"a","passed":"yes"}]}')).toMatch(/entry 1 does not say "text" and "passed"/);
});

it('gives a workspace of either spelling the statistics of an evaluation', async () => {
  const { project } = makePlace();
  const put = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    fs.writeFileSync(path.join(project, file), text);
  };
  await expect(readWorkspace(project)).rejects.toMatchObject({ code: 'not_found' });
  await expect(readWorkspace(path.join(project, 'missing'))).rejects.toMatchObject({ code: 'not_found' });
  for (let i = 1; i <= 6; i += 1) {
    put(`iteration-1/eval-${i}/with_skill/run-1/grading.json`, graded('expectations', true, true));
    put(`iteration-1/eval-${i}/without_skill/grading.json`, graded('assertion_results', i === 1, false));
  }
  const read = await readWorkspace(project);
  expect(read).toMatchObject({ from: 'without', verdict: 'better', difference: { tasks: 6, method: 'paired t' } });
  expect(read.arms.map(({ arm, runs, score }) => [arm, runs, score.rate])).toEqual([['new', 6, 1], ['without', 6, 1 / 12]]);
  put('iteration-1/eval-9/with_skill/grading.json', '{}');
  await expect(readWorkspace(project)).rejects.toMatchObject({ code: 'invalid_argument' });
});
