import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { withoutTmux } from '../cli/terminal.ts';
import { FREE, makePlace, MODEL, withProvider, type Place } from '../e2e/program.ts';
import { isRestored, terminals } from './tmux.ts';

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] });
const ASKING = [...MODEL, '--permission-mode', 'default', '--sandbox', 'off'];
const open = terminals('conversation');
const SMALL = { columns: 80, rows: 24 } as const;

let place: Place;
beforeEach(() => {
  place = makePlace();
});

describe.skipIf(withoutTmux)('a conversation on the screen (needs tmux)', () => {
  it('streams markdown, shows calls as lines that open, and output while it comes', async () => {
    await withProvider(place, { steps: [{ text: '# The plan\n\nI **look** around:\n\n- first\n- second', ...bash('echo early; echo more; until [ -e go ]; do sleep 0.1; done; echo late') }, 'There it is.'] });
    const terminal = open(place, FREE, SMALL);
    await terminal.ready();
    await terminal.send('have a look');
    await terminal.shows(/The plan\n\nI look around:\n\n- first\n- second/);
    await terminal.shows(/● Bash echo early[\s\S]*│ early\n\s+│ more/);
    await terminal.shows(/working .* · Esc stops/);
    fs.writeFileSync(path.join(place.project, 'go'), '');
    await terminal.shows(/✓ Bash echo early.*lines\n\s+⎿ early\n\nThere it is\.\n\ndone · \d+ in, \d+ out/);
    expect(terminal.all()).not.toMatch(/\n\s+late\n/);
    terminal.press('C-o');
    await terminal.shows(/command: echo early[\s\S]*⎿ early\n\s+more\n\s+late/);
    terminal.press('C-o');
    await expect.poll(terminal.now).not.toContain('command: echo early');
    await terminal.ready();
    expect(terminal.now()).toContain('fake/m · unrestricted · sandbox: off (not isolated)');
    expect(terminal.all()).toMatch(/0 % context · \$0\.000/);
  });

  it('Ctrl-Z gives the terminal to the shell, and fg brings all of it back', async () => {
    const provider = await withProvider(place, { steps: [bash('until [ -e go ]; do sleep 0.1; done; echo late'), 'There it is.'] });
    const terminal = open(place, FREE, { ...SMALL, inShell: true });
    await terminal.ready();
    await terminal.send('wait for it');
    await terminal.shows('● Bash until');
    terminal.type('half a sentence');
    await terminal.shows(/─\nhalf a sentence\n─/);
    terminal.press('C-z');
    await terminal.shows(/Stopped .*\nshell>/);
    await terminal.send('touch go; sleep 0.5; echo and $((40 + 2))');
    await terminal.shows('and 42');
    expect(provider.requests.length).toBe(1);
    await terminal.send('fg');
    await terminal.shows(/There it is\.\n[\s\S]*─\nhalf a sentence\n─/);
    expect(terminal.now()).not.toContain('shell>');
    terminal.press('C-c', 'C-d');
    await terminal.shows(/shell>$/);
    await terminal.send('echo $((50 + 3))');
    await terminal.shows('53');
  });

  it('Ctrl-Z stops nothing where no shell could bring it back', async () => {
    const terminal = open(place, FREE, SMALL);
    await terminal.ready();
    terminal.type('half a');
    await terminal.shows(/─\nhalf a\n─/);
    terminal.press('C-z');
    await sleep(300);
    terminal.type(' sentence');
    await expect.poll(terminal.now).toMatch(/─\nhalf a sentence\n─/);
    terminal.press('C-c', 'C-d');
    expect(await terminal.ended()).toBe(0);
    expect(isRestored(place)).toBe(true);
  });

  it('answers requests by single keys: once, always with what is stored, no, and no with a reason; diffs are coloured', async () => {
    fs.writeFileSync(path.join(place.project, 'a.txt'), 'red\nblue\n');
    const provider = await withProvider(place, { steps: [bash('touch a1'), bash('touch b1'), bash('touch c1'), { calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] }, { calls: [{ name: 'Edit', input: { file_path: 'a.txt', old_string: 'blue', new_string: 'green' } }] }, bash('touch d1\u202e'), bash('touch d1'), bash('touch d1'), 'That was all.'] });
    const terminal = open(place, ASKING);
    await terminal.ready();
    await terminal.send('make the files');
    await terminal.shows(/command: touch a1[\s\S]*y = yes, once, a = always/);
    expect(fs.readdirSync(place.project)).toEqual(['a.txt']);
    terminal.press('y');
    await terminal.shows(/command: touch b1[\s\S]*y = yes/);
    terminal.press('n');
    await terminal.shows(/command: touch c1[\s\S]*y = yes/);
    terminal.press('r');
    await terminal.shows('instead:');
    terminal.type('in another folder');
    await terminal.shows('in another folder');
    terminal.press('Enter');
    await terminal.shows(/Edit: [\s\S]*new_string: green[\s\S]*y = yes/);
    terminal.press('y');
    await terminal.shows(/-blue\n\s+\+green/);
    expect(terminal.coloured()).toMatch(/\u001b\[31m\s*-blue/);
    await terminal.shows(/command: touch d1\\u202e[\s\S]*y = yes/);
    terminal.press('n');
    await terminal.shows(/command: touch d1\n\s+always would store: Bash\(touch d1\)[\s\S]*a = always/);
    terminal.press('a');
    await terminal.shows('That was all.');
    expect(fs.readdirSync(place.project).toSorted()).toEqual(['a.txt', 'a1', 'd1']);
    expect(provider.requests[3]?.text).toContain('in another folder');
  });

  it('asks questions one after the other: a key chooses, numbers and own words are sent', async () => {
    const questions = [{ question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue', description: 'like the sea' }] }, { question: 'Which sizes?', multiSelect: true, options: [{ label: 'small' }, { label: 'large' }] }, { question: 'What name?' }];
    const provider = await withProvider(place, { steps: [{ calls: [{ name: 'AskUserQuestion', input: { questions } }] }, 'Thanks.'] });
    const terminal = open(place, ASKING);
    await terminal.ready();
    await terminal.send('paint it');
    await terminal.shows(/2\. blue: like the sea[\s\S]*number or your own words/);
    terminal.press('2');
    await terminal.shows(/Which sizes\?[\s\S]*numbers or your own words/);
    await terminal.send('1, 2');
    await terminal.shows('What name?');
    await terminal.send('Ada 中');
    await terminal.shows('Thanks.');
    for (const answer of ['blue', 'small, large', 'Ada 中']) expect(provider.requests[1]?.text).toContain(answer);
  });

  it('what was being typed is no answer, and goes on after it', async () => {
    const provider = await withProvider(place, { steps: [bash('sleep 1; touch made'), 'Not made.', 'Heard.'] });
    const terminal = open(place, [...ASKING, '--allow', 'Bash(sleep:*)']);
    await terminal.ready();
    await terminal.send('go');
    for (const key of 'say yes'.replace(' ', '')) terminal.press(key);
    await terminal.shows('y = yes, once');
    expect(fs.existsSync(path.join(place.project, 'made'))).toBe(false);
    terminal.press('n');
    await terminal.shows('Not made.');
    await terminal.shows(/─\nsayyes *\n─/);
    terminal.press('Enter');
    await terminal.shows('Heard.');
    expect(provider.requests).toHaveLength(3);
  });

  it('Esc stops a turn in the middle of a tool, a message is sent into a turn, and Ctrl-D ends', async () => {
    const provider = await withProvider(place, { steps: [bash('touch here; sleep 600'), bash('until [ -e go ]; do sleep 0.1; done'), 'Going on.'] });
    const terminal = open(place, FREE);
    await terminal.ready();
    await terminal.send('wait');
    await expect.poll(() => fs.existsSync(path.join(place.project, 'here')), { timeout: 10_000 }).toBe(true);
    terminal.press('Escape');
    await terminal.shows('stopped ·');
    await terminal.shows(/■ Bash touch here/);
    await terminal.ready();
    await terminal.send('and now?');
    await terminal.shows(/● Bash until/);
    await terminal.send('be quick');
    await terminal.shows(/↳ at the next step: be quick|> be quick/);
    await terminal.send('/cost');
    await terminal.shows('↳ afterwards: /cost');
    fs.writeFileSync(path.join(place.project, 'go'), '');
    await terminal.shows('Going on.');
    expect(provider.requests[2]?.text).toContain('be quick');
    await terminal.shows(/tokens in, \d+ from cache/);
    await terminal.ready();
    terminal.press('C-c');
    await terminal.shows('press Ctrl-C again');
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
    expect(isRestored(place)).toBe(true);
  });

  it('nothing that a model says steers the terminal, in text, markdown, calls or results', async () => {
    const evil = 'bell \u0007 title \u001b]0;owned\u0007 clip \u001b]52;c;b3duZWQ=\u0007 up \u001b[5A red \u001b[31m c1 \u009b5A &#27;[31m [link](http://x.test/\u001b]0;owned\u0007) end';
    await withProvider(place, { steps: [{ text: evil, ...bash(`printf '%b' 'out \\033]0;owned\\007 \\033[2J end'; : ${evil.replaceAll("'", '')}`) }, `\`\`\`\n${evil}\n\`\`\`\n\n# ${evil}\n\n| a |\n|---|\n| ${evil} |`] });
    const terminal = open(place, FREE);
    await terminal.ready();
    const before = terminal.title();
    await terminal.send('say it');
    await terminal.shows('done ·');
    await terminal.shows(/bell \\u0007 title \\u001b\]0;owned\\u0007/);
    expect(terminal.title()).toBe(before);
    expect(terminal.all()).toContain('> say it');
  });

  it('Ctrl-C stops, and once more does not wait: the terminal is given back all the same', async () => {
    await withProvider(place, { steps: [bash('trap "" TERM; touch here; while :; do sleep 0.1; done')] });
    const terminal = open(place, FREE);
    await terminal.ready();
    await terminal.send('wait');
    await expect.poll(() => fs.existsSync(path.join(place.project, 'here')), { timeout: 10_000 }).toBe(true);
    terminal.press('C-c');
    await terminal.shows(/stopping .* · Ctrl-C ends at once/);
    terminal.press('C-c');
    expect(await terminal.ended()).toBe(130);
    expect(isRestored(place)).toBe(true);
  });

  it('is plain lines without one escape where the terminal is dumb', async () => {
    await withProvider(place, { steps: ['# Hello'] });
    const terminal = open(place, FREE, { env: { TERM: 'dumb' } });
    await terminal.shows(/sandbox: off[\s\S]*\n>/);
    terminal.type('hi');
    terminal.press('Enter');
    await terminal.shows('# Hello');
    expect(terminal.coloured()).not.toContain('\u001b');
  });

  it('gives the terminal back when it is told to end', async () => {
    await withProvider(place, { steps: [bash('echo $PPID > pid; sleep 600')] });
    const terminal = open(place, FREE);
    await terminal.ready();
    await terminal.send('wait');
    const file = path.join(place.project, 'pid');
    await expect.poll(() => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''), { timeout: 10_000 }).toMatch(/\d\n/);
    process.kill(Number(fs.readFileSync(file, 'utf8')), 'SIGTERM');
    expect(await terminal.ended()).toBe(130);
    expect(isRestored(place)).toBe(true);
  });
});
