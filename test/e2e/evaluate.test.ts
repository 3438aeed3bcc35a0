import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { FakeRequest, FakeStep, FakeWord } from '../../src/testing/fake-provider/script.ts';
import { MODEL, makePlace, oneLineOf, run, start, withoutBubblewrap, withProvider, writeSettings, writeSkill, type Place } from './program.ts';

const steps = (step: FakeStep, count = 3_000): readonly FakeStep[] => Array.from({ length: count }, () => step);

/** Loads the skill where it is offered and writes what it says; else it writes a plain result. */
function executor(skill: string): (request: FakeRequest) => FakeWord {
  return ({ text }) => {
    const usage = { input: 1_000, output: 100 };
    if (text.includes('You judge the work') || text.includes('You compare two results')) return { text: 'no JSON', usage };
    const isLoaded = text.includes('INSTRUCTIONS OF THE SKILL');
    const results = (text.match(/"role":"tool"/g) ?? []).length;
    if (!isLoaded && text.includes(`- ${skill}`) && results === 0) return { calls: [{ name: 'Skill', input: { skill } }], usage };
    const content = isLoaded ? 'total 42' : 'something';
    if (!text.includes('"name":"Write"') || !/tool_calls.*"name":"Write"/.test(text)) return { calls: [{ name: 'Write', input: { file_path: 'report.txt', content } }], usage };
    return { text: `I wrote: ${content}`, usage };
  };
}

function skillIn(place: Place, { evals, name = 'reporter', files = {} }: { readonly evals?: unknown; readonly name?: string; readonly files?: Readonly<Record<string, string>> }): string {
  return writeSkill(path.join(place.home, '.agents/skills'), { name, description: 'Makes reports.', body: 'INSTRUCTIONS OF THE SKILL\n\nWrite total 42 into report.txt.\n', files: { ...(evals === undefined ? {} : { 'evals/evals.json': JSON.stringify({ skill_name: name, evals }) }), ...files } });
}

const cases = (count: number): readonly unknown[] => Array.from({ length: count }, (_, i) => ({ id: i + 1, prompt: `Task ${i + 1}: the report, please.`, expectations: [{ check: 'file_matches', path: 'report.txt', pattern: '^total 42$' }] }));

it('prints a table, writes all files, keeps a baseline, and --ci fails only where it got worse', async () => {
  const place = makePlace();
  const folder = skillIn(place, { evals: cases(3) });
  await withProvider(place, { steps: steps(executor('reporter')) });
  const base = path.join(place.root, 'base.json');
  const first = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--runs', '1', '--write-baseline', base, '--report', path.join(place.root, 'out')]);
  expect([first.code, first.stderr.replace(/skillmint: (?:evaluation|\d+ of).*\n/g, '')], first.stderr + first.stdout).toEqual([0, '']);
  expect(first.stdout).toContain('Verdict: better');
  expect(first.stdout).toMatch(/6 of 6 runs with fake\/m/);
  expect(fs.readdirSync(path.join(place.root, 'out')).sort()).toEqual(['benchmark.json', 'junit.xml', 'report.html', 'report.json']);
  const same = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--runs', '1', '--ci', '--baseline', base]);
  expect([same.code, same.stdout.includes('Baseline, output: 0 points')], same.stdout).toEqual([0, true]);
  fs.writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: reporter\ndescription: Makes reports.\n---\n\nBe brief.\n');
  const worse = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--runs', '1', '--ci', '--baseline', base, '--json']);
  expect(worse.code, worse.stderr).toBe(1);
  expect(JSON.parse(worse.stdout)).toMatchObject({ baseline: [{ suite: 'output', verdict: 'worse' }] });
  for (const more of [['--baseline', 'missing.json'], []]) {
    const missing = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--ci', ...more]);
    expect([missing.code, oneLineOf(missing)]).toEqual([5, expect.stringMatching(/baseline .*(?:missing|evals.baseline)\.json cannot be read.*--write-baseline/)]);
  }
}, 60_000);

it('after kill -9 in the middle of 40 runs, each is counted once and none is lost', async () => {
  const place = makePlace();
  skillIn(place, { evals: cases(10) });
  const parallel = 4;
  // All that runs hangs when it is killed.
  const provider = await withProvider(place, { steps: [...steps(executor('reporter'), 40), ...steps({ fault: { kind: 'hang', afterBytes: 0 } }, parallel), ...steps(executor('reporter'))] });
  const evaluations = path.join(place.data, 'evaluations');
  const logs = (): readonly string[] => (fs.existsSync(evaluations) ? fs.readdirSync(evaluations).map((id) => path.join(evaluations, id, 'runs.jsonl')) : []);
  const lines = (): readonly string[] => logs().flatMap((file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : []));
  const { child, ended } = start(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--runs', '2', '--parallel', String(parallel)]);
  while (provider.requests.length < 40 + parallel && child.exitCode === null) await sleep(10);
  child.kill('SIGKILL');
  expect((await ended).signal).toBe('SIGKILL');
  const [id = ''] = fs.readdirSync(evaluations);
  const kept = lines();
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(40);
  // What a crash leaves of a line counts for nothing.
  fs.appendFileSync(logs()[0] ?? '', '{"kind":"run","run":"output/1/new/1","outco');
  const again = await run(place, ['skills', 'evaluate', '--resume', id, '--json']);
  expect(again.code, again.stderr).toBe(0);
  const report: { records: readonly { run: string; session_id: string }[]; measured: number; verdict: string } = JSON.parse(again.stdout);
  expect([report.measured, new Set(report.records.map((record) => record.run)).size, report.verdict]).toEqual([40, 40, 'better']);
  const all = lines().map((line): { run: string; session_id: string } => JSON.parse(line));
  expect(all).toHaveLength(40);
  expect(new Set(all.map((record) => record.run)).size).toBe(40);
  for (const line of kept) expect(lines()).toContain(line);
  expect(fs.readdirSync(place.env['TMPDIR'] ?? '').filter((name) => name.startsWith('skillmint-ws-'))).toEqual([]);
  const shown = await run(place, ['sessions', 'show', report.records[0]?.session_id ?? '']);
  expect([shown.code, shown.stdout.includes('the report, please')]).toEqual([0, true]);
}, 60_000);

it('a budget keeps what was measured, says why there is no verdict, and can be raised', async () => {
  const place = makePlace();
  skillIn(place, { evals: cases(4) });
  await withProvider(place, { steps: steps(executor('reporter')) });
  // A run costs at least $0.004.
  const short = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--runs', '2', '--budget', '0.02', '--parallel', '1', '--json']);
  expect(short.code, short.stderr).toBe(4);
  const report: { id: string; measured: number; cost_usd: number } = JSON.parse(short.stdout);
  expect(report).toMatchObject({ verdict: 'not enough evidence', stopped: { reason: 'budget', message: 'The budget of $0.02 was used up.' } });
  expect(report.measured).toBeGreaterThan(0);
  expect(report.measured).toBeLessThan(16);
  const hint = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--max-runs', '1', '--runs', '1']);
  expect([hint.code, hint.stdout.includes('not enough evidence'), hint.stderr.includes(`--resume ${report.id}`)]).toEqual([4, true, true]);
  const whole = await run(place, ['skills', 'evaluate', '--resume', report.id, '--json']);
  expect([whole.code, whole.stderr.includes('Error')], whole.stderr).toEqual([0, false]);
  expect(JSON.parse(whole.stdout)).toMatchObject({ measured: 16, verdict: 'better' });
}, 60_000);

it('--grades reads what an evaluation has written, and --clean removes it with its sessions', async () => {
  const place = makePlace();
  skillIn(place, { evals: cases(3) });
  await withProvider(place, { steps: steps(executor('reporter')) });
  const made = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--runs', '1', '--json']);
  expect(made.code, made.stderr).toBe(0);
  const report: { readonly folder: string; readonly differences: readonly { readonly difference: { readonly mean: number; readonly interval: object } }[]; readonly records: readonly { readonly session_id: string }[] } = JSON.parse(made.stdout);
  const grades = await run(place, ['skills', 'evaluate', '--grades', report.folder, '--json']);
  expect([grades.code, JSON.parse(grades.stdout)]).toMatchObject([0, { verdict: 'better', from: 'without', difference: report.differences[0]?.difference }]);
  expect((await run(place, ['skills', 'evaluate', '--grades', place.project])).code).toBe(5);
  expect(JSON.parse((await run(place, ['sessions', 'list', '--all', '--json'])).stdout)).toMatchObject({ sessions: [] });
  const none = await run(place, ['skills', 'evaluate', '--clean', '--json']);
  expect(JSON.parse(none.stdout)).toEqual({ evaluations: 0, enhancements: 0, sessions: 0, drafts: 0 });
  const cleaned = await run(place, ['skills', 'evaluate', '--clean', '0']);
  expect([cleaned.code, cleaned.stdout]).toEqual([0, 'Removed 1 evaluations, 0 enhancements, 6 sessions of runs and 0 drafts.\n']);
  expect(fs.readdirSync(path.join(place.data, 'evaluations'))).toEqual([]);
  expect((await run(place, ['sessions', 'show', report.records[0]?.session_id ?? ''])).code).toBe(5);
  for (const args of [['--clean', 'few'], ['--clean', '--runs', '2'], ['reporter', '--clean']]) expect((await run(place, ['skills', 'evaluate', ...args])).code, args.join(' ')).toBe(2);
}, 60_000);

it('the judge of the settings judges, and nobody says that it judges its own work', async () => {
  const place = makePlace();
  skillIn(place, { evals: [{ id: 1, prompt: 'Go.', expectations: ['The total is named.'] }] });
  const provider = await withProvider(place, { steps: steps((request) => {
    if (request.body['model'] !== 'j') return executor('reporter')(request);
    return request.text.includes('You compare') ? '{"winner":"tie","reason":"r","evidence":"I wrote"}' : JSON.stringify({ verdicts: [{ number: 1, passed: request.text.includes('I wrote: total 42'), evidence: 'I wrote' }] });
  }) });
  writeSettings(place, { evaluate: { judge: 'fake/j' }, providers: { fake: { api: 'openai-chat', baseUrl: provider.url, apiKey: 'k', models: ['m', 'j'].map((id) => ({ id, contextWindow: 200_000, maxOutput: 8_000 })) } } });
  const ended = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--json']);
  expect(ended.code, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ judge: 'fake/j', notes: [], arms: [{ arm: 'without', score: { rate: 0 } }, { arm: 'new', score: { rate: 1 } }] });
  expect(provider.requests.filter(({ body }) => body['model'] === 'j')).toHaveLength(8);
  const unpriced = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--budget', '1']);
  expect([unpriced.code, oneLineOf(unpriced)]).toEqual([2, expect.stringMatching(/The price of fake\/m is not known, so a budget in USD cannot be kept/)]);
  expect(fs.readdirSync(path.join(place.data, 'evaluations'))).toHaveLength(1);
}, 60_000);

it('Ctrl-C keeps what was measured and says how to go on', async () => {
  const place = makePlace();
  skillIn(place, { evals: cases(10) });
  const provider = await withProvider(place, { steps: [...steps(executor('reporter'), 20), ...steps({ fault: { kind: 'hang', afterBytes: 0 } }, 8)] });
  const { child, ended } = start(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--runs', '2']);
  while (provider.requests.length < 24 && child.exitCode === null) await sleep(10);
  child.kill('SIGINT');
  const stopped = await ended;
  expect([stopped.code, stopped.signal], stopped.stderr).toEqual([130, null]);
  expect(stopped.stdout).toMatch(/Verdict: not enough evidence\. It was interrupted\.[\s\S]*skills evaluate --resume eval_/);
}, 60_000);

it('says in one line what is wrong', async () => {
  const place = makePlace();
  const folder = skillIn(place, {});
  await withProvider(place, { steps: steps({ status: 400, body: { error: { message: 'registry.ollama.ai/library/tiny does not support tools' } } }) });
  const evaluate = async (...more: readonly string[]): Promise<string> => {
    const ended = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', ...more]);
    return `${ended.code} ${ended.stderr.trim()}`;
  };
  expect(await evaluate()).toMatch(/^5 skillmint: The skill reporter has no evals: write .*evals\.json or .*triggers\.json, or have a draft written: skillmint skills evaluate reporter --draft$/);
  const write = (text: string): void => {
    fs.mkdirSync(path.join(folder, 'evals'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'evals/evals.json'), text);
  };
  write('{');
  expect(await evaluate()).toMatch(/^2 skillmint: .*evals\.json is no valid JSON/);
  write(JSON.stringify({ evals: [{ id: 1, prompt: 'a' }, { id: 2, prompt: 'b', assertions: ['x'] }, { id: 2, prompt: 'c', expectations: ['x'] }] }));
  expect(await evaluate()).toMatch(/^2 .*eval 1 has neither "expectations" nor "expected_output".* the id 2 stands twice, again at eval 3/);
  write(JSON.stringify({ evals: [{ id: 1, prompt: 'a', expectations: [{ check: 'file_exists', path: 'a' }, { check: 'file_absent', path: 'a' }], files: ['../secret'] }] }));
  expect(await evaluate()).toMatch(/^2 .*"\.\.\/secret", which is no path inside the skill.*eval 1 contradicts itself, no run can meet both "The file a exists" and "The file a does not exist"/);
  write(JSON.stringify({ evals: [{ id: 1, prompt: 'a', expectations: ['x'] }] }));
  expect(await evaluate('--against', 'no-such')).toMatch(/^5 .*neither a folder with a SKILL\.md nor a git revision/);
  expect(await evaluate('--only', '9')).toMatch(/^2 .*There is no eval 9\. There are 1\./);
  expect(await evaluate('--resume', 'eval_1')).toMatch(/^2 .*leave out/);
  expect(oneLineOf(await run(place, ['skills', 'evaluate', '--resume', 'eval_zzz']))).toMatch(/There is no evaluation eval_zzz/);
  const noTools = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--sandbox', 'off', '--parallel', '1']);
  expect([noTools.code, noTools.stdout]).toEqual([1, expect.stringContaining('The model fake/m cannot call tools, which skills need: choose another one with --model.')]);
}, 60_000);

it('drafts suites that are marked as drafts, and no score', async () => {
  const place = makePlace();
  const folder = skillIn(place, {});
  const provider = await withProvider(place, { steps: [
    'I would rather not.',
    { text: JSON.stringify({ evals: [{ id: 1, prompt: 'A report.', expectations: ['It is one.', { check: 'file_exists', path: 'report.txt' }] }], triggers: [{ query: 'a report', should_trigger: true }, { query: 'a poem', should_trigger: false }] }) },
  ] });
  const drafted = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--draft']);
  expect([drafted.code, drafted.stdout], drafted.stderr).toEqual([0, expect.stringContaining('fake/m drafted 1 cases and 2 messages')]);
  expect(JSON.parse(fs.readFileSync(path.join(folder, 'evals/evals.json'), 'utf8'))).toMatchObject({ draft: true });
  expect(provider.requests).toHaveLength(2);
  expect(fs.existsSync(path.join(place.data, 'evaluations'))).toBe(false);
  expect(oneLineOf(await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--draft']))).toMatch(/evals\.json is there already/);
}, 60_000);

it.skipIf(withoutBubblewrap)('commands of runs and checks work in the sandbox, and what would ask is denied', async () => {
  const place = makePlace();
  skillIn(place, { evals: [{ id: 1, prompt: 'Go.', files: ['evals/files/in.csv'], expectations: [
    { check: 'command', command: 'test -f in.csv && test -f made.txt && ! cat "$HOME/../../../home/.skillmint/config.json" && cat "$EVALS_DIR/files/in.csv"' },
    { check: 'file_absent', path: 'asked.txt' }, { check: 'answer_contains', value: 'denied' }] }], files: { 'evals/files/in.csv': 'a,b\n' } });
  await withProvider(place, { steps: steps(({ text }) => {
    const results = (text.match(/"role":"tool"/g) ?? []).length;
    if (results === 0) return { calls: [{ name: 'Bash', input: { command: 'wc -c in.csv > made.txt' } }, { name: 'Write', input: { file_path: `${place.project}/asked.txt`, content: 'x' } }, { name: 'AskUserQuestion', input: { question: 'May I?' } }] };
    return /outside the workspace/.test(text) && /AskUserQuestion denies/.test(text) ? 'denied' : `not as expected: ${text.slice(-600)}`;
  }) });
  const ended = await run(place, ['skills', 'evaluate', 'reporter', ...MODEL, '--runs', '1', '--json']);
  expect(ended.code, ended.stderr).toBe(0);
  const { records }: { records: readonly { grades: readonly { verdict: string; evidence: string }[] }[] } = JSON.parse(ended.stdout);
  expect(records.flatMap(({ grades }) => grades.map(({ verdict }) => verdict)), JSON.stringify(records.map(({ grades }) => grades))).toEqual(Array.from({ length: 6 }, () => 'passed'));
  expect(fs.existsSync(path.join(place.project, 'asked.txt'))).toBe(false);
}, 60_000);
