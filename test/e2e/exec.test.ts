import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';
import { startTerminal, withoutTmux } from '../cli/terminal.ts';
import { NOBODY, withoutAnotherUser } from '../helpers/another-user.ts';
import { BWRAP, replaceableBubblewrap } from '../helpers/replaceable-bubblewrap.ts';
import { makePlace, oneLineOf, programArgv, run, start, withoutBubblewrap, writeSettings, writeSkill, type Ended, type Place, type StartOptions } from './program.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});

const user = (): string => path.join(place.data, 'skills');
const workFolder = (): string => path.join(place.data, '.skillmint-work');

function sh(name: string, script: string, files: Readonly<Record<string, string>> = {}): string {
  return writeSkill(user(), { name, files: { 'run.sh': `#!/bin/sh\n${script}\n`, ...files } });
}

const exec = (args: readonly string[], options: StartOptions = {}): Promise<Ended> => run(place, ['skills', 'exec', ...args], options);

function recordOf({ stdout }: Ended): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(stdout);
  if (!isObject(value)) throw new Error(`no record: ${stdout}`);
  return value;
}

function processesWith(text: string): readonly string[] {
  return fs.readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

describe.skipIf(withoutBubblewrap)('skills exec (needs bubblewrap)', () => {
  it('--json prints the record; the exit code is 0 when the script ran, whatever its own was', async () => {
    sh('greet', 'echo "hello $*"; echo "ärger" >&2; exit 7');
    const ended = await exec(['greet', '--json', 'one', '--', '--json', 'b c', '--script']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(recordOf(ended)).toEqual({ stdout: 'hello one --json b c --script\n', stderr: 'ärger\n', exitCode: 7, durationMs: expect.any(Number), timedOut: false, truncated: false, sandbox: 'isolated' });
  });

  it('without --json it passes both streams on, byte for byte, and says the exit code', async () => {
    sh('greet', `printf 'a\\033[31mb\\n'; echo problem >&2; exit 7`);
    expect(await exec(['greet'])).toMatchObject({ code: 0, stdout: 'a\u001b[31mb\n', stderr: 'problem\nskillmint: The script ended with exit code 7.\n' });
    sh('quiet', 'true');
    expect(await exec(['quiet'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('output comes while the script runs', async () => {
    sh('slow', 'echo first; sleep 30');
    const began = Date.now();
    const program = start(place, ['skills', 'exec', 'slow'], { onLine: () => program.child.kill('SIGINT') });
    expect(await program.ended).toMatchObject({ code: 130, stdout: 'first\n' });
    expect(Date.now() - began).toBeLessThan(15_000);
  });

  it.each([
    ['an unknown skill', ['none', '--json'], 5, 'skill_not_found', /There is no skill "none"/],
    ['an unknown script', ['greet', '--json', '--script', 'none.sh'], 5, 'script_not_found', /has no file none\.sh/],
    ['a path out of the skill', ['greet', '--json', '--script', '../other/run.sh'], 6, 'permission_denied', /leads upward/],
    ['a missing interpreter', ['greet', '--json', '--script', 'scripts/a.rb'], 1, 'spawn_failed', /needs no-such-ruby, .*Install no-such-ruby/],
    ['a script that runs too long', ['greet', '--json', '--timeout', '1', 'sleep'], 1, 'timeout', /longer than its 1 s/],
  ])('%s: a record with the error, one line, and its exit code', async (_name, args, code, error, says) => {
    sh('greet', '[ "$1" = sleep ] && sleep 30; true', { 'scripts/a.rb': '#!/usr/bin/env no-such-ruby\n' });
    const ended = await exec(args);
    expect(ended.code).toBe(code);
    expect(oneLineOf(ended)).toMatch(says);
    expect(recordOf(ended)).toMatchObject({ stdout: '', stderr: '', exitCode: error === 'timeout' ? 124 : null, timedOut: error === 'timeout', truncated: false, error: { code: error, message: expect.stringMatching(says) } });
    const plain = await exec(args.filter((arg) => arg !== '--json'));
    expect(plain).toMatchObject({ code, stdout: '' });
    expect(oneLineOf(plain)).toMatch(says);
  });

  it.each([
    ['an option that is not ours', ['greet', '--verbose'], /unknown option '--verbose'\. What the script is to get stands after --/],
    ['a limit that is none', ['greet', '--timeout', '0'], /--timeout/],
    ['a limit that is too long', ['greet', '--timeout', '4000'], /at most 3600 s/],
    ['no skill', [], /missing required argument/],
    ['a word for the sandbox', ['greet', '--sandbox', 'maybe'], /maybe/],
  ])('%s is a usage error and runs nothing', async (_name, args, says) => {
    sh('greet', 'echo ran');
    const ended = await exec(args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(oneLineOf(ended)).toMatch(says);
  });

  it('standard input is for the script only with --stdin', async () => {
    sh('reader', 'cat; echo end');
    expect(await exec(['reader'], { input: 'given\n' })).toMatchObject({ stdout: 'end\n' });
    expect(await exec(['reader', '--stdin'], { input: 'given\n' })).toMatchObject({ stdout: 'given\nend\n' });
  });

  it('C-L1 a flood is cut at 10 MiB, also of characters that JSON spells with six, in bounded memory', async () => {
    sh('small', 'true');
    sh('flood', 'head -c 20000000 /dev/zero');
    const measure = async (args: readonly string[]): Promise<{ readonly ended: Ended; readonly peak: number }> => {
      const report = path.join(place.root, 'peak');
      // The maximum of the process itself, by its own word.
      const hook = path.join(place.root, 'hook.cjs');
      fs.writeFileSync(hook, `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)));`);
      const [node = '', program = ''] = programArgv();
      const result = spawnSync(node, ['--require', hook, program, 'skills', 'exec', ...args], { cwd: place.project, env: place.env, encoding: 'utf8', maxBuffer: 200 * 2 ** 20, stdio: ['ignore', 'pipe', 'pipe'] });
      return { ended: { code: result.status, signal: result.signal, stdout: result.stdout, stderr: result.stderr }, peak: Number(fs.readFileSync(report, 'utf8')) / 1024 };
    };
    const small = await measure(['small', '--json']);
    const flood = await measure(['flood', '--json']);
    expect(flood.ended.code).toBe(1);
    const { stdout, truncated, error } = recordOf(flood.ended);
    expect(String(stdout).length).toBe(10 * 2 ** 20 + '\n[TRUNCATED]'.length);
    expect({ truncated, error }).toMatchObject({ truncated: true, error: { code: 'output_limit' } });
    expect(flood.peak - small.peak).toBeLessThan(150);
  }, 60_000);

  it('a reader that goes away ends the script', async () => {
    sh('endless', 'while true; do echo line; done');
    const [node = '', program = ''] = programArgv();
    const script = `"${node}" "${program}" skills exec endless | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const began = Date.now();
    expect(execFileSync('/bin/bash', ['-c', script], { cwd: place.project, env: place.env, encoding: 'utf8' })).toBe('line\n1\n');
    expect(Date.now() - began).toBeLessThan(20_000);
    expect(fs.existsSync(workFolder())).toBe(false);
  });

  it('without a sandbox that is said before the script begins', async () => {
    sh('slow', 'echo begun >&2; sleep 30');
    const program = start(place, ['skills', 'exec', 'slow', '--sandbox', 'off'], { onError: (text) => text.includes('begun') && program.child.kill('SIGINT') });
    expect((await program.ended).stderr).toMatch(/^skillmint: .*not isolated.*\nbegun\n/);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('C-L2 %s ends the script with everything it started, and its folders are removed', async (signal) => {
    const mark = `94${process.pid}${signal.length}`;
    sh('stubborn', `trap "" INT TERM HUP\n(setsid sleep ${mark} &)\necho started\nwhile true; do sleep ${mark}; done`);
    const program = start(place, ['skills', 'exec', 'stubborn'], { onLine: () => program.child.kill(signal) });
    const ended = await program.ended;
    expect(ended.code).toBe(130);
    expect(ended.stderr).toMatch(/run\.sh was interrupted/);
    expect(processesWith(mark)).toEqual([]);
    expect(fs.existsSync(workFolder())).toBe(false);
  });

  it('C-L2 kill -9 of the program leaves no process; its folders are removed by the next run', async () => {
    const mark = `93${process.pid}`;
    sh('orphan', `setsid sleep ${mark} </dev/null >/dev/null 2>&1 &\ntouch file\necho started\nsleep ${mark}`);
    const program = start(place, ['skills', 'exec', 'orphan'], { onLine: () => program.child.kill('SIGKILL') });
    expect((await program.ended).signal).toBe('SIGKILL');
    await expect.poll(() => processesWith(mark), { timeout: 2_000 }).toEqual([]);
    expect(fs.readdirSync(workFolder())).toHaveLength(1);
    sh('next', 'true');
    expect((await exec(['next'])).code).toBe(0);
    expect(fs.existsSync(workFolder())).toBe(false);
  });

  it.skipIf(withoutAnotherUser)('as a user without rights: the same walls, and folders without rights are removed (needs root, and a Node that others may run)', async () => {
    fs.chmodSync(place.root, 0o755);
    sh('closed', 'mkdir -p a/b; touch a/b/c; chmod 000 a/b a; id -u; cat /etc/shadow 2>/dev/null; echo x > "$SKILL_DIR/x" 2>/dev/null || echo refused');
    for (const folder of [place.home, place.data, place.project, path.join(place.root, 'tmp'), user()]) fs.chownSync(folder, NOBODY.uid, NOBODY.gid);
    expect(await exec(['closed'], { spawn: NOBODY })).toMatchObject({ code: 0, stdout: `${NOBODY.uid}\nrefused\n` });
    expect(fs.existsSync(workFolder())).toBe(false);
    fs.chmodSync(path.join(user(), 'closed/run.sh'), 0o600);
    const ended = await exec(['closed', '--json'], { spawn: NOBODY });
    expect(ended.code).toBe(1);
    expect(recordOf(ended)).toMatchObject({ error: { code: 'spawn_failed', message: expect.stringMatching(/cannot be read: EACCES.*chmod u\+r/) } });
  });

  it('a project that is not trusted names no interpreter', async () => {
    writeSkill(user(), { name: 'odd', files: { 'main.odd': 'x' } });
    fs.mkdirSync(path.join(place.project, '.skillmint'));
    fs.writeFileSync(path.join(place.project, '.skillmint/config.json'), JSON.stringify({ skills: { interpreters: { odd: ['/bin/echo'] } } }));
    expect((await exec(['odd', '--script', 'main.odd'])).code).toBe(1);
    writeSettings(place, { skills: { interpreters: { odd: ['/bin/echo', 'by'] } } });
    expect((await exec(['odd', '--script', 'main.odd'])).stdout).toBe(`by ${user()}/odd/main.odd\n`);
  });

  it.skipIf(withoutTmux)('on a terminal what could steer it is shown and does nothing (needs tmux)', async () => {
    sh('colours', `printf 'red \\033[31m title \\033]0;x\\007 end\\n'; exit 3`);
    const terminal = startTerminal(place, ['skills', 'exec', 'colours']);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('red \\u001b[31m title \\u001b]0;x\\u0007 end');
    expect(terminal.screen()).toContain('skillmint: The script ended with exit code 3.');
  });
});

it('is in the help and in the completion', async () => {
  expect((await run(place, ['skills', '--help'])).stdout).toMatch(/exec \[options\] <skill> \[args\.\.\.\] +run a script of a skill in the sandbox/);
  const help = await exec(['--help']);
  for (const word of ['--script', '--timeout', '--stdin', '--sandbox', '--json', 'SKILL_DIR', '78 when a sandbox is required']) expect(help.stdout).toContain(word);
  expect((await run(place, ['completion', 'bash'])).stdout).toContain('"skills exec") words="--script --timeout --stdin --sandbox --json --help"');
});

describe.skipIf(!replaceableBubblewrap)('skills exec without bubblewrap (needs root, mount namespaces and a bubblewrap to hide)', () => {
  const hidden = (args: readonly string[]): Promise<Ended> => exec(args, { through: ['unshare', '-m', 'sh', '-c', `mount --bind /dev/null ${BWRAP} && exec "$@"`, 'sh'] });

  it('C-S10 nothing runs and the exit code is 78, with what mends it; --sandbox off runs it and says so', async () => {
    sh('greet', 'echo ran');
    for (const flags of [[], ['--sandbox', 'required'], ['--sandbox', 'ask']]) {
      const ended = await hidden(['greet', '--json', ...flags]);
      expect(ended.code).toBe(78);
      expect(recordOf(ended)).toMatchObject({ stdout: '', exitCode: null, error: { code: 'sandbox_unavailable' } });
      expect(oneLineOf(ended)).toMatch(/bwrap|bubblewrap/);
      expect(oneLineOf(ended)).toMatch(/--sandbox off|install/);
    }
    expect(fs.existsSync(workFolder())).toBe(false);
    const off = await hidden(['greet', '--sandbox', 'off']);
    expect(off).toMatchObject({ code: 0, stdout: 'ran\n' });
    expect(oneLineOf(off)).toContain('not isolated');
    writeSettings(place, { sandbox: 'off' });
    expect(recordOf(await hidden(['greet', '--json']))).toMatchObject({ stdout: 'ran\n', sandbox: 'not isolated' });
  });
});
