import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { withoutTmux } from '../cli/terminal.ts';
import { FREE, makePlace, run, withProvider, writeSkill, type Place } from '../e2e/program.ts';
import { terminals } from './tmux.ts';

const open = terminals('editor');
const SMALL = { columns: 80, rows: 24 } as const;

let place: Place;
beforeEach(() => {
  place = makePlace();
});

describe.skipIf(withoutTmux)('the editor of messages (needs tmux)', () => {
  it('completes commands and skills behind / and files behind @, without those that are ignored', async () => {
    const provider = await withProvider(place, { steps: ['Read.'] });
    writeSkill(path.join(place.project, '.claude/skills'), { name: 'paint-it', description: 'Paints things.' });
    execFileSync('git', ['init', '-q'], { cwd: place.project });
    fs.mkdirSync(path.join(place.project, 'src'));
    for (const [name, text] of [['src/harbour-main.ts', ''], ['harbour-secret.log', ''], ['.gitignore', '*.log\n'], ['harbour\u001b[31m.ts', '']] as const) fs.writeFileSync(path.join(place.project, name), text);
    const terminal = open(place, FREE, SMALL);
    await terminal.ready();
    terminal.type('/pai');
    await terminal.shows(/paint-it\s+Paints things\./);
    terminal.press('C-u');
    terminal.type('/mem');
    await terminal.shows(/memory\s+KEY: show/);
    terminal.press('Tab');
    await expect.poll(terminal.now).toMatch(/─\n\/memory\n/);
    terminal.press('C-u');
    terminal.type('look at @harbour');
    await terminal.shows(/→ @?src\/harbour-main\.ts|src\/harbour-main\.ts/);
    expect(terminal.now()).not.toContain('secret');
    expect(terminal.now()).not.toContain('[31m');
    terminal.press('Tab');
    await expect.poll(terminal.now).toMatch(/─\nlook at @src\/harbour-main\.ts\n/);
    terminal.press('Enter');
    await terminal.shows('Read.');
    expect(provider.requests[0]?.text).toContain('look at @src/harbour-main.ts');
  });

  it('takes several lines, and what was typed before comes back with the arrow keys, also in the next program', async () => {
    const provider = await withProvider(place, { steps: ['One.', 'Two.', 'Three.'] });
    const terminal = open(place, FREE, SMALL);
    await terminal.ready();
    terminal.type('first');
    terminal.press('M-Enter');
    terminal.type('second');
    terminal.press('C-j');
    terminal.type('third');
    await terminal.shows(/─\nfirst\nsecond\nthird\n─/);
    terminal.press('Enter');
    await terminal.shows('One.');
    expect(provider.requests[0]?.text).toContain(String.raw`first\nsecond\nthird`);
    await terminal.ready();
    terminal.press('Up');
    await expect.poll(terminal.now).toMatch(/─\nfirst\nsecond\nthird\n─/);
    terminal.press('C-c');
    await terminal.ready();
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
    expect(fs.statSync(path.join(place.data, 'history.jsonl')).mode & 0o777).toBe(0o600);
    const next = open(place, FREE, SMALL);
    await next.ready();
    next.press('Up');
    await expect.poll(next.now).toMatch(/─\nfirst\nsecond\nthird\n─/);
  });

  it('sends 10,000 pasted characters whole, and lets none of them steer the terminal', async () => {
    const provider = await withProvider(place, { steps: ['Got it.'] });
    const terminal = open(place, FREE, SMALL);
    await terminal.ready();
    const words = Array.from({ length: 1_250 }, (_, i) => `w${String(i).padStart(6, '0')}`).join(' ');
    expect(words.length).toBeGreaterThanOrEqual(9_999);
    terminal.paste(`${words}\u009b5A\u001b[31mend`);
    await terminal.shows(/\[paste #1 \d+ chars\]/);
    terminal.press('Enter');
    await terminal.shows('Got it.');
    expect(provider.requests[0]?.text).toContain(words);
    expect(provider.requests[0]?.text).not.toContain('\u009b');
  });

  it('Shift+Tab goes through the modes that ask, and never into one that does not', async () => {
    await withProvider(place, { steps: ['One.'] });
    const terminal = open(place, ['--model', 'fake/m', '--sandbox', 'off'], SMALL);
    await terminal.ready();
    for (const mode of ['acceptEdits', 'plan', 'default', 'acceptEdits']) {
      terminal.press('BTab');
      await expect.poll(terminal.now).toContain(`fake/m · ${mode} ·`);
    }
    await terminal.send('hi');
    await terminal.shows('One.');
    const { sessions } = JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout);
    const { stdout } = await run(place, ['sessions', 'export', sessions[0].session_id]);
    expect(stdout).toContain('"permission_mode":"acceptEdits"');
  });

  it('wide characters keep their columns while they are typed and shown, at 40 columns, without colours, and after a change of size', async () => {
    await withProvider(place, { steps: ['| 名字 | 值 |\n|---|---|\n| 颜色 | 红 |\n| ab | 1 |\n\n这是一个很长的句子，它必须在四十列的终端里正确换行，而不会破坏任何东西，也不会丢失字符。'] });
    const terminal = open(place, FREE, { columns: 40, rows: 24, env: { NO_COLOR: '1' } });
    await terminal.ready();
    terminal.type('用中文回答 my friend 请你回答这个很长很长很长的问题');
    await terminal.shows('的问题');
    terminal.press('Enter');
    await terminal.shows('done ·');
    expect(terminal.coloured()).not.toContain('\u001b[');
    const rows = terminal.now().split('\n').filter((line) => line.includes('│'));
    expect(rows.length).toBeGreaterThan(2);
    const edges = new Set(rows.map((line) => Array.from(line.slice(0, line.lastIndexOf('│'))).reduce((sum, char) => sum + (/[\u2e80-\uffe0]/.test(char) ? 2 : 1), 0)));
    expect(edges.size).toBe(1);
    expect(terminal.all().replace(/\n/g, '')).toContain('它必须在四十列的终端里正确换行');
    terminal.resize(80, 20);
    await expect.poll(terminal.now).toContain(`${'─'.repeat(80)}`);
    terminal.resize(30, 10);
    await expect.poll(terminal.now).toMatch(new RegExp(`(^|\n)─{30}(\n|$)`));
    terminal.type('still here');
    await terminal.shows('still here');
  });
});
