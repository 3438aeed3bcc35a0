import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localFiles } from '../../src/host/local-files.ts';
import { sessionOutputs } from '../../src/runtime/session/outputs.ts';
import { sessionFolder } from '../../src/runtime/session/session-folder.ts';
import { bubblewrapArgs } from '../../src/sandbox/bubblewrap-args.ts';
import { COMMAND_LIMITS, type Limiter } from '../../src/sandbox/limits/command-limits.ts';
import { findLimiter } from '../../src/sandbox/limits/find-limiter.ts';
import { sandboxPolicy } from '../../src/sandbox/policy.ts';
import { NOBODY, withoutAnotherUser } from '../helpers/another-user.ts';
import { MEMORY_BOUND } from '../helpers/memory-bound.ts';
import { makeBench, type Bench } from '../tools/context.ts';
import { BWRAP, makePlace, withoutBubblewrap, type Place } from './helpers.ts';

const limiter = findLimiter({ platform: process.platform === 'linux' ? 'linux' : 'other', isRoot: process.getuid?.() === 0 });
const withoutGroups = !limiter.mechanism.startsWith('cgroup');
const rlimits = findLimiter({ platform: 'linux', isRoot: false, read: () => undefined });
const withoutPrlimit = rlimits.mechanism !== 'rlimits';

let place: Place;
beforeAll(() => { place = makePlace(); });
afterAll(() => fs.rmSync(place.base, { recursive: true, force: true }));

const benchWith = (one: Limiter = limiter): Bench => makeBench({ host: place.host({}, { limiter: () => one }), cwd: place.ws });

/** Longest time in ms that this process did not answer while something ran. */
async function longestSilence(work: () => Promise<unknown>): Promise<number> {
  let last = Date.now();
  let longest = 0;
  const look = (): void => {
    const now = Date.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 5);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

function processesWith(text: string): readonly string[] {
  return fs.readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return fs.readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}

/** Waits and counts with builtins alone, since nothing more can be started meanwhile. */
const FORK_BOMB = 'mkfifo /tmp/never; exec 3<>/tmp/never 2>/dev/null; bomb() { bomb | bomb & }; bomb & read -t 2 -u 3 x; set -- /proc/[0-9]*; echo $#; exit 0';

describe.skipIf(withoutBubblewrap || withoutGroups)('limits of a whole command (needs bubblewrap and control groups that can be written)', () => {
  it('C-L3: a fork bomb stops at 256 processes, is named, and the program answers meanwhile', async () => {
    const bench = benchWith();
    let text = '';
    const silence = await longestSilence(async () => { ({ text } = await bench.call('Bash', { command: FORK_BOMB, timeout: 15_000 })); });
    expect(text).toContain('[Too many processes: this command was refused more than 256 processes and threads at once');
    expect(Number(/^\d+$/m.exec(text)?.[0] ?? 0)).toBeLessThanOrEqual(256);
    expect(silence).toBeLessThan(500);
    expect((await bench.call('Bash', { command: 'echo on' })).text).toBe('on');
  }, 30_000);

  it('C-L4: what allocates 4 GiB is killed at 1 GiB and reported as memory', async () => {
    const bench = benchWith();
    const { text, status } = await bench.call('Bash', { command: `node -e 'const all = []; for (let i = 0; i < 64; i++) all.push(Buffer.alloc(64 << 20, 1)); console.log("ALL OF IT")'` });
    expect(status).toBe('error');
    expect(text).toContain('[Out of memory: processes of this command were killed because together they wanted more than 1024 MiB');
    expect(text).not.toContain('ALL OF IT');
    expect((await bench.call('Bash', { command: 'echo on' })).text).toBe('on');
  }, 60_000);

  it('count all processes of a command together, and only what it may not use', async () => {
    const bench = benchWith();
    const hold = 'node -e "const all = []; for (let i = 0; i < 10; i++) all.push(Buffer.alloc(50 << 20, 1)); setTimeout(() => console.log(all.length), 1500)"';
    expect((await bench.call('Bash', { command: hold })).text).toBe('10');
    expect((await bench.call('Bash', { command: `${hold} & ${hold} & ${hold} & wait` })).text).toContain('[Out of memory');
  }, 60_000);

  it('hold with other figures, and for commands in the background', async () => {
    const bench = makeBench({ host: place.host({}, { limiter: () => limiter, limits: { memoryMb: 64, processes: 20 } }), cwd: place.ws });
    expect((await bench.call('Bash', { command: 'for i in $(seq 40); do sleep 0.5 & done 2>/dev/null; exit 0' })).text).toContain('more than 20 processes');
    await bench.call('Bash', { command: 'head -c 200000000 /dev/zero | tail -c 190000000 | wc -c', run_in_background: true });
    await expect.poll(async () => (await bench.call('BashOutput', { bash_id: 'bash_1' })).text, { timeout: 10_000 }).toContain('more than 64 MiB');
  }, 30_000);

  it('leave no group behind', async () => {
    const held = limiter.hold(COMMAND_LIMITS);
    const folders = held.outside.filter((word) => /\/(?:cgroup\.procs|tasks)$/.test(word)).map((file) => path.dirname(file));
    expect(folders.filter((folder) => fs.existsSync(folder)).length).toBeGreaterThan(0);
    expect(folders.filter((folder) => !fs.existsSync(folder))).toEqual([]);
    await held.release();
    expect(folders.filter((folder) => fs.existsSync(folder))).toEqual([]);
    await benchWith().call('Bash', { command: 'setsid -f sleep 30; true' });
    await limiter.close();
    const left = folders.flatMap((folder) => fs.readdirSync(path.dirname(folder))).filter((name) => name.startsWith(`skillmint-op-${process.pid}-`));
    expect(left).toEqual([]);
  });
});

describe.skipIf(withoutBubblewrap || withoutPrlimit)('limits of single processes (needs bubblewrap and prlimit)', () => {
  it('C-L4: no process gets 4 GiB', async () => {
    const { text, status } = await benchWith(rlimits).call('Bash', { command: `node -e 'const all = []; for (let i = 0; i < 64; i++) all.push(Buffer.alloc(64 << 20, 1)); console.log("ALL OF IT")'` });
    expect(status).toBe('error');
    expect(text).not.toContain('ALL OF IT');
  }, 30_000);

  it('usual tools work within them', async () => {
    const { text } = await benchWith(rlimits).call('Bash', { command: 'node -e "console.log(1)" && npm --version >/dev/null && git --version >/dev/null && echo fine' });
    expect(text).toBe('1\nfine');
  }, 30_000);

  it.skipIf(withoutAnotherUser)('C-L3: a fork bomb of an ordinary user stops at 256 processes (needs root to become another user)', async () => {
    const folder = path.join(place.base, 'of-nobody');
    fs.mkdirSync(folder);
    fs.chownSync(folder, NOBODY.uid, NOBODY.gid);
    fs.chmodSync(place.base, 0o755);
    const policy = sandboxPolicy({ roots: [folder], home: '/nonexistent', dataFolder: '/nonexistent/.skillmint', toolchains: [], credentials: [] });
    const argv = [...rlimits.hold(COMMAND_LIMITS).inside, '/bin/bash', '-c', FORK_BOMB];
    const child = spawn(BWRAP, bubblewrapArgs(policy, { argv, cwd: folder, guards: [], forbidNested: true }), { ...NOBODY, cwd: '/', env: { PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => { out += text; });
    const silence = await longestSilence(() => new Promise((resolve) => child.once('close', resolve)));
    expect(Number(out.trim())).toBeGreaterThan(100);
    expect(Number(out.trim())).toBeLessThanOrEqual(260);
    expect(silence).toBeLessThan(500);
  }, 30_000);

  it('say that root has no bound on processes, and how to get one', () => {
    expect(rlimits.hold(COMMAND_LIMITS).inside).toContain('--nproc=256');
    const root = findLimiter({ platform: 'linux', isRoot: true, read: () => undefined });
    expect(root.hold(COMMAND_LIMITS).inside.join(' ')).not.toContain('nproc');
    expect(root.line).toMatch(/no bound on the number of processes.*root.*systemd-run/);
    expect(findLimiter({ platform: 'linux', isRoot: false, read: () => undefined, prlimit: [] })).toMatchObject({ mechanism: 'none', line: expect.stringContaining('no limits') });
  });
});

describe.skipIf(withoutBubblewrap)('output and ends of commands in the sandbox (needs bubblewrap)', () => {
  it.each([
    ['10 MB without a line end', 10_000_000, 'head -c 10000000 /dev/zero | tr "\\0" x'],
    ['1 GB without a line end', 1_000_000_000, 'head -c 1000000000 /dev/zero | tr "\\0" x'],
    ['10 MB on stderr', 10_000_000, 'yes 012345678 | head -c 10000000 >&2'],
    ['1 GB on stderr', 1_000_000_000, 'yes 012345678 | head -c 1000000000 >&2'],
    ['10 MB that is no UTF-8', 10_000_000, 'head -c 10000000 /dev/zero | tr "\\0" "\\377"'],
    ['1 GB that is no UTF-8', 1_000_000_000, 'head -c 1000000000 /dev/zero | tr "\\0" "\\377"'],
  ])('C-L1: %s: head and tail for the model, up to 10 MiB in a file', async (name, bytes, script) => {
    const bench = benchWith();
    const outputs = sessionOutputs(sessionFolder({ files: localFiles(), workFolder: place.data, shared: undefined, log: () => undefined }, 'outputs', 'ses_x'));
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => { most = Math.max(most, process.memoryUsage.rss() - before); }, 20);
    const outcome = await bench.call('Bash', { command: `echo first; ${script}; echo; echo last` });
    clearInterval(watch);
    expect(outcome.status).toBe('ok');
    const fitted = await outputs.fit(name, outcome);
    const text = fitted.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toMatch(/^first\n/);
    expect(text).toMatch(/\nlast\b/);
    const file = fs.readFileSync(path.join(outputs.folder, `${name.replace(/[^\w-]/g, '_')}.txt`));
    expect(text).toContain(path.join(outputs.folder, `${name.replace(/[^\w-]/g, '_')}.txt`));
    const kept = name.includes('UTF-8') ? file.toString().length : file.length;
    expect(kept).toBeLessThanOrEqual(10 * 1024 * 1024 + 200);
    expect(kept).toBeGreaterThanOrEqual(Math.min(bytes, 10 * 1024 * 1024));
    console.log(`${name}: ${Math.round(most / 1024 / 1024)} MiB`);
    expect(most).toBeLessThan(MEMORY_BOUND);
  }, 120_000);

  it.each([
    ['a sleep', 'sleep 999001'],
    ['what ignores SIGTERM', 'trap "" TERM; while :; do sleep 999001; done'],
    ['a double fork with setsid', 'setsid -f bash -c "trap \'\' TERM; (sleep 999001 &) ; sleep 999001"; sleep 999001'],
    ['nohup', 'nohup sleep 999001 >/dev/null 2>&1 & sleep 999001'],
  ])('C-L2: %s ends within 2 s of its limit, with everything', async (_, command) => {
    const began = Date.now();
    const { text } = await benchWith().call('Bash', { command, timeout: 1_000 });
    expect(Date.now() - began).toBeLessThan(1_000 + 2_500);
    expect(text).toContain('Ended after its limit of 1000 ms');
    expect(processesWith('999001')).toEqual([]);
  });

  it('C-L7: 20 background tasks are gone 2 s after the session was stopped', async () => {
    const bench = benchWith();
    for (let i = 0; i < 20; i++) await bench.call('Bash', { command: i % 2 === 0 ? 'sleep 999002' : 'trap "" TERM; setsid -f sleep 999002; while :; do sleep 999002; done', run_in_background: true });
    await expect.poll(() => processesWith('sleep\x00999002').length, { timeout: 10_000 }).toBeGreaterThanOrEqual(20);
    const began = Date.now();
    await bench.context.shells.stopAll();
    expect(Date.now() - began).toBeLessThan(2_000);
    expect(processesWith('999002')).toEqual([]);
  }, 30_000);
});
