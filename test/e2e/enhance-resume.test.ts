import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MODEL, makePlace, oneLineOf, run, start, withProvider } from './program.ts';
import { countingSkill, wireLearner } from './wire-learner.ts';

const conversation = path.resolve('test/runtime/enhance/conversations/enhance-wrong-total.jsonl');
const never = (): Promise<void> => new Promise(() => undefined);

it('after kill -9 in the part to learn from and in the part held out, it goes on from what was measured', async () => {
  const place = makePlace();
  countingSkill(place);
  // So many answers to runs may be given; then all hang.
  let allowed = 40;
  let hanging = 0;
  const { step, asked } = wireLearner({ onRun: async () => {
    allowed -= 1;
    if (allowed >= 0) return;
    hanging += 1;
    await never();
  } });
  await withProvider(place, { steps: Array.from({ length: 3_000 }, () => step) });
  const killed = async (args: readonly string[]): Promise<void> => {
    hanging = 0;
    const { child, ended } = start(place, args);
    while (hanging < 2 && child.exitCode === null) await sleep(10);
    child.kill('SIGKILL');
    const { signal, stderr } = await ended;
    expect(signal, stderr).toBe('SIGKILL');
  };
  const enhancements = path.join(place.data, 'enhancements');
  const evaluations = path.join(place.data, 'evaluations');
  const records = (): readonly { readonly run: string; readonly evaluation: string; readonly spent: { readonly cost_usd: number } }[] => fs.readdirSync(evaluations).flatMap((evaluation) => fs.readFileSync(path.join(evaluations, evaluation, 'runs.jsonl'), 'utf8').split('\n').filter(Boolean).map((line) => ({ ...JSON.parse(line), evaluation })));

  await killed(['skills', 'enhance', '--conversation', conversation, '--rounds', '1', '--runs', '2', '--sandbox', 'off', ...MODEL]);
  const [id = ''] = fs.readdirSync(enhancements);
  const known = (): { readonly status: string; readonly held_out?: unknown; readonly judging?: { readonly held_out?: string }; readonly tried: readonly { readonly evaluation?: string }[] } => JSON.parse(fs.readFileSync(path.join(enhancements, id, 'enhancement.json'), 'utf8'));
  expect(known()).toMatchObject({ status: 'running', decision: 'enhance', tried: [{ round: 1, evaluation: expect.stringMatching(/^eval_/) }] });
  const first = records();
  expect(first.length).toBeGreaterThan(3);

  const runsToLearn = 6 * 2 * 3;
  allowed = runsToLearn * 3;
  await killed(['skills', 'enhance', '--resume', id, '--json']);
  expect(known()).toMatchObject({ status: 'running', judging: { held_out: expect.stringMatching(/^eval_/) } });
  const second = records();
  expect(second.length).toBeGreaterThan(runsToLearn);
  expect(second.length).toBeLessThan(runsToLearn + 4 * 2 * 3);

  allowed = 10_000;
  const whole = await run(place, ['skills', 'enhance', '--resume', id, '--json']);
  expect(whole.code, whole.stderr).toBe(0);
  expect(JSON.parse(whole.stdout)).toMatchObject({ id, status: 'done', best: 1, result: { verdict: 'accepted' }, held_out: [{ mean: 1, cases: 4 }] });
  // The agent was asked once, and each run is there once: what was measured before the kills stands as it was.
  expect(asked).toEqual({ decisions: 1, edits: 1 });
  expect(fs.readdirSync(evaluations)).toHaveLength(2);
  const all = records();
  expect(all).toHaveLength(runsToLearn + 4 * 2 * 3);
  expect(new Set(all.map(({ evaluation, run: name }) => `${evaluation} ${name}`)).size).toBe(all.length);
  for (const record of second) expect(all).toContainEqual(record);
  // Agent and all runs, each once.
  const spent = JSON.parse(whole.stdout).cost_usd;
  const ofRuns = all.reduce((sum, record) => sum + record.spent.cost_usd, 0);
  expect(spent).toBeCloseTo(ofRuns + 3 * 0.002, 3);

  const over = await run(place, ['skills', 'enhance', '--resume', id]);
  expect([over.code, oneLineOf(over)]).toEqual([2, expect.stringMatching(/came to its end: accepted/)]);
  for (const [args, code, sentence] of [[['--resume', 'enh_0'], 5, /There is no enhancement/], [['--resume', id, '--runs', '2'], 2, /leave out --runs/], [[], 2, /Name the conversation/]] as const) {
    const failed = await run(place, ['skills', 'enhance', ...args]);
    expect([failed.code, oneLineOf(failed)]).toEqual([code, expect.stringMatching(sentence)]);
  }
}, 90_000);
