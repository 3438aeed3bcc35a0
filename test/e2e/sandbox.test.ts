import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BWRAP, replaceableBubblewrap } from '../helpers/replaceable-bubblewrap.ts';
import { eventsOf, makePlace, MODEL, oneLineOf, run, withoutBubblewrap, withProvider, type Ended, type Place } from './program.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] });

describe.skipIf(withoutBubblewrap)('in the sandbox (needs bubblewrap)', () => {
  it('commands write to the workspace and to nothing else, and see no key', async () => {
    fs.writeFileSync(path.join(place.home, 'secret'), 'hidden');
    const provider = await withProvider(place, { steps: [bash(`echo in > a.txt; echo out > ${place.root}/b.txt; cat ${place.home}/secret; cat ${place.data}/config.json; cat /proc/[0-9]*/environ | tr '\\0' '\\n'; echo end`), 'done'] });
    const ended = await run(place, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted', '--output', 'stream-json'], { env: { ANTHROPIC_API_KEY: 'sentinel-of-the-environment' } });
    expect(ended.code).toBe(0);
    expect(eventsOf(ended.stdout)[0]).toMatchObject({ sandbox: 'isolated' });
    expect(fs.readFileSync(path.join(place.project, 'a.txt'), 'utf8')).toBe('in\n');
    expect(fs.existsSync(path.join(place.root, 'b.txt'))).toBe(false);
    const result = provider.requests[1]?.text ?? '';
    expect(result).toContain('end');
    for (const secret of ['hidden', 'sk-fake-key', 'sentinel-of-the-environment']) expect(result).not.toContain(secret);
  });

  it('commands get no open file of whoever started the program, which would lead out', async () => {
    const provider = await withProvider(place, { steps: [bash(`echo out > /proc/self/fd/63${place.root}/b.txt; ls -d /proc/self/fd/63/*; echo end`), 'done'] });
    const ended = await run(place, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted'], { through: ['/bin/bash', '-c', 'exec 63</ 64</dev/null; exec "$@"', 'bash'] });
    expect(ended.code).toBe(0);
    expect(provider.requests[1]?.text).toContain('end');
    expect(provider.requests[1]?.text).not.toContain('63/usr');
    expect(fs.existsSync(path.join(place.root, 'b.txt'))).toBe(false);
  });

  it('what a killed program left in the workspace and beside it is taken away by the next one', async () => {
    await withProvider(place, { steps: [bash('echo $$ > pid; exec sleep 600')] });
    await run(place, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted'], {
      through: ['/bin/bash', '-c', '"$@" & while [ ! -s pid ]; do sleep 0.02; done; kill -9 $!; wait $!; exit 0', 'bash'],
    });
    fs.rmSync(path.join(place.project, 'pid'));
    expect(fs.readdirSync(place.project)).not.toEqual([]);
    await withProvider(place, { steps: ['done'] });
    const next = await run(place, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted', '--verbose']);
    expect(next.code).toBe(0);
    expect(next.stderr).not.toContain('.mcp.json');
    expect(fs.readdirSync(place.project)).toEqual([]);
    await withProvider(place, { steps: [bash('true'), 'done'] });
    expect((await run(place, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted'])).code).toBe(0);
    expect([fs.readdirSync(place.project), fs.readdirSync(place.env['TMPDIR'] ?? '')]).toEqual([[], []]);
  });

  it('a child of a killed program is gone after two seconds', async () => {
    await withProvider(place, { steps: [bash('echo $$ > pid; exec sleep 600')] });
    const marker = `skillmint-orphan-${process.pid}`;
    const killed = await run(place, ['run', 'x', ...MODEL, '--permission-mode', 'unrestricted'], {
      env: { LC_MARKER: marker },
      through: ['/bin/bash', '-c', '"$@" & while [ ! -s pid ]; do sleep 0.02; done; kill -9 $!; wait $!; exit 0', 'bash'],
    });
    expect(killed.code).toBe(0);
    await expect.poll(() => processesWith(marker), { timeout: 2_000 }).toEqual([]);
  });
});

/** Ids of processes that have the text in their environment. */
function processesWith(marker: string): readonly string[] {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(marker));
}

function environmentOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code))) return '';
    throw error;
  }
}

describe.skipIf(!replaceableBubblewrap)('C-S10: without bubblewrap (needs root, mount namespaces and a bubblewrap to hide)', () => {
  const hidden = (args: readonly string[]): Promise<Ended> => run(place, args, { through: ['unshare', '-m', 'sh', '-c', `mount --bind /dev/null ${BWRAP} && exec "$@"`, 'sh'] });

  it.each([[[]], [['--sandbox', 'required']], [['--sandbox', 'on']], [['--permission-mode', 'unrestricted']]])('run %j ends with 78 before the model is asked, and stores nothing', async (flags) => {
    const provider = await withProvider(place, { steps: ['never'] });
    const ended = await hidden(['run', 'x', ...MODEL, ...flags]);
    expect(ended).toMatchObject({ code: 78, stdout: '' });
    expect(oneLineOf(ended)).toMatch(/sandbox/i);
    expect(oneLineOf(ended)).toMatch(/--sandbox off|install|bubblewrap/);
    expect(provider.requests).toEqual([]);
    expect((await hidden(['sessions', 'list', '--all', '--json'])).stdout).toBe('{\n  "sessions": []\n}\n');
  });

  it('--no-tools needs none', async () => {
    await withProvider(place, { steps: ['talk'] });
    expect(await hidden(['run', 'x', ...MODEL, '--no-tools'])).toMatchObject({ code: 0, stdout: 'talk\n', stderr: '' });
  });

  it('--sandbox ask: the first command asks even where a rule allows it, and says why', async () => {
    await withProvider(place, { steps: [bash('touch a.txt'), bash('touch b.txt'), 'done'] });
    const ended = await hidden(['run', 'x', ...MODEL, '--sandbox', 'ask', '--allow', 'Bash(touch:*)', '--output', 'stream-json']);
    expect(ended.code).toBe(3);
    const events = eventsOf(ended.stdout);
    expect(events[0]).toMatchObject({ sandbox: 'not isolated' });
    expect(events.find((event) => event.type === 'permission.requested')).toMatchObject({ reason: expect.stringContaining('not isolated') });
    expect(fs.readdirSync(place.project)).toEqual([]);
    expect((await hidden(['answer', events[0]?.session_id ?? '', '--allow'])).code).toBe(0);
    expect(fs.readdirSync(place.project).toSorted()).toEqual(['a.txt', 'b.txt']);
  });

  it('doctor says so and what to do', async () => {
    const { code, stdout } = await hidden(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/warn {2}sandbox .*not isolated/);
    expect(stdout).toMatch(/→ .*(bwrap|bubblewrap).*--sandbox off/);
  });
});
