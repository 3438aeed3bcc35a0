import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SettingsFile } from '../../../src/config/settings.ts';
import { runFolder } from '../../../src/evaluate/report/anthropic-files.ts';
import type { EvaluateOptions } from '../../../src/runtime/evaluate/evaluate-options.ts';
import type { EvaluationReport } from '../../../src/evaluate/report/report.ts';
import type { ModelRequest } from '../../../src/model/model.ts';
import { scriptedModel, type ScriptedStep } from '../../../src/testing/scripted-model.ts';
import { logOf, makePlace, open, type Place } from '../open.ts';
import { conversation, evaluatedSkill, isJudge, obedientExecutor } from './skilled.ts';

const many = (step: ScriptedStep): readonly ScriptedStep[] => Array.from({ length: 5_000 }, () => step);
const tasks = (count: number, expectations: readonly unknown[]): readonly unknown[] => Array.from({ length: count }, (_, i) => ({ id: i + 1, prompt: `Task ${i + 1}: make the report`, expectations }));
const total = { check: 'file_matches', path: 'report.txt', pattern: '^total 42$' };

/** Judges by a fixed rubric: what the answer says is right where it says 42. */
function rubric(request: ModelRequest): string {
  const text = conversation(request);
  if (request.system.startsWith('You compare')) {
    const [, a = '', b = ''] = /##### RESULT A([\s\S]*)##### RESULT B([\s\S]*)/.exec(text) ?? [];
    const right = (material: string): boolean => material.includes('Done: total 42');
    return JSON.stringify({ winner: right(a) === right(b) ? 'tie' : right(a) ? 'A' : 'B', reason: 'by the total', evidence: 'Done:' });
  }
  return JSON.stringify({ verdicts: [{ number: 1, passed: text.includes('Done: total 42'), evidence: 'Done:' }] });
}

async function evaluate(place: Place, step: ScriptedStep, options: { readonly skill?: string; readonly runs?: number; readonly margin?: number; readonly against?: string; readonly suite?: 'triggers' | 'output'; readonly crowd?: number | 'all'; readonly settings?: SettingsFile } = {}) {
  const model = scriptedModel(many(step));
  const { settings, ...more } = options;
  const { runtime } = await open(model, { place, ...(settings ? { settings } : {}) });
  const report = await runtime.evaluateSkill({ skill: 'reporter', cwd: place.project, runs: 2, ...more });
  return { report, runtime, model };
}

const numbersOf = ({ arms, differences, triggers, verdict, records }: EvaluationReport): unknown => ({
  arms: arms.map((arm) => ({ ...arm, time_seconds: undefined })), differences, triggers, verdict,
  records: records.map(({ run, grades, skill }) => ({ run, grades, skill })),
});

describe('the output suite', () => {
  it('finds a planted good skill better, also by a blind judge, and the same seed gives the same numbers', async () => {
    const place = makePlace();
    evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: tasks(3, [total, { check: 'skill_loaded' }, 'The total is right.']) });
    const { report, runtime, model } = await evaluate(place, obedientExecutor('reporter', { judge: rubric }));
    expect(report).toMatchObject({ verdict: 'better', planned: 12, measured: 12, recommendation: 'It is better than no skill.', differences: [{ from: 'without', to: 'new', preferred: { to: 3, from: 0, tie: 0, not_judged: 0 }, difference: { mean: 1, method: 'score' } }] });
    expect(report.differences[0]?.difference?.interval.low).toBeGreaterThan(0);
    expect(report.arms.map(({ arm, score, pass_hat_k: hat }) => [arm, score.rate, hat])).toEqual([['without', 0, [0, 0]], ['new', 1, [1, 1]]]);
    expect(report.expectations.find(({ text }) => text === 'The skill is loaded')?.useless).toBeUndefined();
    // Nothing that a judge is asked tells the arm.
    const asked = model.requests.filter(isJudge).map(conversation);
    expect(asked.length).toBe(12 + 6);
    for (const text of asked) expect(text).not.toMatch(/skills[/\\]+(?:new|old)|INSTRUCTIONS OF THE SKILL|call of Skill|without_skill|with_skill/);
    const [first] = report.records;
    expect((await logOf(runtime, first?.session_id ?? '')).map(({ type }) => type)).toContain('turn.completed');
    // Nobody sees the answers in the skill, and no session of a run stands in the list of the person's folder.
    expect(fs.existsSync(path.join(report.folder, 'skills/new/reporter/evals'))).toBe(false);
    expect(await runtime.sessions.list({ cwd: place.project, limit: 10 })).toEqual([]);
    const again = await evaluate(place, obedientExecutor('reporter', { judge: rubric }));
    expect(numbersOf(again.report)).toEqual(numbersOf(report));
  }, 60_000);

  it('finds a useless skill without difference with enough tasks, and not enough evidence with few', async () => {
    const place = makePlace();
    const useless = (count: number): void => void evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE plain.txt: plain result', evals: tasks(count, [{ check: 'file_exists', path: 'plain.txt' }]) });
    useless(3);
    const few = await evaluate(place, obedientExecutor('reporter'), { runs: 1 });
    expect(few.report).toMatchObject({ verdict: 'not enough evidence', differences: [{ difference: { mean: 0 }, reason: expect.stringContaining('with 3 tasks') }] });
    expect(few.report.expectations.map(({ useless: tells }) => tells)).toEqual(['always met', 'always met', 'always met']);
    useless(10);
    const enough = await evaluate(place, obedientExecutor('reporter'), { runs: 4, margin: 0.1 });
    expect(enough.report).toMatchObject({ verdict: 'no difference', differences: [{ difference: { mean: 0, tasks: 10 } }] });
  }, 60_000);

  it('finds a harmful one worse than the old version and says not to ship it; the old one is a git revision', async () => {
    const place = makePlace();
    const folder = evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: tasks(4, [total]) });
    const git = (...args: readonly string[]): void => void execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { stdio: 'ignore' });
    git('init');
    git('add', '.');
    git('commit', '-m', 'one');
    fs.writeFileSync(path.join(folder, 'SKILL.md'), fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8').replace('total 42', 'total 41'));
    const { report } = await evaluate(place, obedientExecutor('reporter'), { against: 'HEAD' });
    expect(report).toMatchObject({ verdict: 'worse', recommendation: 'It is worse than the old version: do not ship it.', against: { what: `revision HEAD of ${folder}` } });
    expect(report.differences.map(({ from, to, verdict }) => `${from} ${to} ${verdict}`)).toEqual(['old new worse', 'without new not enough evidence']);
    expect(fs.readFileSync(path.join(report.folder, 'junit.xml'), 'utf8')).toContain('<failure message="It is worse than the old version: do not ship it."/>');
  }, 60_000);

  it('compares two folders of one skill, neither with rights that the other has not', async () => {
    const place = makePlace();
    const folder = evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: tasks(1, [total]) });
    const old = path.join(place.project, 'old');
    fs.cpSync(folder, old, { recursive: true });
    fs.writeFileSync(path.join(old, 'SKILL.md'), fs.readFileSync(path.join(old, 'SKILL.md'), 'utf8').replace('total 42', 'total 41'));
    const { report } = await evaluate(place, obedientExecutor('reporter'), { skill: folder, against: './old' });
    expect(report.differences[0]).toMatchObject({ from: 'old', to: 'new', difference: { mean: 1 } });
    expect(report.notes).toContain('The old version is not trusted, so both run without grants, hooks and commands, as it would in a session.');
  }, 60_000);

  it('refuses files that lie elsewhere, and leaves nothing behind', async () => {
    const place = makePlace();
    const folder = evaluatedSkill(place, 'reporter', { body: 'B', evals: [{ id: 1, prompt: 'p', expectations: [total], files: ['secret.txt'] }] });
    fs.writeFileSync(path.join(place.project, 'secret.txt'), 'secret');
    fs.symlinkSync(path.join(place.project, 'secret.txt'), path.join(folder, 'evals/secret.txt'));
    await expect(evaluate(place, 'never')).rejects.toThrow(/secret/);
    fs.renameSync(path.join(folder, 'evals/secret.txt'), path.join(folder, 'secret.txt'));
    await expect(evaluate(place, 'never')).rejects.toThrow(/secret/);
    fs.rmSync(path.join(folder, 'evals'), { recursive: true });
    fs.symlinkSync(path.join(place.project, 'secret.txt'), path.join(folder, 'evals.json'));
    await expect(evaluate(place, 'never')).rejects.toMatchObject({ code: 'path_refused', message: expect.stringContaining('leads to') });
    expect(fs.readdirSync(path.join(place.data, 'evaluations'))).toEqual([]);
  });

  it('keeps suites from the runs that they measure, wherever they lie in the skill', async () => {
    const place = makePlace();
    evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', files: { 'eval_queries.json': JSON.stringify([{ query: 'reporter, please', should_trigger: true }]), 'notes.md': 'notes' } });
    const { report } = await evaluate(place, obedientExecutor('reporter'), { suite: 'triggers', runs: 1 });
    const [copy = ''] = fs.readdirSync(path.join(report.folder, 'skills/new'));
    expect(fs.readdirSync(path.join(report.folder, 'skills/new', copy)).toSorted()).toEqual(['SKILL.md', 'notes.md']);
  });

  it('takes runs without the skill, and with its old version, over from earlier evaluations of the same, unless told otherwise', async () => {
    const place = makePlace();
    const cost = { price: { input: 10, output: 10, cache_read: 1, cache_write: 10 } };
    const folder = evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: tasks(3, [total]) });
    const old = path.join(place.project, 'old');
    fs.cpSync(folder, old, { recursive: true });
    const again = async (options: Partial<EvaluateOptions> = {}): Promise<{ readonly report: EvaluationReport; readonly asked: number }> => {
      const model = scriptedModel(many(obedientExecutor('reporter')), cost);
      const { runtime } = await open(model, { place });
      return { report: await runtime.evaluateSkill({ skill: folder, against: old, cwd: place.project, runs: 2, ...options }), asked: model.requests.length };
    };
    const reused = ({ records }: EvaluationReport): readonly string[] => records.filter((record) => record.reused !== undefined).map(({ arm }) => arm);
    const first = await again();
    expect(reused(first.report)).toEqual([]);
    // The skill as it is has been edited: only that is measured anew, and only that costs.
    fs.writeFileSync(path.join(folder, 'SKILL.md'), fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8').replace('total 42', 'total 41'));
    const second = await again();
    expect(reused(second.report).toSorted()).toEqual([...Array.from({ length: 6 }, () => 'old'), ...Array.from({ length: 6 }, () => 'without')]);
    expect(second.report).toMatchObject({ measured: 18, verdict: 'worse', notes: expect.arrayContaining([expect.stringContaining(`12 runs were taken over from ${first.report.id}: the same cases, model, seed and skill.`)]) });
    expect(second.report.cost_usd).toBeLessThan(first.report.cost_usd / 2);
    expect(second.report.arms.map(({ cost_usd }) => (cost_usd?.mean ?? 0) > 0)).toEqual([true, true, true]);
    const [taken] = second.report.records.filter((record) => record.reused !== undefined);
    expect(fs.existsSync(path.join(second.report.folder, runFolder(taken ?? { suite: 'output', entry: 'none', arm: 'old', number: 1 }), 'grading.json'))).toBe(true);
    // Another seed, another task and --fresh are other runs.
    expect(reused((await again({ seed: 2, runs: 1 })).report)).toEqual([]);
    expect(reused((await again({ fresh: true, runs: 1 })).report)).toEqual([]);
    fs.writeFileSync(path.join(folder, 'evals/evals.json'), JSON.stringify({ evals: [{ id: 1, prompt: 'Task 1: make another report', expectations: [total] }] }));
    expect(reused((await again({ runs: 1 })).report)).toEqual([]);
  }, 60_000);

  it('keeps a budget with many runs at once, but for the last request of each', async () => {
    const place = makePlace();
    evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: tasks(6, [total]) });
    const { runtime } = await open(scriptedModel(many(obedientExecutor('reporter')), { price: { input: 10, output: 10, cache_read: 1, cache_write: 10 } }), { place });
    // A request costs $0.0011, a run two or three of them.
    const report = await runtime.evaluateSkill({ skill: 'reporter', cwd: place.project, runs: 2, parallel: 8, budgetUsd: 0.008 });
    expect(report).toMatchObject({ verdict: 'not enough evidence', stopped: { reason: 'budget' } });
    expect(report.measured).toBeGreaterThan(0);
    expect(report.cost_usd).toBeLessThanOrEqual(0.008 + 0.0011);
    const whole = await runtime.evaluateSkill({ resume: report.id });
    expect(whole).toMatchObject({ measured: 24, verdict: 'better' });
  }, 60_000);

  it('takes a file beside SKILL.md for a suite by its form alone, and says so', async () => {
    const place = makePlace();
    const data = JSON.stringify([{ query: 'SELECT 1', title: 'one' }]);
    const folder = evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: tasks(1, [total]), files: { 'queries.json': data } });
    const { report } = await evaluate(place, obedientExecutor('reporter'), { runs: 1 });
    expect(report.notes).toContain(`${path.join(folder, 'queries.json')} does not have the form of a suite, so it is left alone as data of the skill.`);
    expect(fs.readFileSync(path.join(report.folder, 'skills/new/reporter/queries.json'), 'utf8')).toBe(data);
    expect(report.triggers).toEqual([]);
    fs.writeFileSync(path.join(folder, 'queries.json'), JSON.stringify([{ query: 'a report', should_trigger: true }, { query: 'a poem', should_trigger: false }]));
    const taken = await evaluate(place, obedientExecutor('reporter'), { runs: 1, suite: 'triggers' });
    expect(taken.report.notes.join(' ')).toContain('queries.json is taken for a suite, since it has the form of one');
    expect(taken.report.triggers[0]?.queries).toHaveLength(2);
    expect(fs.existsSync(path.join(taken.report.folder, 'skills/new/reporter/queries.json'))).toBe(false);
  }, 60_000);

  it('warns of expected answers that stand in the skill, and of a trigger suite for what only a person can call', async () => {
    const place = makePlace();
    const folder = evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: tasks(1, [total]), triggers: [{ query: 'a report', should_trigger: true }, { query: 'a poem', should_trigger: false }] });
    const { report } = await evaluate(place, obedientExecutor('reporter'), { runs: 1 });
    expect(report.leaks).toEqual([expect.stringContaining('The expected answer of case 1 stands word for word in SKILL.md, so a run may copy it: "total 42"')]);
    expect(report.notes).toEqual(expect.arrayContaining([...report.leaks]));
    expect(fs.readFileSync(path.join(report.folder, 'report.html'), 'utf8')).toContain('stands word for word in SKILL.md');
    expect(report.notes.join(' ')).not.toContain('disable-model-invocation');
    fs.writeFileSync(path.join(folder, 'SKILL.md'), fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8').replace('\n---\n', '\ndisable-model-invocation: true\n---\n'));
    const person = await evaluate(place, obedientExecutor('reporter'), { runs: 1 });
    expect(person.report.notes.join(' ')).toMatch(/reporter says disable-model-invocation, so only a person can call it.*runs load it only where the prompt of the case calls it, as \/reporter/);
    expect(person.report.triggers[0]?.recall).toMatchObject({ rate: 0 });
  }, 60_000);

  it('names what is flaky, and what a judge did not judge counts as nothing', async () => {
    const place = makePlace();
    evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL\n\nWRITE report.txt: total 42', evals: tasks(1, [total, 'It is pretty.']) });
    let calls = 0;
    const obedient = obedientExecutor('reporter', { judge: () => 'I cannot say.' });
    const { report } = await evaluate(place, (request, index) => {
      const said = conversation(request);
      if (!isJudge(request) && said.includes('INSTRUCTIONS OF THE SKILL') && !said.includes('"tool":"Write"')) calls += 1;
      return calls % 2 === 0 && said.includes('INSTRUCTIONS OF THE SKILL') && !isJudge(request) ? 'I did nothing.' : typeof obedient === 'function' ? obedient(request, index) : obedient;
    }, { runs: 4 });
    expect(report.expectations[0]).toMatchObject({ flaky: ['new'] });
    expect(report.expectations[1]?.arms).toEqual([{ arm: 'without', passed: 0, failed: 0, not_judged: 4 }, { arm: 'new', passed: 0, failed: 0, not_judged: 4 }]);
    expect(report.notes.join(' ')).toContain('8 expectations were not judged');
    expect(report.differences[0]?.preferred).toEqual({ from: 0, to: 0, tie: 0, not_judged: 1 });
  }, 60_000);
});

describe('the trigger suite', () => {
  it('has the right confusion matrix for a known truth, with the stage of each miss', async () => {
    const place = makePlace();
    evaluatedSkill(place, 'reporter', { description: 'Makes reports of orders.', body: 'INSTRUCTIONS OF THE SKILL', triggers: [
      { query: 'report please: load', should_trigger: true }, { query: 'report again: load', should_trigger: true }, { query: 'report: ignore', should_trigger: true },
      { query: 'a poem: load', should_trigger: false }, { query: 'a poem: ignore', should_trigger: false },
    ] });
    const { report } = await evaluate(place, (request) => {
      const said = conversation(request);
      const results = request.messages.filter(({ role }) => role === 'tool').length;
      if (results > 0) return 'I am done.';
      return said.includes(': load') ? { calls: [{ tool: 'Skill', input: { skill: 'reporter' } }] } : 'No skill for me.';
    }, { suite: 'triggers', runs: 3 });
    const [triggers] = report.triggers;
    expect(triggers).toMatchObject({ arm: 'new', precision: { passed: 6, total: 9 }, recall: { passed: 6, total: 9 }, failed: 0 });
    expect(triggers?.queries.map(({ query, triggered, passed }) => `${query} ${triggered} ${passed}`)).toEqual(expect.arrayContaining(['report please: load 3 true', 'report again: load 3 true', 'report: ignore 0 false', 'a poem: load 3 false', 'a poem: ignore 0 true']));
    expect(triggers?.queries[2]?.misses).toEqual([{ stage: 'offered but not selected', runs: 3 }]);
    expect(triggers?.confusion).toEqual({ true_positive: 6, false_negative: 3, false_positive: 3, true_negative: 3 });
    expect(triggers?.recall?.interval.low).toBeGreaterThan(0);
    expect(report.recommendation).toMatch(/messages? do(?:es)? not trigger/);
  }, 60_000);

  it('what was loaded and led to nothing is a miss of its own stage', async () => {
    const place = makePlace();
    evaluatedSkill(place, 'reporter', { body: 'INSTRUCTIONS OF THE SKILL', triggers: [{ query: 'report', should_trigger: true }, { query: 'poem', should_trigger: false }] });
    const { report } = await evaluate(place, (request) => (conversation(request).includes('"text":"report') ? { calls: [{ tool: 'Skill', input: { skill: 'reporter' } }] } : 'No.'), { suite: 'triggers', runs: 1, settings: { maxTurns: 1 } });
    expect(report.triggers[0]?.queries[0]).toMatchObject({ triggered: 0, misses: [{ stage: 'selected but not followed', runs: 1 }] });
  }, 60_000);

  it('in a crowd the skill may not be offered at all', async () => {
    const place = makePlace();
    evaluatedSkill(place, 'reporter', { description: 'Frobnicates widgets.', body: 'INSTRUCTIONS OF THE SKILL', triggers: [{ query: 'note of kind seven', should_trigger: true }, { query: 'note of kind eight', should_trigger: false }] });
    for (let i = 0; i < 12; i += 1) evaluatedSkill(place, `note-${i}`, { description: `A note of kind ${i}: one two three four five six seven eight.`, body: 'Body.' });
    const { report } = await evaluate(place, () => 'No.', { suite: 'triggers', runs: 1, crowd: 12 });
    expect(report.triggers.map(({ arm, queries }) => [arm, queries[0]?.misses])).toEqual([['new', [{ stage: 'offered but not selected', runs: 1 }]], ['crowded', [{ stage: 'not offered', runs: 1 }]]]);
  }, 60_000);
});
