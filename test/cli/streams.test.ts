import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FREE, makePlace, MODEL, oneLineOf, run, start, withProvider, type Ended, type Place } from '../e2e/program.ts';

const withoutFullDevice = !fs.existsSync('/dev/full');
const bash = (command: string, more: object = {}) => ({ calls: [{ name: 'Bash', input: { command, ...more } }] });

let place: Place;
beforeEach(() => {
  place = makePlace();
});

/** Runs the program with the shell's words for its streams behind it. */
function through(words: string, args: readonly string[]): Promise<Ended> {
  return start(place, args, { through: ['/bin/bash', '-c', `"$@" ${words}`, 'bash'] }).ended;
}

async function startedPid(name = 'pid'): Promise<number> {
  const file = path.join(place.project, name);
  await expect.poll(() => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''), { timeout: 10_000, interval: 10 }).toMatch(/\d\n/);
  return Number(fs.readFileSync(file, 'utf8'));
}

async function statuses(): Promise<readonly string[]> {
  const { stdout } = await run(place, ['sessions', 'list', '--all', '--json']);
  return [...stdout.matchAll(/"status": "(\w+)"/g)].map(([, status = '']) => status);
}

describe.skipIf(withoutFullDevice)('output that cannot be written (needs /dev/full)', () => {
  it.each([[['sessions', 'list', '--json']], [['--help']], [['skills', 'list']], [['doctor']], [['completion', 'bash']], [['config', 'list']]])('%j: one line and 1', async (args) => {
    const ended = await through('> /dev/full', args);
    expect(ended.code).toBe(1);
    expect(oneLineOf(ended)).toMatch(/^skillmint: Standard output cannot be written: .*no space left/);
  });

  it('in a turn: the turn is stopped and stored, its command ended', async () => {
    await withProvider(place, { steps: [bash('echo $$ > pid; exec sleep 600')] });
    const ended = await through('> /dev/full', ['run', 'x', ...FREE, '--output', 'stream-json']);
    expect([ended.code, oneLineOf(ended)]).toEqual([1, expect.stringContaining('Standard output cannot be written')]);
    expect(await statuses()).toEqual(['cancelled']);
  });

  it('the exit code remains where nobody can be told', async () => {
    expect(await through('2> /dev/full', ['run', 'x', '--session', 'none', ...FREE])).toMatchObject({ code: 5, stdout: '', stderr: '' });
  });
});

describe('a reader that goes away', () => {
  it('in a turn: the turn is stopped and stored, its commands ended, and the exit code is 1', async () => {
    await withProvider(place, { steps: [bash('echo $$ > background; exec sleep 600', { run_in_background: true }), bash('echo $$ > pid; exec sleep 600')] });
    const program = start(place, ['run', 'x', ...FREE, '--output', 'stream-json'], { through: ['/bin/bash', '-c', '"$@" | grep -m 1 background; echo "${PIPESTATUS[0]}"', 'bash'] });
    const { stdout, stderr } = await program.ended;
    expect(stdout).toMatch(/\n1\n$/);
    expect(stderr).toBe('');
    expect(await statuses()).toEqual(['cancelled']);
    expect(() => process.kill(Number(fs.readFileSync(path.join(place.project, 'background'), 'utf8')), 0)).toThrow('ESRCH');
  });

  it('of a listing is no error', async () => {
    const ended = await start(place, ['--help'], { through: ['/bin/bash', '-c', '"$@" | head -n 0; echo "${PIPESTATUS[0]}"', 'bash'] }).ended;
    expect(ended).toMatchObject({ stdout: '0\n', stderr: '' });
  });
});

describe('an interrupt', () => {
  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s ends the turn and the commands in the background, within 10 s, with 130', async (signal) => {
    await withProvider(place, { steps: [bash('echo $$ > background; exec sleep 600', { run_in_background: true }), bash('echo $$ > pid; exec sleep 600')] });
    const program = start(place, ['run', 'x', ...FREE]);
    const pids = [await startedPid('background'), await startedPid()];
    const began = performance.now();
    program.child.kill(signal);
    expect((await program.ended).code).toBe(130);
    expect(performance.now() - began).toBeLessThan(10_000);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await statuses()).toEqual(['cancelled']);
  });

  it('ends the process at once the second time', async () => {
    await withProvider(place, { steps: [bash("trap '' TERM; echo $$ > pid; while true; do sleep 0.1; done")] });
    const program = start(place, ['run', 'x', ...FREE]);
    const pid = await startedPid();
    program.child.kill('SIGINT');
    const again = setInterval(() => program.child.kill('SIGINT'), 50);
    const { code } = await program.ended;
    clearInterval(again);
    expect(code).toBe(130);
    expect(await statuses()).toEqual(['interrupted']);
    process.kill(-pid, 'SIGKILL');
  });

  it('before the prompt is read ends with 130, and nothing is asked', async () => {
    const provider = await withProvider(place, { steps: ['Never.'] });
    const pipe = path.join(place.root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const open = fs.openSync(pipe, 'r+');
    const program = start(place, ['run', '-', ...FREE], { spawn: { stdio: [open, 'pipe', 'pipe'] } });
    await expect.poll(() => fs.existsSync(path.join(place.data, 'skillmint.db')), { timeout: 10_000, interval: 10 }).toBe(true);
    program.child.kill('SIGTERM');
    const ended = await program.ended;
    fs.closeSync(open);
    expect([ended.code, oneLineOf(ended)]).toEqual([130, expect.stringContaining('nothing was asked')]);
    expect(provider.requests).toEqual([]);
  });

  it('ends an answer too', async () => {
    await withProvider(place, { steps: [bash('echo $$ > pid; exec sleep 600')] });
    expect((await run(place, ['run', 'x', ...MODEL, '--sandbox', 'off'])).code).toBe(3);
    const [session = ''] = /ses_\w+/.exec((await run(place, ['sessions', 'list', '--json'])).stdout) ?? [];
    const program = start(place, ['answer', session, '--allow']);
    await startedPid();
    program.child.kill('SIGTERM');
    expect((await program.ended).code).toBe(130);
    expect(await statuses()).toEqual(['cancelled']);
  });
});

describe('a run that waits', () => {
  it('names what is cut, and sessions show shows the whole of every open request', async () => {
    const command = `echo safe ${'a'.repeat(300)} && rm -rf /x`;
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}`);
    await withProvider(place, { steps: [{ calls: [{ name: 'Bash', input: { command } }, { name: 'Write', input: { file_path: 'a.txt', content: lines.join('\n') } }] }] });
    const ended = await run(place, ['run', 'x', ...MODEL, '--sandbox', 'off']);
    const [session = ''] = /ses_\w+/.exec(ended.stderr) ?? [];
    expect(ended.stderr).toContain(`(cut; the whole call: skillmint sessions show ${session})`);
    const shown = (await run(place, ['sessions', 'show', session])).stdout;
    expect(shown.replace(/\n {2}┊ /g, '')).toContain(`│ ${command}\n`);
    for (const line of lines) expect(shown).toContain(`│ ${line}\n`);
  });

  it('and is ephemeral says that it cannot be answered', async () => {
    await withProvider(place, { steps: [bash('npm test')] });
    const ended = await run(place, ['run', 'x', ...MODEL, '--sandbox', 'off', '--ephemeral']);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain("An ephemeral session cannot be answered. Allow it beforehand with --allow 'Bash(npm test:*)'");
    expect(ended.stderr).not.toMatch(/skillmint (answer|sessions)/);
  });
});

describe('doctor', () => {
  it('makes nothing but the store', async () => {
    fs.rmSync(place.data, { recursive: true });
    expect((await run(place, ['doctor'])).code).toBe(0);
    expect(fs.readdirSync(place.data).filter((name) => !name.startsWith('skillmint.db'))).toEqual([]);
  });

  it.each([['no database', 'x'.repeat(4096)], ['an empty one', '']])('shows the rest when the store is broken: %s', async (_name, text) => {
    fs.writeFileSync(path.join(place.data, 'skillmint.db'), text);
    const { code, stdout, stderr } = await run(place, ['doctor', '--json']);
    expect([code, stderr]).toEqual([1, '']);
    const { findings }: { readonly findings: readonly { readonly name: string; readonly state: string; readonly text: string }[] } = JSON.parse(stdout);
    expect(findings.map(({ name }) => name)).toEqual(['program', 'start', 'settings', 'sandbox', 'hooks', 'mcp', 'browser', 'skills', 'store', 'models']);
    expect(findings.find(({ name }) => name === 'store')).toMatchObject({ state: 'fail', text: expect.stringMatching(/skillmint\.db: .*move it away/) });
    expect(findings.find(({ name }) => name === 'skills')?.text).toMatch(/\d usable of \d+ found/);
    expect(fs.readFileSync(path.join(place.data, 'skillmint.db'), 'utf8')).toBe(text);
  });
});
