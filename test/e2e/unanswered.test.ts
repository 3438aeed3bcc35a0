import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { eventsOf, makePlace, MODEL, run, sessionOf, start, withProvider, type Place } from './program.ts';

const BARE = [...MODEL, '--sandbox', 'off'] as const;
const touch = (file: string): FakeStep => ({ calls: [{ name: 'Bash', input: { command: `touch ${file}` } }] });

let place: Place;
beforeEach(() => {
  place = makePlace();
});

const made = (): readonly string[] => fs.readdirSync(place.project).toSorted();
const status = async (session: string): Promise<unknown> => JSON.parse((await run(place, ['sessions', 'show', session, '--json'])).stdout).status;

describe('a question to which nobody answers (C-R5)', () => {
  it('waits, also when whoever listened is gone: nothing runs, and the answer still works later', async () => {
    await withProvider(place, { steps: [touch('a.txt'), 'done'] });
    const ending = start(place, ['run', 'x', ...BARE, '--output', 'stream-json'], {
      onLine: (line) => { if (line.includes('"permission.requested"')) ending.child.stdout?.destroy(); },
    });
    await ending.ended;
    const { sessions } = JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout);
    const session: string = sessions[0].session_id;
    expect([await status(session), made()]).toEqual(['waiting', []]);
    expect((await run(place, ['answer', session, '--allow'])).code).toBe(0);
    expect(made()).toEqual(['a.txt']);
  });

  it('waits, also when the process is killed at that moment', async () => {
    await withProvider(place, { steps: [touch('a.txt'), 'done'] });
    let text = '';
    const killed = start(place, ['run', 'x', ...BARE, '--output', 'stream-json'], {
      onLine: (line) => {
        text += `${line}\n`;
        if (line.includes('"permission.requested"')) killed.child.kill('SIGKILL');
      },
    });
    await killed.ended;
    const session = sessionOf(eventsOf(text));
    // What the process held is free once it is known to be gone.
    await expect.poll(async () => status(session), { timeout: 10_000 }).toBe('waiting');
    expect(made()).toEqual([]);
    const answered = await run(place, ['answer', session, '--allow']);
    expect(answered.code, answered.stderr).toBe(0);
    expect(made()).toEqual(['a.txt']);
  });

  it('is none where nobody is to be asked: dontAsk refuses at once, and the turn goes on', async () => {
    const provider = await withProvider(place, { steps: [touch('a.txt'), 'went on'] });
    const ended = await run(place, ['run', 'x', ...BARE, '--permission-mode', 'dontAsk']);
    expect([ended.code, ended.stdout, made()]).toEqual([0, 'went on\n', []]);
    expect(provider.requests[1]?.text).toContain('dontAsk denies what would ask');
  });
});
