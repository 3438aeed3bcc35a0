import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { processesWith } from '../helpers/processes-with.ts';
import { BWRAP, replaceableBubblewrap } from '../helpers/replaceable-bubblewrap.ts';
import { eventsOf, killGroup, makePlace, MODEL, oneLineOf, start, withProvider, run, type Ended, type Place, type Running } from './program.ts';

/** Leaves out all options and runs the command as it is. */
const NO_WALLS = 'while [ "$1" != -- ]; do shift || exit 1; done; shift; exec "$@"';

let place: Place;
beforeEach(() => {
  place = makePlace();
});

describe.skipIf(!replaceableBubblewrap)('a bubblewrap that is there and does not work (needs root and mount namespaces)', () => {
  /** Runs the program where a script stands in the place of bubblewrap. */
  const instead = (script: string, args: readonly string[]): Promise<Ended> => startInstead(script, args).ended;

  function startInstead(script: string, args: readonly string[]): Running {
    const file = path.join(place.root, 'bwrap');
    fs.writeFileSync(file, `#!/bin/bash\n${script}\n`, { mode: 0o755 });
    return start(place, args, { through: ['unshare', '-m', 'sh', '-c', `mount --bind ${file} ${BWRAP} && exec "$@"`, 'sh'] });
  }

  it.each([
    ['says why and ends', 'echo "bwrap: No permissions to create new namespace" >&2; exit 1', /namespace/],
    ['ends without a word', 'exit 3', /sandbox/],
    ['is killed', 'kill -9 $$', /sandbox/],
    ['builds no walls', NO_WALLS, /could be written|could be read|could be reached/],
  ])('one that %s: nothing runs, 78, and with ask the command waits for a consent that says so', async (_name, script, says) => {
    const provider = await withProvider(place, { steps: [{ calls: [{ name: 'Bash', input: { command: 'touch a.txt' } }] }, 'done'] });
    const required = await instead(script, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted']);
    expect([required.code, oneLineOf(required)]).toEqual([78, expect.stringMatching(says)]);
    expect(provider.requests).toEqual([]);
    const asked = await instead(script, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted', '--sandbox', 'ask']);
    expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('not isolated')]);
    expect(fs.existsSync(path.join(place.project, 'a.txt'))).toBe(false);
    const doctor = await instead(script, ['doctor']);
    expect(doctor.stdout).toMatch(/warn {2}sandbox .*not isolated/);
    expect(fs.readdirSync(place.env.TMPDIR ?? '')).toEqual([]);
  });

  it('one that works in the trial and fails afterwards: the command is an error, and does not run without it', async () => {
    const real = path.join(place.root, 'real');
    fs.copyFileSync(BWRAP, real);
    const provider = await withProvider(place, { steps: [{ calls: [{ name: 'Bash', input: { command: 'touch a.txt' } }] }, 'done'] });
    const script = `if [ -e ${place.root}/tried ]; then echo "bwrap: out of luck" >&2; exit 1; fi; touch ${place.root}/tried; exec ${real} "$@"`;
    const ended = await instead(script, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted']);
    expect([ended.code, fs.existsSync(path.join(place.project, 'a.txt'))]).toEqual([0, false]);
    expect(provider.requests[1]?.text).toContain('out of luck');
  });

  it('one that is slow, and kill -9 of the program before it has begun to watch over it: the command never runs', async () => {
    const real = path.join(place.root, 'real');
    fs.copyFileSync(BWRAP, real);
    const mark = `86${process.pid}`;
    await withProvider(place, { steps: [{ calls: [{ name: 'Bash', input: { command: `touch a.txt; sleep ${mark}` } }] }, 'done'] });
    const script = `case "$*" in *${mark}*) touch ${place.root}/begun; sleep 1;; esac; exec ${real} "$@"`;
    const { child, ended } = startInstead(script, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted']);
    await expect.poll(() => fs.existsSync(path.join(place.root, 'begun')), { timeout: 20_000 }).toBe(true);
    killGroup(child, 'SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    await sleep(2_500); // what is left of a command is ended within 2 s
    expect([processesWith(`sleep\0${mark}`), processesWith(real), fs.existsSync(path.join(place.project, 'a.txt'))]).toEqual([[], [], false]);
  });
});

describe('a script that cannot run', () => {
  it('without rights, without its interpreter, or that is a folder: the result of the command says so', async () => {
    const script = (name: string, text: string, mode: number): void => fs.writeFileSync(path.join(place.project, name), text, { mode });
    script('closed.sh', '#!/bin/sh\necho ran\n', 0o644);
    script('odd.sh', '#!/no/such/interpreter\n', 0o755);
    fs.mkdirSync(path.join(place.project, 'folder.sh'));
    await withProvider(place, { steps: [{ calls: ['./closed.sh', './odd.sh', './folder.sh', './none.sh'].map((command) => ({ name: 'Bash', input: { command } })) }, 'done'] });
    const ended = await run(place, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted', '--sandbox', 'off', '--output', 'stream-json']);
    expect(ended.code).toBe(0);
    const told = eventsOf(ended.stdout).filter(({ type }) => type === 'tool.completed').map(({ output }) => JSON.stringify(output).replace(/.*line 1: /, '')).toSorted();
    expect(told).toEqual([/closed.sh: Permission denied/, /folder.sh: Is a directory/, /none.sh: No such file/, /odd.sh: .*(cannot execute|bad interpreter)/].map((says) => expect.stringMatching(says)));
    expect(ended.stdout).not.toContain('ran\\n');
  });
});
