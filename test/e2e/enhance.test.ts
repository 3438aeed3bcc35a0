import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { MODEL, makePlace, oneLineOf, run, withProvider, type Place } from './program.ts';
import { countingSkill, wireLearner, type LearnerOptions } from './wire-learner.ts';

const fixture = (name: string): string => path.resolve('test/runtime/enhance/conversations', `${name}.jsonl`);

it('prints the decision and what would be made, and says in one line what is missing', async () => {
  const place = makePlace();
  const answer = (decision: object): FakeStep => ({ text: JSON.stringify({ skill: '', request: '', reason: 'It was shown twice.', quotes: [], messages: [], tasks: [], ...decision }) });
  const provider = await withProvider(place, { steps: [answer({ decision: 'create', request: 'Travel claims, grouped by trip.', quotes: [{ seq: 7, text: 'I explain this every month.' }] }), answer({ decision: 'nothing' })] });
  const made = await run(place, ['skills', 'enhance', '--conversation', fixture('create-travel-claims'), ...MODEL]);
  expect([made.code, made.stdout], made.stderr).toEqual([0, expect.stringMatching(/Decision: create\. It was shown twice\.\n {2}\[7\] I explain this every month\.\nIt would do: Travel claims/)]);
  const none = await run(place, ['skills', 'enhance', '--conversation', fixture('nothing-unclear'), ...MODEL, '--json']);
  expect([none.code, JSON.parse(none.stdout)]).toMatchObject([0, { decision: 'nothing', tried: [], status: 'done' }]);
  expect(fs.readdirSync(path.join(place.data, 'enhancements'))).toHaveLength(2);
  const asked = provider.requests.length;
  for (const [args, code, sentence] of [[['--conversation', 'missing.jsonl'], 5, /neither a session nor a file/], [['--conversation', 'x', '--yes'], 2, /--budget USD/], [['--conversation', fixture('nothing-unclear'), '--skill-of-nobody'], 2, /unknown option/]] as const) {
    const failed = await run(place, ['skills', 'enhance', ...args]);
    expect([failed.code, oneLineOf(failed)]).toEqual([code, expect.stringMatching(sentence)]);
  }
  expect(provider.requests).toHaveLength(asked);
}, 60_000);

const enhance = async (place: Place, options: LearnerOptions = {}, more: readonly string[] = []) => {
  await withProvider(place, { steps: Array.from({ length: 1_000 }, () => wireLearner(options).step) });
  const ended = await run(place, ['skills', 'enhance', '--conversation', fixture('enhance-wrong-total'), '--rounds', '1', '--runs', '2', '--sandbox', 'off', '--yes', '--budget', '5', '--json', ...MODEL, ...more]);
  expect(ended.code, ended.stderr).toBe(0);
  const { result, applied }: { readonly result: { readonly verdict: string }; readonly applied?: { readonly trusted: boolean; readonly digest: string } } = JSON.parse(ended.stdout);
  return { verdict: result.verdict, applied, stderr: ended.stderr };
};
const shown = async (place: Place): Promise<{ readonly digest: string; readonly trust?: { readonly trusted: boolean } }> => JSON.parse((await run(place, ['skills', 'show', 'reporter', '--json'])).stdout);

it.each([['as trusted as before', {}, true], ['no longer trusted where a file that can run has changed', { 'scripts/count.py': 'print(42)\n' }, false]] as const)('--yes takes an edit that was accepted: it is in the library, in the lock file as a draft, and %s', async (_, more, trusted) => {
  const place = makePlace();
  const source = path.join(place.root, 'source/reporter');
  const made = countingSkill(place, { files: { 'scripts/count.py': 'print(41)\n' } });
  fs.cpSync(made, source, { recursive: true });
  fs.rmSync(made, { recursive: true });
  const installed = await run(place, ['skills', 'install', source, '--yes']);
  expect(installed.code, installed.stderr).toBe(0);
  const { path: file }: { readonly path: string } = JSON.parse((await run(place, ['skills', 'show', 'reporter', '--json'])).stdout);
  const folder = path.dirname(file).endsWith('reporter') ? path.dirname(file) : file;
  const lock = (): { readonly kind: string; readonly source: string; readonly digest: string; readonly files: Readonly<Record<string, string>> } => {
    const { skills }: { readonly skills: Readonly<Record<string, ReturnType<typeof lock>>> } = JSON.parse(fs.readFileSync(path.join(path.dirname(folder), 'skills.lock.json'), 'utf8'));
    const entry = skills['reporter'];
    if (!entry) throw new Error('reporter is not in the lock file');
    return entry;
  };
  expect((await run(place, ['skills', 'trust', 'reporter', '--yes'])).code).toBe(0);
  const before = lock();
  const taken = await enhance(place, { edits: (text) => ({ 'SKILL.md': text.replace('TOTAL 41', 'TOTAL 42'), ...more }) });
  expect(taken).toMatchObject({ verdict: 'accepted', applied: { trusted } });
  expect(fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8')).toContain('TOTAL 42');
  expect([before.kind, lock().kind]).toEqual(['folder', 'draft']);
  expect(lock().digest).toBe(taken.applied?.digest);
  expect(lock().files['SKILL.md']).not.toBe(before.files['SKILL.md']);
  expect(fs.existsSync(path.join(folder, 'evals/evals.json'))).toBe(true);
  expect((await shown(place)).trust?.trusted).toBe(trusted);
  expect(taken.stderr.includes('It is not trusted: skillmint skills trust reporter')).toBe(!trusted);
  const rest = fs.readdirSync(path.dirname(folder)).filter((name) => name !== 'reporter' && name !== 'skills.lock.json');
  expect(rest).toEqual([]);
}, 60_000);

it('--yes takes nothing that was rejected', async () => {
  const place = makePlace();
  const folder = countingSkill(place);
  expect(await enhance(place, { edits: (text) => ({ 'SKILL.md': text.replace('TOTAL 41', 'TOTAL 40') }) })).toMatchObject({ verdict: 'rejected', applied: undefined });
  expect(fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8')).toContain('TOTAL 41');
}, 60_000);
