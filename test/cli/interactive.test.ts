import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { FREE, makePlace, MODEL, run, start, withProvider, writeSettings, writeSkill, type Place } from '../e2e/program.ts';
import { startTerminal, withoutTmux } from './terminal.ts';

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] });
const ASKING = [...MODEL, '--permission-mode', 'default', '--sandbox', 'off'];

let place: Place;
beforeEach(() => {
  place = makePlace();
});

describe.skipIf(withoutTmux)('the interactive mode in a real terminal (needs tmux)', () => {
  it('streams answers, shows calls and results, and keeps the conversation', async () => {
    const provider = await withProvider(place, { steps: [{ text: 'I look around.', ...bash('echo from-the-command') }, 'There it is.', 'And again.'] });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.shows('/help for commands');
    await terminal.ready();
    terminal.type('have a look');
    await terminal.shows('I look around.');
    await terminal.shows('from-the-command');
    await terminal.shows('There it is.');
    await terminal.shows('done ·');
    await terminal.ready();
    terminal.type('once more');
    await terminal.shows('And again.');
    expect(provider.requests[2]?.text).toContain('have a look');
    await terminal.ready();
    terminal.type('/quit');
    expect(await terminal.ended()).toBe(0);
  });

  it('shows an answer while it grows', async () => {
    await withProvider(place, { steps: [{ text: `The first words. ${'And more of it. '.repeat(200)}`, fault: { kind: 'hang', afterBytes: 3_000 } }] });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.ready();
    terminal.type('tell');
    await terminal.shows('The first words.');
    terminal.press('C-c');
    await terminal.shows('stopped');
    await terminal.ready();
    terminal.type('/quit');
    expect(await terminal.ended()).toBe(0);
  });

  it('asks for consent: y runs the call once, n refuses it, other words are told to the model, a stores the rule', async () => {
    const provider = await withProvider(place, { steps: [bash('touch a.txt'), bash('touch b.txt'), bash('touch c.txt'), bash('touch d.txt'), bash('touch d.txt'), 'That was all.'] });
    const terminal = startTerminal(place, [...ASKING, '--plain']);
    await terminal.ready();
    terminal.type('make the files');
    await terminal.shows(/Bash touch a\.txt[\s\S]*y = yes/);
    expect(fs.readdirSync(place.project)).toEqual([]);
    terminal.type('y');
    await terminal.shows(/Bash touch b\.txt[\s\S]*y = yes/);
    terminal.type('n');
    await terminal.shows(/Bash touch c\.txt[\s\S]*y = yes/);
    terminal.type('better in another folder');
    await terminal.shows(/Bash touch d\.txt[\s\S]*Bash\(touch d\.txt\)[\s\S]*a = always/);
    terminal.type('a');
    await terminal.shows('That was all.');
    expect(fs.readdirSync(place.project).toSorted()).toEqual(['a.txt', 'd.txt']);
    expect(provider.requests[3]?.text).toContain('better in another folder');
  });

  it('offers to go on with a turn that was cut off, asked for at the start or with /resume', async () => {
    const provider = await withProvider(place, { steps: [{ text: 'never', fault: { kind: 'hang', afterBytes: 0 } }, 'Went on.', 'Then this.'] });
    const cut = start(place, ['run', 'a long task', ...FREE]);
    await expect.poll(() => provider.requests.length, { timeout: 10_000 }).toBe(1);
    cut.child.kill('SIGKILL');
    const fresh = startTerminal(place, [...FREE, '--plain']);
    await fresh.shows('the latest session here was cut off; skillmint --continue goes on with it');
    await fresh.ready();
    fresh.type('/quit');
    expect(await fresh.ended()).toBe(0);
    const terminal = startTerminal(place, ['--continue', '--plain']);
    await terminal.shows(/a long task[\s\S]*Its last turn was cut off\. Go on with it\? y = yes/);
    terminal.type('n');
    await terminal.ready();
    const { sessions } = JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout);
    terminal.type(`/resume ${sessions[0].session_id}`);
    await terminal.shows('Go on with it?');
    terminal.type('y');
    await terminal.shows('Went on.');
    await terminal.ready();
    terminal.type('and this');
    await terminal.shows('Then this.');
    expect(provider.requests[2]?.text).toContain('a long task');
  });

  it('asks what a session has waited for since another time, and goes on with the answer', async () => {
    await withProvider(place, { steps: [{ calls: [{ name: 'AskUserQuestion', input: { question: 'Which colour?', options: ['red', 'blue'] } }] }, (request) => (request.text.includes('blue') ? 'Blue it is.' : 'No colour.')] });
    expect((await run(place, ['run', 'paint it', ...FREE])).code).toBe(3);
    const fresh = startTerminal(place, [...FREE, '--plain']);
    await fresh.shows('the latest session here waits for you; skillmint --continue asks what for');
    await fresh.ready();
    fresh.type('/quit');
    expect(await fresh.ended()).toBe(0);
    const terminal = startTerminal(place, ['--continue', '--plain']);
    await terminal.shows(/Which colour\?[\s\S]*number or your own words/);
    terminal.type('2');
    await terminal.shows('Blue it is.');
    await terminal.ready();
  });

  it('goes on with the conversation where the answer cannot be taken, and says why', async () => {
    await withProvider(place, { steps: [{ calls: [{ name: 'AskUserQuestion', input: { question: 'Which colour?' } }] }] });
    expect((await run(place, ['run', 'paint it', ...FREE])).code).toBe(3);
    writeSettings(place, {});
    const terminal = startTerminal(place, ['--continue', '--plain']);
    await terminal.shows(/Which colour\?[\s\S]*your answer/);
    terminal.type('blue');
    await terminal.shows(/fake/);
    await terminal.ready();
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
  });

  it('asks what an agent in the background needs when the turn has ended, and shows it to its end', async () => {
    const outer: FakeStep[] = [{ calls: [{ name: 'Task', input: { prompt: 'INNER', run_in_background: true } }] }, bash('sleep 1'), 'Main is done.', { calls: [{ name: 'Task', input: { prompt: 'INNER again', run_in_background: true } }] }, 'Second is done.'];
    const inner: FakeStep[] = [{ calls: [{ name: 'AskUserQuestion', input: { question: 'What name?' } }] }, (request) => (request.text.includes('Ada') ? 'AGENT: hello Ada' : 'AGENT: hello'), bash('sleep 60')];
    const asks: FakeStep = (request) => {
      const { messages } = request.body;
      const first = Array.isArray(messages) ? messages.find((message) => isObject(message) && message['role'] === 'user') : undefined;
      const next = (JSON.stringify(first).includes('INNER') ? inner : outer).shift() ?? 'Nothing left.';
      return typeof next === 'function' ? next(request) : next;
    };
    await withProvider(place, { steps: Array.from({ length: 9 }, () => asks) });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.ready();
    terminal.type('go');
    await terminal.shows(/Main is done\.[\s\S]*the background agent general-purpose \(task_\w+\) needs you[\s\S]*What name\?/);
    terminal.type('Ada');
    await terminal.shows('AGENT: hello Ada');
    await terminal.ready();
    terminal.type('again');
    await terminal.shows('Second is done.');
    await terminal.ready();
    terminal.press('C-d');
    await terminal.shows(/stopped with the conversation: the background agent general-purpose \(task_\w+\)/);
    expect(await terminal.ended()).toBe(0);
  });

  it('asks several questions one after the other, and shows a plan before it asks about it', async () => {
    const questions = [{ question: 'Which colours?', header: 'Colour', multiSelect: true, options: [{ label: 'red' }, { label: 'green' }, { label: 'blue', description: 'like the sea' }] }, { question: 'How many?' }];
    const plan = { calls: [{ name: 'CallTool', input: { tool: 'ExitPlanMode', input: { plan: '# The plan\n\n1. paint it' } } }] };
    const provider = await withProvider(place, { steps: [{ calls: [{ name: 'AskUserQuestion', input: { questions } }] }, plan, { calls: [{ name: 'Write', input: { file_path: 'late', content: 'x' } }] }, 'Painted.'] });
    const terminal = startTerminal(place, [...MODEL, '--permission-mode', 'plan', '--sandbox', 'off', '--plain']);
    await terminal.ready();
    terminal.type('paint');
    await terminal.shows(/\[Colour\] Which colours\?[\s\S]*3\. blue: like the sea[\s\S]*numbers or your own words/);
    terminal.type('1, 3');
    await terminal.shows('How many?');
    terminal.type('two');
    await terminal.shows(/# The plan\n\n1\. paint it[\s\S]*a = yes, in the mode acceptEdits/);
    expect(provider.requests[1]?.text).toContain(String.raw`1. Which colours?\nred, blue\n2. How many?\ntwo`);
    terminal.type('a');
    await terminal.shows('Painted.');
    expect(fs.readdirSync(place.project)).toEqual(['late']);
  });

  it('asks questions with options: a number or own words', async () => {
    const ask = { calls: [{ name: 'AskUserQuestion', input: { question: 'Which host?', options: ['staging', 'live'] } }] };
    const provider = await withProvider(place, { steps: [ask, ask, 'Thanks.'] });
    const terminal = startTerminal(place, [...ASKING, '--plain']);
    await terminal.ready();
    terminal.type('deploy');
    await terminal.shows(/Which host\?[\s\S]*1\. staging[\s\S]*2\. live/);
    terminal.type('2');
    await terminal.shows('Which host?');
    terminal.type('my own machine');
    await terminal.shows('Thanks.');
    expect(provider.requests[1]?.text).toContain('"live"');
    expect(provider.requests[2]?.text).toContain('my own machine');
  });

  it('shows what an edit changes before and after consent', async () => {
    fs.writeFileSync(path.join(place.project, 'a.txt'), 'red\nblue\n');
    await withProvider(place, { steps: [{ calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] }, { calls: [{ name: 'Edit', input: { file_path: 'a.txt', old_string: 'blue', new_string: 'green' } }] }, 'Edited.'] });
    const terminal = startTerminal(place, [...ASKING, '--plain']);
    await terminal.ready();
    terminal.type('green, please');
    await terminal.shows(/Edit .*a\.txt[\s\S]*y = yes/);
    terminal.type('y');
    await terminal.shows(/-blue[\s\S]*\+green/);
    await terminal.shows('Edited.');
    expect(fs.readFileSync(path.join(place.project, 'a.txt'), 'utf8')).toBe('red\ngreen\n');
  });

  it('Ctrl-C stops a turn and its command, and the next message goes on', async () => {
    const provider = await withProvider(place, { steps: [bash('touch here; sleep 600'), 'Going on.'] });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.ready();
    terminal.type('wait');
    await expect.poll(() => fs.existsSync(path.join(place.project, 'here')), { timeout: 10_000 }).toBe(true);
    terminal.press('C-c');
    await terminal.shows('stopped');
    await terminal.ready();
    terminal.type('and now?');
    await terminal.shows('Going on.');
    expect(provider.requests).toHaveLength(2);
    await terminal.ready();
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
  });

  it('has commands, and says which of them it does not know', async () => {
    await withProvider(place, { steps: [{ text: 'One.', usage: { input: 100, output: 7 } }, 'Other.'] });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.ready();
    terminal.type('/help');
    for (const name of ['/model', '/mode', '/skills', '/cost', '/compact', '/resume', '/clear', '/quit']) await terminal.shows(name);
    await terminal.ready();
    terminal.type('/cost');
    await terminal.shows('nothing was asked yet');
    await terminal.ready();
    terminal.type('first');
    await terminal.shows('One.');
    await terminal.ready();
    terminal.type('/cost');
    await terminal.shows('100 tokens in');
    await terminal.ready();
    terminal.type('/nonsense');
    await terminal.shows('There is no command or skill /nonsense');
    await terminal.ready();
    terminal.type('/mode sometimes');
    await terminal.shows('no permission mode "sometimes"');
    await terminal.ready();
    terminal.type('/mode plan');
    await terminal.shows('permission mode: plan');
    await terminal.ready();
    terminal.type('/skills');
    await terminal.shows('orders-report');
    await terminal.ready();
    terminal.type('/resume');
    await terminal.shows('first');
    await terminal.ready();
    terminal.type('/clear');
    await terminal.shows('a new session begins');
    await terminal.ready();
    terminal.type('/quit');
    expect(await terminal.ended()).toBe(0);
  });

  it('takes several lines, and keeps what a model says from steering the terminal', async () => {
    const provider = await withProvider(place, { steps: ['bell \u0007 title \u001b]0;owned\u0007 red \u001b[31mtext'] });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.ready();
    terminal.type('one \\');
    terminal.type('two');
    await terminal.shows(/red \\(x1b|u001b)\[31mtext/);
    expect(terminal.screen()).toMatch(/bell \\(x07|u0007) title/);
    expect(provider.requests[0]?.text).toContain('one \\ntwo');
  });

  it('/trust shows what a skill could do, asks, and trusts', async () => {
    writeSkill(path.join(place.project, '.claude/skills'), { name: 'keen', frontmatter: 'allowed-tools: Bash(id)\n' });
    await withProvider(place, { steps: ['Never asked.'] });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.ready();
    terminal.type('/trust');
    await terminal.shows('Name a skill');
    await terminal.ready();
    terminal.type('/trust none');
    await terminal.shows('There is no skill "none"');
    await terminal.ready();
    terminal.type('/trust keen');
    await terminal.shows(/Tools it may use without a question[^]*Bash\(id\)[^]*Trust project:keen as it is now\?/);
    terminal.type('n');
    await terminal.shows('project:keen is not trusted');
    await terminal.ready();
    expect(fs.existsSync(path.join(place.data, 'trust.json'))).toBe(false);
    terminal.type('/trust keen');
    await terminal.shows('as it is now?');
    terminal.type('y');
    await terminal.shows('project:keen is trusted now');
    await terminal.ready();
    terminal.type('/trust keen');
    await terminal.shows('project:keen is trusted: you have trusted this content');
    await terminal.ready();
    terminal.type('/quit');
    expect(await terminal.ended()).toBe(0);
  });
});
