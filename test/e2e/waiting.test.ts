import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isWhole } from '../helpers/points.ts';
import { eventsOf, exported, makePlace, MODEL, oneLineOf, run, sessionOf, withProvider, type Ended, type Place } from './program.ts';

const BARE = [...MODEL, '--sandbox', 'off'] as const;
const bash = (command: string) => ({ name: 'Bash', input: { command } });
const question = { name: 'AskUserQuestion', input: { question: 'Which host?', options: ['staging', 'live'] } };
const exitPlan = (plan: string) => ({ calls: [{ name: 'CallTool', input: { tool: 'ExitPlanMode', input: { plan } } }] });

/** Of what happens at the same time, and may go one way or the other. */
const ROUNDS = isWhole ? 20 : 3;

let place: Place;
beforeEach(() => {
  place = makePlace();
});

const made = (): readonly string[] => fs.readdirSync(place.project).toSorted();
const lines = (file: string): readonly string[] => fs.readFileSync(path.join(place.project, file), 'utf8').split('\n').filter(Boolean);

/** Runs a turn that ends waiting; gives its session and the ids of what it asks, in order. */
async function wait(...flags: readonly string[]): Promise<{ readonly session: string; readonly requests: readonly string[] }> {
  const ended = await run(place, ['run', 'x', ...BARE, ...flags, '--output', 'stream-json']);
  expect(ended.code, ended.stderr).toBe(3);
  const session = sessionOf(eventsOf(ended.stdout));
  const { open } = JSON.parse((await run(place, ['sessions', 'show', session, '--json'])).stdout);
  return { session, requests: open.map((one: { readonly request_id: string }) => one.request_id) };
}

const answer = (session: string, ...args: readonly string[]): Promise<Ended> => run(place, ['answer', session, ...args]);

describe('several requests of one turn', () => {
  it('are answered in any order, each in a process of its own, and the turn goes on after the last', async () => {
    const provider = await withProvider(place, { steps: [{ calls: [bash('touch a'), question, bash('touch b')] }, 'All answered.'] });
    const { session, requests: [a = '', host = '', b = ''] } = await wait();
    expect([(await answer(session, '--allow', '--request', b)).code, made()]).toEqual([3, ['b']]);
    expect([(await answer(session, 'live', '--request', host)).code, made()]).toEqual([3, ['b']]);
    expect(await answer(session, '--deny', '--reason', 'not that one', '--request', a)).toMatchObject({ code: 0, stdout: 'All answered.\n' });
    expect(made()).toEqual(['b']);
    const said = provider.requests[1]?.text ?? '';
    expect([said.indexOf('not that one') < said.indexOf('"live"'), said.includes('not that one')]).toEqual([true, true]);
    expect(new Set((await exported(place, session)).filter(({ type }) => type.startsWith('turn.')).map((event) => event['turn_id'])).size).toBe(1);
  });

  it('are answered at the same time from two processes, and both count', { timeout: 120_000 }, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await withProvider(place, { steps: [{ calls: [bash('echo a >> log'), bash('echo b >> log')] }, 'Both.'] });
      const { session, requests } = await wait();
      const ended = await Promise.all(requests.map((request) => answer(session, '--allow', '--request', request)));
      expect(ended.map(({ code, stderr }) => [code, stderr.includes('is in use')]).toSorted()).toEqual([[0, false], [3, false]]);
    }
    expect(lines('log').toSorted()).toEqual([...Array.from({ length: ROUNDS }, () => 'a'), ...Array.from({ length: ROUNDS }, () => 'b')]);
  });
});

describe('one request', () => {
  it('answered from two processes at once goes to the first; the other is told so, and the call runs once', { timeout: 120_000 }, async () => {
    let allowed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await withProvider(place, { steps: [{ calls: [bash('echo once >> log; sleep 0.1')] }, 'Done.'] });
      const { session, requests: [request = ''] } = await wait();
      const ended = await Promise.all([answer(session, '--allow', '--request', request), answer(session, '--allow'), answer(session, '--deny')]);
      const refused = ended.filter(({ code }) => code === 5);
      expect([refused.length, ended.filter(({ code }) => code === 0).length]).toEqual([2, 1]);
      for (const one of refused) expect(oneLineOf(one)).toMatch(/is not open: it was answered before or never asked|waits for nothing/);
      const resolved = (await exported(place, session)).filter(({ type }) => type === 'permission.resolved');
      expect(resolved).toHaveLength(1);
      allowed += resolved[0]?.['decision'] === 'allow' ? 1 : 0;
    }
    expect(made().includes('log') ? lines('log').length : 0).toBe(allowed);
  });

  it('that is closed, of another kind or never asked is refused by name, and changes nothing (C-R6)', async () => {
    await withProvider(place, { steps: [{ calls: [question] }, 'Thanks.'] });
    const { session, requests: [request = ''] } = await wait();
    expect(oneLineOf(await answer(session, '--allow'))).toContain('asks a question: "Which host?" Answer it with a text.');
    const never = await answer(session, 'x', '--request', 'req_none');
    expect([never.code, oneLineOf(never)]).toEqual([5, expect.stringContaining('Request req_none')]);
    expect((await answer(session, 'staging')).code).toBe(0);
    const before = await exported(place, session);
    for (const args of [['live'], ['live', '--request', request]]) expect((await answer(session, ...args)).code).toBe(5);
    expect(await exported(place, session)).toEqual(before);
  });
});

it('several questions of one call come as one, with all that is known of each, and are answered as one', async () => {
  const asked = [{ question: 'Which colours?', header: 'Colour', multiSelect: true, options: [{ label: 'red', description: 'like fire' }, { label: 'blue' }] }, { question: 'How many?' }];
  const provider = await withProvider(place, { steps: [{ calls: [{ name: 'AskUserQuestion', input: { questions: asked } }] }, 'Thanks.'] });
  const { session } = await wait();
  const { stdout } = await run(place, ['sessions', 'show', session]);
  expect(stdout).toMatch(/\[Colour\] Which colours\? \(several may be chosen\)\n {2}1\. red: like fire\n {2}2\. blue\n\nHow many\?/);
  expect((await exported(place, session)).find(({ type }) => type === 'question.asked')).toMatchObject({
    question: '1. Which colours? (red: like fire / blue)\n2. How many?',
    questions: [{ question: 'Which colours?', header: 'Colour', multi_select: true, options: [{ label: 'red', description: 'like fire' }, { label: 'blue' }] }, { question: 'How many?' }],
  });
  expect((await answer(session, 'red and blue; three')).code).toBe(0);
  expect(provider.requests[1]?.text).toContain('red and blue; three');
});

describe('a plan', () => {
  it('waits for the person, is sent back with a reason, accepted from another process, and then carried out', async () => {
    const provider = await withProvider(place, { steps: [{ calls: [bash('touch early')] }, exitPlan('# First plan'), exitPlan('# Better plan\n\n1. write it'), { calls: [{ name: 'Write', input: { file_path: 'late', content: 'x' } }] }, 'Built.'] });
    const first = await run(place, ['run', 'build', ...BARE, '--permission-mode', 'plan', '--output', 'json']);
    const session: string = JSON.parse(first.stdout).session_id;
    expect([first.code, first.stderr.trimEnd().split('\n').at(-1)]).toEqual([3, `skillmint: Session ${session} shows a plan: skillmint sessions show ${session}. Accept it with: skillmint answer ${session} --allow (--always also sets the mode acceptEdits), or send it back with --deny --reason "TEXT"`]);
    expect((await run(place, ['sessions', 'show', session])).stdout).toContain('The plan:\n# First plan\n');
    expect((await answer(session, '--deny', '--reason', 'shorter')).code).toBe(3);
    expect(provider.requests[2]?.text).toContain('shorter');
    expect((await run(place, ['sessions', 'show', session])).stdout).toContain('# Better plan\n\n1. write it\n');
    expect(await answer(session, '--always')).toMatchObject({ code: 0, stdout: 'Built.\n' });
    expect(made()).toEqual(['late']);
    expect((await exported(place, session)).filter(({ type }) => type === 'mode.changed').map((event) => event['mode'])).toEqual(['acceptEdits']);
  });
});
