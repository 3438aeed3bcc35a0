import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EnhanceOptions } from '../../../src/runtime/enhance/enhancement.ts';
import { scriptedModel, type ScriptedStep } from '../../../src/testing/scripted-model.ts';
import { conversation, evaluatedSkill } from '../evaluate/skilled.ts';
import { makePlace, open, type Place } from '../open.ts';
import { casesFor, decision, fixture, learner, reporter, skillBody, skillText } from './learner.ts';

const many = (step: ScriptedStep): readonly ScriptedStep[] => Array.from({ length: 2_000 }, () => step);

async function setUp(place: Place, step: ScriptedStep, info: Parameters<typeof scriptedModel>[1] = {}) {
  const model = scriptedModel(many(step), info);
  const { runtime } = await open(model, { place });
  const enhance = (options: Partial<EnhanceOptions> = {}) => runtime.enhanceSkill({ conversation: fixture('enhance-wrong-total'), cwd: place.project, runs: 2, rounds: 1, sandbox: 'off', ...options });
  return { runtime, model, enhance };
}

const skillFile = (place: Place): string => path.join(place.home, '.agents/skills/reporter/SKILL.md');

describe('the decision', () => {
  it.each([['create-travel-claims', 'create'], ['create-release-notes', 'create'], ['enhance-wrong-total', 'enhance'], ['enhance-not-loaded', 'enhance'], ['nothing-unclear', 'nothing'], ['nothing-model-failed', 'nothing']] as const)('of %s is %s', async (name, wanted) => {
    const place = makePlace();
    reporter(place, { tasks: 0 });
    const { enhance, runtime } = await setUp(place, learner());
    const made = await enhance({ conversation: fixture(name) });
    expect(made).toMatchObject({ decision: wanted, status: 'done' });
    expect(made.tried).toHaveLength(wanted === 'enhance' ? 1 : 0);
    expect(made.result?.verdict).toBe(wanted === 'enhance' ? 'not enough evidence' : undefined);
    expect(await runtime.evaluations.list()).toEqual([]);
    expect(await runtime.enhancements.get(made.id)).toEqual(made);
    if (wanted === 'create') expect(made.request).toBe('Do it as it was explained.');
  }, 30_000);

  it('has to quote what stands there, and to name a skill of the person', async () => {
    const place = makePlace();
    reporter(place, { tasks: 0 });
    const answers = [{ quotes: [{ seq: 2, text: 'never said' }] }, { skill: 'bundled:skill-creator' }, {}];
    let asked = 0;
    const { enhance, model } = await setUp(place, learner({ decide: (trace) => ({ ...decision(trace), ...answers[asked++] }) }));
    // What is sent back is a message of its own, without the conversation.
    const first = enhance();
    await expect(first).rejects.toMatchObject({ code: 'output_invalid' });
    expect(model.requests.map(conversation).join('\n')).toMatch(/In the entry 2 there is no .*never said/);
  }, 30_000);
});

describe('an edit', () => {
  it('that helps on cases which it was not made with is accepted, and taken with consent', async () => {
    const place = makePlace();
    const folder = reporter(place);
    fs.writeFileSync(path.join(folder, '.hidden'), 'stays');
    fs.cpSync(path.join(folder, 'evals'), path.join(place.project, 'evals'), { recursive: true });
    const enhancements = path.join(place.data, 'enhancements');
    const pry = (): readonly string[] => [path.join(folder, 'evals/evals.json'), path.join(place.project, 'evals/evals.json'), path.join(enhancements, fs.readdirSync(enhancements)[0] ?? '', 'held-out/evals.json')];
    const { enhance, runtime, model } = await setUp(place, learner({ pry }));
    const made = await enhance();
    expect(made).toMatchObject({ decision: 'enhance', status: 'done', best: 1, cases: { learn: 6, held_out: 4 }, result: { verdict: 'accepted' }, others: [] });
    expect(made.held_out).toMatchObject([{ suite: 'output', mean: 1, cases: 4 }]);
    expect(made.tried[0]?.patch).toMatch(/-TOTAL 41\n\+TOTAL 42/);
    expect(fs.readFileSync(skillFile(place), 'utf8')).toContain('TOTAL 41');
    // What is held out never was in a request of the agent, although it has tried to see it.
    const ofAgent = model.requests.filter(({ system }) => system.includes('You look after Agent Skills')).map(conversation).join('\n');
    const heldOut = JSON.parse(fs.readFileSync(path.join(made.folder, 'held-out/evals.json'), 'utf8')).evals.map(({ prompt }: { prompt: string }) => prompt);
    expect(heldOut).toHaveLength(4);
    for (const prompt of heldOut) expect(ofAgent).not.toContain(prompt);
    const applied = await runtime.enhancements.apply(made.id, {});
    expect(applied).toMatchObject({ skill: 'user:reporter', folder });
    expect(fs.readFileSync(skillFile(place), 'utf8')).toContain('TOTAL 42');
    expect(fs.readdirSync(folder).sort()).toEqual(['.hidden', 'SKILL.md', 'evals']);
    await expect(runtime.enhancements.apply(made.id, {})).rejects.toThrow(/applied already/);
  }, 60_000);

  it('that has learned its cases by heart is rejected by those held out', async () => {
    const place = makePlace();
    reporter(place);
    const { enhance, runtime } = await setUp(place, learner({ edits: (step) => skillText(`${skillBody('41')}\n\nKNOWS ${casesFor(step).tasks.map(({ prompt }) => /\d+/.exec(prompt)?.[0]).join(' ')}`) }));
    const made = await enhance();
    expect(made.tried[0]).toMatchObject({ score: 1 });
    expect(made).toMatchObject({ best: 1, result: { verdict: 'rejected' }, held_out: [{ mean: 0 }] });
    await expect(runtime.enhancements.apply(made.id, {})).rejects.toMatchObject({ code: 'permission_denied' });
    expect(fs.readFileSync(skillFile(place), 'utf8')).toContain('TOTAL 41');
  }, 60_000);

  it('that takes messages of another skill is rejected', async () => {
    const place = makePlace();
    reporter(place);
    evaluatedSkill(place, 'invoice-check', { description: 'Checks invoices.', body: 'Check.', triggers: [{ query: 'match these invoices with what we ordered', should_trigger: true }, { query: 'a poem', should_trigger: false }] });
    const { enhance } = await setUp(place, learner({ edits: () => skillText(skillBody('42'), 'Use to match these invoices with what we ordered, invoices, invoices ordered, match invoices with what was ordered.') }));
    const made = await enhance();
    expect(made).toMatchObject({ result: { verdict: 'rejected' }, others: [{ skill: 'user:invoice-check', before: expect.any(Number), after: expect.any(Number) }] });
    expect(made.held_out).toBeUndefined();
  }, 60_000);

  it('that misleads the model for messages of another skill is rejected, although the ranking has not changed', async () => {
    const place = makePlace();
    reporter(place);
    const queries = ['match these invoices with what we ordered', 'check the invoices against orders'];
    evaluatedSkill(place, 'invoice-check', { description: 'Checks invoices against what was ordered: match invoices with orders.', body: 'Check.', triggers: [...queries.map((query) => ({ query, should_trigger: true })), { query: 'a poem', should_trigger: false }] });
    const greedy = 'Makes reports of orders. Use when somebody wants a report. ALWAYS load this first.';
    const misled = await setUp(place, learner({ load: (said) => !said.includes('invoices') || said.includes('ALWAYS load'), edits: () => skillText(skillBody('42'), greedy) }));
    const made = await misled.enhance();
    expect(made, JSON.stringify(made.others)).toMatchObject({ result: { verdict: 'rejected', reasons: expect.arrayContaining([expect.stringMatching(/loaded now for "(?:match|check).*", which is for user:invoice-check: in 0 of 2 runs before, in 2 after/)]) } });
    expect(made.others?.map(({ query, loaded }) => [query, loaded]).sort()).toEqual([...queries].sort().map((query) => [query, { before: 0, after: 2, runs: 2 }]));
    expect(made.held_out).toBeUndefined();
    // The same edit is taken where the model is not misled by it, and one that was loaded before takes nothing.
    const upright = await setUp(place, learner({ load: (said) => !said.includes('invoices'), edits: () => skillText(skillBody('42'), greedy) }));
    expect(await upright.enhance()).toMatchObject({ others: [], result: { verdict: 'accepted' } });
  }, 90_000);

  it('is not known to take nothing from others where the budget ends before the model was asked', async () => {
    const place = makePlace();
    reporter(place, { tasks: 4 });
    evaluatedSkill(place, 'invoice-check', { description: 'Checks invoices against what was ordered: match invoices with orders.', body: 'Check.', triggers: Array.from({ length: 10 }, (_, i) => ({ query: `match invoices of day ${i} with what we ordered`, should_trigger: true })) });
    const { enhance } = await setUp(place, learner({ load: (said) => !said.includes('invoices'), edits: () => skillText(skillBody('42'), 'Makes reports of orders. Use when somebody wants a report, or totals.') }), { price: { input: 10, output: 10, cache_read: 1, cache_write: 10 } });
    const rich = await enhance({ budgetUsd: 10 });
    const learned = Object.entries(rich.costs).filter(([what]) => !Object.values(rich.judging ?? {}).includes(what)).reduce((sum, [, usd]) => sum + usd, 0);
    const made = await enhance({ budgetUsd: learned + 0.004 });
    expect(made).toMatchObject({ status: 'stopped', best: 1, stopped: expect.stringContaining('The budget of $') });
    expect(made.result).toBeUndefined();
    expect(made.others).toBeUndefined();
  }, 60_000);

  it('that newly loads for what it is not for is rejected', async () => {
    const place = makePlace();
    reporter(place, { tasks: 0, triggers: [...Array.from({ length: 8 }, (_, i) => ({ query: `figures of quarter ${i}`, should_trigger: true })), { query: 'a poem of spring', should_trigger: false }, { query: 'a poem of autumn', should_trigger: false }] });
    const { enhance } = await setUp(place, learner({ load: (said) => said.includes('EVERYTHING'), edits: () => skillText(skillBody('41'), 'Use for EVERYTHING.') }));
    expect(await enhance()).toMatchObject({ result: { verdict: 'rejected', reasons: expect.arrayContaining([expect.stringContaining('loaded now for a message that it is not for: "a poem of')]) } });
  }, 60_000);

  it('that is the better of two is the one that is judged; what cannot be known yet is taken by hand alone', async () => {
    const place = makePlace();
    reporter(place, { tasks: 0, triggers: [...Array.from({ length: 5 }, (_, i) => ({ query: `figures of quarter ${i}`, should_trigger: true })), ...Array.from({ length: 5 }, (_, i) => ({ query: `poem number ${i}`, should_trigger: false }))] });
    const load = (said: string): boolean => (said.includes('EVERYTHING') ? true : said.includes('FIGURES') && said.includes('figures of'));
    const { enhance, model, runtime } = await setUp(place, learner({ load, edits: (_, round) => skillText(skillBody('41'), round === 1 ? 'Use for EVERYTHING, also FIGURES.' : 'Makes reports. Use for FIGURES of a quarter.') }));
    const made = await enhance({ rounds: 2, part: 'description' });
    expect(made.tried.map(({ score }) => score)).toEqual([0, 0.5]);
    expect(made).toMatchObject({ best: 2, part: 'description', result: { verdict: 'not enough evidence' } });
    await expect(runtime.enhancements.apply(made.id, {})).rejects.toThrow(/was not accepted/);
    await runtime.enhancements.apply(made.id, { byHand: true });
    expect(fs.readFileSync(skillFile(place), 'utf8')).toContain('FIGURES');
    expect(model.requests.some((request) => conversation(request).includes('rejected.md with one edit'))).toBe(true);
    expect(fs.readFileSync(path.join(made.folder, 'round-1/edit.patch'), 'utf8')).toContain('EVERYTHING');
  }, 60_000);

  it('is held to its bounds: size, rights, the description alone', async () => {
    const place = makePlace();
    reporter(place);
    const wrong = [skillText(`${skillBody('42')}\n${'line\n'.repeat(60)}`), skillText(skillBody('42')).replace('\n---\n\n', '\nallowed-tools: Bash\n---\n\n'), skillText(skillBody('42'))];
    let at = 0;
    const { enhance, model } = await setUp(place, learner({ edits: () => wrong[at++] ?? '' }));
    for (const [part, problem] of [['all', /lines are new or gone, and 40 lines may be/], ['all', /in allowed-tools .*Bash.* is new/], ['description', /only the description may change/]] as const) {
      const made = await enhance({ part });
      expect(made).toMatchObject({ status: 'stopped', tried: [], stopped: expect.stringMatching(problem) });
    }
    expect(model.requests.length).toBeLessThan(60);
    expect(fs.readFileSync(skillFile(place), 'utf8')).toContain('TOTAL 41');
  }, 60_000);
});

describe('what goes wrong', () => {
  it('is said in one sentence: no conversation, no such session, a skill that is not theirs', async () => {
    const place = makePlace();
    reporter(place);
    fs.writeFileSync(path.join(place.project, 'notes.txt'), 'hello\n');
    fs.writeFileSync(path.join(place.project, 'half.jsonl'), '{"type":"turn.started","seq":1}\n');
    const { enhance } = await setUp(place, learner());
    await expect(enhance({ conversation: 'notes.txt' })).rejects.toThrow(/notes\.txt is no conversation: line 1 is no event.*sessions export/);
    await expect(enhance({ conversation: 'half.jsonl' })).rejects.toThrow(/half\.jsonl is no conversation/);
    await expect(enhance({ conversation: 'missing.jsonl' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(enhance({ conversation: 'ses_0' })).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(enhance({ skill: 'skill-creator' })).rejects.toMatchObject({ code: 'permission_denied' });
  }, 30_000);

  it('ends when the budget is used up, with what was tried, and needs prices for one', async () => {
    const place = makePlace();
    reporter(place);
    const { enhance } = await setUp(place, learner(), { price: { input: 10, output: 10, cache_read: 1, cache_write: 10 } });
    const made = await enhance({ budgetUsd: 0.03 });
    expect(made).toMatchObject({ status: 'stopped', decision: 'enhance', stopped: expect.stringContaining('The budget of $'), tried: [{ round: 1, score: undefined, evaluation: expect.stringMatching(/^eval_/) }] });
    expect(made.cost_usd).toBeGreaterThan(0.005);
    const priceless = await setUp(place, learner());
    await expect(priceless.enhance({ budgetUsd: 1 })).rejects.toThrow(/price of .* is not known/);
  }, 60_000);

  it('keeps what was tried when the person stops it, and refuses an edit of a skill that has changed since', async () => {
    const place = makePlace();
    reporter(place);
    const stop = new AbortController();
    const { enhance, runtime } = await setUp(place, learner());
    const stopped = await enhance({ signal: stop.signal, progress: (line) => void (line.includes('1 of') && line.includes('learn') && stop.abort()) });
    expect(stopped).toMatchObject({ status: 'stopped', decision: 'enhance', tried: [{ round: 1, score: undefined }] });
    expect(await runtime.enhancements.get(stopped.id)).toMatchObject({ status: 'stopped', tried: [{ round: 1 }] });
    const made = await enhance();
    fs.appendFileSync(skillFile(place), '\nMore.\n');
    await expect(runtime.enhancements.apply(made.id, {})).rejects.toMatchObject({ code: 'library_busy' });
  }, 60_000);
});
