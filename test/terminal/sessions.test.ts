import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { withoutTmux } from '../cli/terminal.ts';
import { FREE, makePlace, MODEL, run, withProvider, writeSkill, type Place } from '../e2e/program.ts';
import { terminals, type ScreenOfProgram } from './tmux.ts';

const call = (name: string, input: Record<string, unknown>) => ({ calls: [{ name, input }] });
const bash = (command: string) => call('Bash', { command });
const open = terminals('sessions');

let place: Place;
beforeEach(() => {
  place = makePlace();
});

async function command(terminal: ScreenOfProgram, line: string, shows: string | RegExp): Promise<void> {
  await terminal.ready();
  await terminal.send(line);
  await terminal.shows(shows);
}

/** Steps of a model, and of the sub-agents whose prompt begins with INNER. */
function withInner(outer: FakeStep[], inner: FakeStep[]): FakeStep[] {
  const next: FakeStep = (request) => {
    const { messages } = request.body;
    const first = Array.isArray(messages) ? messages.find((message) => isObject(message) && message['role'] === 'user') : undefined;
    const step = (JSON.stringify(first).includes('INNER') ? inner : outer).shift() ?? 'Nothing left.';
    return typeof step === 'function' ? step(request) : step;
  };
  return Array.from({ length: outer.length + inner.length }, () => next);
}

describe.skipIf(withoutTmux)('sessions on the screen (needs tmux)', () => {
  it('/rewind sets files and conversation back to before a message, asks before it overwrites, and offers the message again', async () => {
    const file = path.join(place.project, 'a.txt');
    fs.writeFileSync(file, 'as it was\n');
    const provider = await withProvider(place, { steps: ['Hello.', call('Read', { file_path: 'a.txt' }), call('Edit', { file_path: 'a.txt', old_string: 'as it was', new_string: 'changed' }), call('Write', { file_path: 'new.txt', content: 'new' }), bash('touch by-command'), 'Changed it.', 'Another way.'] });
    const terminal = open(place, FREE);
    await command(terminal, 'first message', 'Hello.');
    await command(terminal, 'second message', 'Changed it.');
    await command(terminal, '/rewind', /Go back to before[\s\S]*second message/);
    terminal.press('Enter');
    await terminal.shows(/set back {2}\S*a\.txt\n\s+remove {4}\S*new\.txt\n[\s\S]*not restored: what these commands have changed\n\s+touch by-command[\s\S]*y = yes, n = no/);
    expect(fs.readFileSync(file, 'utf8')).toBe('changed\n');
    terminal.press('y');
    await terminal.shows(/went back, in the copy ses_/);
    expect([fs.readFileSync(file, 'utf8'), fs.existsSync(path.join(place.project, 'new.txt')), fs.existsSync(path.join(place.project, 'by-command'))]).toEqual(['as it was\n', false, true]);
    await expect.poll(terminal.now).toMatch(/─\nsecond message\n─/);
    expect(terminal.now()).not.toContain('Changed it.');
    terminal.press('Enter');
    await terminal.shows('Another way.');
    expect(provider.requests.at(-1)?.text).not.toContain('Changed it.');
    expect(provider.requests.at(-1)?.text).toContain('first message');
  });

  it('two terminals on one session show what the other has done, and a message that cannot begin stays in the field', async () => {
    const provider = await withProvider(place, { steps: ['One.', bash('until [ -e go ]; do sleep 0.1; done'), 'Two.', 'Three.', 'Four.'] });
    const first = open(place, FREE);
    await command(first, 'from the first', 'One.');
    const second = open(place, [...FREE, '--continue']);
    await second.shows('going on with');
    await command(first, 'more from the first', /● Bash until/);
    await command(second, 'from the second', /is in use by process \d+/);
    await expect.poll(second.now).toMatch(/─\nfrom the second\n─/);
    fs.writeFileSync(path.join(place.project, 'go'), '');
    await first.shows('Two.');
    await first.ready();
    second.press('Enter');
    await second.shows(/> more from the first\n\n✓ Bash until[\s\S]*Two\.[\s\S]*> from the second\n\nThree\./);
    await command(first, 'last', /> from the second\n\nThree\.[\s\S]*> last\n\nFour\./);
    expect(provider.requests).toHaveLength(5);
  });

  it('/resume shows sessions with their age and status, goes on with the chosen one, and shows what was said; /clear, /fork and /export', async () => {
    await withProvider(place, { steps: ['Answer one.', 'Answer two.', 'Answer three.', 'Answer four.'] });
    expect((await run(place, ['run', 'about harbours', ...FREE])).code).toBe(0);
    expect((await run(place, ['run', 'about mountains', ...FREE])).code).toBe(0);
    const terminal = open(place, FREE, { columns: 80, rows: 24 });
    await terminal.ready();
    await terminal.send('/resume');
    await terminal.shows(/→ about mountains\s+done · .*just now|about mountains\s+done/);
    terminal.type('harb');
    await expect.poll(terminal.now).not.toContain('mountains');
    terminal.press('Enter');
    await terminal.shows(/going on with ses_\w+: about harbours/);
    await terminal.shows(/> about harbours\n\nAnswer one\./);
    await command(terminal, 'more of it', 'Answer three.');
    await command(terminal, '/export out.jsonl', /\d+ events in .*out\.jsonl/);
    expect(fs.readFileSync(path.join(place.project, 'out.jsonl'), 'utf8')).toContain('Answer three.');
    await command(terminal, '/export out.jsonl', 'cannot be made');
    await command(terminal, '/fork', /copied from ses_/);
    await command(terminal, '/clear', 'a new session begins');
    await expect.poll(terminal.now).not.toContain('Answer three.');
    await command(terminal, 'afresh', 'Answer four.');
    expect(JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout).sessions).toHaveLength(4);
  });

  it('shows the todo list, sub-agents with their calls, and asks what one in the background needs', async () => {
    const todos = (first: string, second: string) => call('TodoWrite', { todos: [{ id: '1', subject: 'dig the hole', status: first }, { id: '2', subject: 'fill it in', status: second }] });
    await withProvider(place, { steps: withInner(
      [todos('in_progress', 'pending'), call('Task', { prompt: 'INNER look', description: 'looks around' }), call('Task', { prompt: 'INNER ask', run_in_background: true }), bash('sleep 1'), todos('completed', 'completed'), 'All done.'],
      [bash('until [ -e go ]; do sleep 0.1; done'), 'Looked around.', call('AskUserQuestion', { question: 'What name?' }), 'Named Ada.'],
    ) });
    const terminal = open(place, FREE, { columns: 80, rows: 30 });
    await terminal.ready();
    await terminal.send('work');
    await terminal.shows(/todo 0\/2\n\s+◐ dig the hole\n\s+☐ fill it in/);
    await terminal.shows(/◆ general-purpose · running · 1 call looks around\n\s+● Bash until/);
    fs.writeFileSync(path.join(place.project, 'go'), '');
    await terminal.shows(/◆ general-purpose · done · 1 call looks around\n\s+Looked around\./);
    await terminal.shows(/All done\.[\s\S]*the background agent general-purpose \(task_\w+\) needs you[\s\S]*What name\?[\s\S]*your answer/);
    expect(terminal.now()).not.toContain('todo ');
    await terminal.send('Ada');
    await terminal.shows('Named Ada.');
  });

  it('asks what an agent in the background needs also while nothing runs, and keeps what is being written', async () => {
    await withProvider(place, { steps: withInner([call('Task', { prompt: 'INNER ask', run_in_background: true }), 'Main is done.', 'Heard.'], [bash('until [ -e go ]; do sleep 0.1; done'), call('AskUserQuestion', { question: 'What name?' }), 'Named Ada.']) });
    const terminal = open(place, FREE);
    await command(terminal, 'work', 'Main is done.');
    await terminal.ready();
    terminal.type('half a mess');
    await terminal.shows('half a mess');
    fs.writeFileSync(path.join(place.project, 'go'), '');
    await terminal.shows(/needs you[\s\S]*What name\?[\s\S]*your answer/);
    await terminal.send('Ada');
    await terminal.shows('Named Ada.');
    await expect.poll(terminal.now).toMatch(/─\nhalf a mess\n─/);
    await terminal.send('age');
    await terminal.shows('Heard.');
  });

  it('a request that was left for later is asked again by /resume', async () => {
    await withProvider(place, { steps: [bash('touch later'), 'It is there.'] });
    const terminal = open(place, [...MODEL, '--permission-mode', 'default', '--sandbox', 'off']);
    await command(terminal, 'make it', 'y = yes, once');
    terminal.press('Escape');
    await terminal.shows(/waiting; answer later with: skillmint answer ses_\w+, or here with:\s+\/resume\s+ses_/);
    const id = /\/resume\s+(ses_\w+)/.exec(terminal.all())?.[1] ?? '';
    await terminal.ready();
    await terminal.send(`/resume ${id}`);
    await expect.poll(terminal.now).toContain('y = yes, once');
    terminal.press('y');
    await terminal.shows('It is there.');
    expect(fs.existsSync(path.join(place.project, 'later'))).toBe(true);
  });

  it('shows a plan, which a key accepts', async () => {
    await withProvider(place, { steps: [call('CallTool', { tool: 'ExitPlanMode', input: { plan: '1. paint it' } }), call('CallTool', { tool: 'ExitPlanMode', input: { plan: '1. paint it red' } }), 'Painted.'] });
    const terminal = open(place, [...MODEL, '--permission-mode', 'plan', '--sandbox', 'off']);
    await command(terminal, 'paint', /The plan:\n1\. paint it\n[\s\S]*r = no, and say what to change/);
    terminal.press('r');
    await terminal.shows('instead:');
    await terminal.send('in red');
    await terminal.shows(/1\. paint it red\n[\s\S]*a = yes, in the mode acceptEdits/);
    terminal.press('a');
    await terminal.shows('Painted.');
    await expect.poll(terminal.now).toContain('· acceptEdits ·');
  });

  it('has its commands, and says which of them it does not know', async () => {
    await withProvider(place, { steps: [{ text: 'One.', usage: { input: 100, output: 7 } }] });
    writeSkill(path.join(place.project, '.claude/skills'), { name: 'harbour-report', description: 'Makes reports about ships in a harbour.' });
    const terminal = open(place, FREE);
    await command(terminal, '/help', /\/rewind +NUMBER[\s\S]*\/quit/);
    for (const name of ['model', 'effort', 'skill', 'skills', 'permissions', 'mcp', 'memory', 'compact', 'context', 'cost', 'resume', 'fork', 'export', 'clear']) expect(terminal.all()).toContain(`/${name} `);
    await command(terminal, '/skill search ships in a harbour', /\d\.\d\d {2}\S*harbour-report/);
    await command(terminal, '/skill sing x', 'Use /skill search TEXT');
    await command(terminal, '/skills', /harbour-report +Makes reports about ships[\s\S]*skill-creator +Writes a new[^…]*…/);
    await command(terminal, '/effort high', 'effort: high');
    await command(terminal, '/permissions', /mode: unrestricted/);
    await command(terminal, '/mcp', 'There are no MCP servers here');
    await command(terminal, '/memory', 'nothing is remembered');
    await command(terminal, 'hello', 'One.');
    await command(terminal, '/context', /107 tokens of 200000 \(0 %\) · 2 messages/);
    await command(terminal, '/cost', '100 tokens in');
    await command(terminal, '/nonsense', 'There is no command or skill /nonsense');
    await terminal.ready();
    await terminal.send('/quit');
    expect(await terminal.ended()).toBe(0);
  });
});
