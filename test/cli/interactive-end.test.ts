import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FREE, makePlace, MODEL, run, withProvider, type Place } from '../e2e/program.ts';
import { startTerminal, withoutTmux } from './terminal.ts';

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] });

let place: Place;
beforeEach(() => {
  place = makePlace();
});

/** The process of a command that wrote its id. */
async function startedPid(): Promise<number> {
  const file = path.join(place.project, 'pid');
  await expect.poll(() => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''), { timeout: 10_000, interval: 20 }).toMatch(/\d\n/);
  return Number(fs.readFileSync(file, 'utf8'));
}

async function statuses(): Promise<readonly string[]> {
  const { stdout } = await run(place, ['sessions', 'list', '--all', '--json']);
  return [...stdout.matchAll(/"status": "(\w+)"/g)].map(([, status = '']) => status);
}

describe.skipIf(withoutTmux)('the end of the interactive mode in a real terminal (needs tmux)', () => {
  it('Ctrl-C at the prompt clears what was typed and tells how to end; Ctrl-D ends', async () => {
    await withProvider(place, { steps: ['Hello.'] });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.ready();
    terminal.press('C-c');
    await terminal.shows('press Ctrl-D to end');
    await terminal.ready();
    terminal.press('x');
    terminal.press('C-c');
    await terminal.ready();
    terminal.type('hi');
    await terminal.shows('Hello.');
    await terminal.ready();
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
  });

  it('Ctrl-D in a turn cancels it, ends its command and then the program', async () => {
    await withProvider(place, { steps: [bash('echo $$ > pid; exec sleep 600')] });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.ready();
    terminal.type('wait');
    const pid = await startedPid();
    terminal.type('and then go on');
    await terminal.shows('taken in at the next step');
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(terminal.screen()).toContain('stopped');
    expect(terminal.screen()).not.toMatch(/readline|at \w+ \(/);
    expect(await statuses()).toEqual(['cancelled']);
  });

  it('the greeting tells that the sandbox is off, and /mode holds for every message after it', async () => {
    const provider = await withProvider(place, { steps: ['One.', 'Two.', bash('touch made.txt'), 'Three.'] });
    const terminal = startTerminal(place, [...FREE, '--plain']);
    await terminal.shows('sandbox: off (not isolated)');
    await terminal.ready();
    terminal.type('/mode plan');
    await terminal.shows('permission mode: plan');
    for (const [text, answer] of [['first', 'One.'], ['second', 'Two.'], ['third', 'Three.']] as const) {
      await terminal.ready();
      terminal.type(text);
      await terminal.shows(answer);
    }
    expect(fs.existsSync(path.join(place.project, 'made.txt'))).toBe(false);
    expect(provider.requests.at(-1)?.text).toContain('plan');
    await terminal.ready();
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
  });

  it('a question shows all of a long command, and cannot be answered by what was typed before it', async () => {
    const command = `echo safe ${'a'.repeat(300)} && touch made.txt`;
    await withProvider(place, { steps: [bash(command), 'Not done.'] });
    const terminal = startTerminal(place, [...MODEL, '--sandbox', 'off', '--plain']);
    await terminal.ready();
    terminal.type('go');
    await terminal.shows('say what to do instead');
    expect(terminal.screen().replace(/\n {2}┊ /g, '')).toContain(command);
    terminal.press('C-c');
    await terminal.shows('answer later with: skillmint answer');
    await terminal.ready();
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
    expect(await statuses()).toEqual(['waiting']);
  });
});
