import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { processesWith } from '../helpers/processes-with.ts';
import { makePlace, MODEL, start, withoutBubblewrap, withProvider, type Place } from './program.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});

describe('kill -9 of the program (C-K4)', () => {
  it.each([
    ['without a sandbox', 'off'],
    ...(withoutBubblewrap ? [] : [['in the sandbox', 'required']]),
  ])('leaves no process of a command, in the foreground, in the background or in a session of its own, after 2 s: %s', async (_how, sandbox = 'off') => {
    const mark = `left-${Math.random().toString(36).slice(2)}`;
    const background = { name: 'Bash', input: { command: `: ${mark}; sleep 300 & sh -c ': ${mark}; sleep 300; true'; true`, run_in_background: true } };
    const foreground = { name: 'Bash', input: { command: `trap '' TERM; setsid sh -c ': ${mark}; echo up > up; sleep 300; true'; true` } };
    await withProvider(place, { steps: [{ calls: [background, foreground] }] });
    const program = start(place, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted', '--sandbox', sandbox]);
    await expect.poll(() => fs.existsSync(path.join(place.project, 'up')) && processesWith(mark).length >= 4, { timeout: 15_000, interval: 20 }).toBe(true);
    program.child.kill('SIGKILL');
    await program.ended;
    await sleep(2_000);
    expect(processesWith(mark)).toEqual([]);
  });
});
