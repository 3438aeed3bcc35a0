import dgram from 'node:dgram';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { processesWith } from '../helpers/processes-with.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Host } from '../../src/host/host.ts';
import { localHost } from '../../src/host/local-host.ts';
import { executeSkill, type ExecuteOptions, type SkillExecution } from '../../src/runtime/execute/execute-skill.ts';
import { withoutBubblewrap } from '../sandbox/helpers.ts';
import { makePlace, type Place } from './open.ts';

const PATH = `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
const SECRETS = { SECRET_TOKEN: 'planted-secret-1', ANTHROPIC_API_KEY: 'planted-secret-2' };

/** Writes a skill of the person's own; `.sh` files are marked as executable. */
function skill(place: Place, name: string, files: Readonly<Record<string, string>>, root = path.join(place.data, 'skills')): string {
  const folder = path.join(root, name);
  for (const [file, text] of Object.entries({ 'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\n---\n\nBody.\n`, ...files })) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text, { mode: file.endsWith('.sh') ? 0o755 : 0o644 });
  }
  return folder;
}

function execute(place: Place, name: string, args: readonly string[] = [], options: ExecuteOptions = {}): Promise<SkillExecution> {
  return executeSkill(name, args, { env: { PATH, HOME: place.home, ...SECRETS }, home: place.home, dataFolder: place.data, cwd: place.project, ...options });
}

/** Executes a shell script as a skill of its own. */
function sh(place: Place, script: string, args: readonly string[] = [], options: ExecuteOptions = {}): Promise<SkillExecution> {
  skill(place, 'own', { 'run.sh': `#!/bin/sh\n${script}\n` });
  return execute(place, 'own', args, options);
}

const workFolder = (place: Place): string => path.join(place.data, '.skillmint-work');

describe.skipIf(withoutBubblewrap)('a script of a skill in the sandbox (needs bubblewrap)', () => {
  it('node, python3, sh and others run with their arguments as they are, and tell their exit code', async () => {
    const place = makePlace();
    skill(place, 'js', { 'index.mjs': 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3;' });
    skill(place, 'py', { 'main.py': 'import sys, helper\nprint(sys.argv[1:], file=sys.stderr)\nprint("ä", helper.x)', 'helper.py': 'x = 1' });
    skill(place, 'bash', { 'scripts/one': '#!/usr/bin/env bash\n[[ $# == 3 ]] && printf "%s|" "$@"' });
    const args = ['--json', 'b c', "$(id) 'x' *"];
    expect(await execute(place, 'js', args)).toEqual({ stdout: `${JSON.stringify(args)}\n`, stderr: '', exitCode: 3, durationMs: expect.any(Number), timedOut: false, truncated: false, sandbox: 'isolated' });
    expect(await execute(place, 'py', args)).toMatchObject({ stdout: 'ä 1\n', stderr: `['--json', 'b c', "$(id) 'x' *"]\n`, exitCode: 0 });
    expect(await execute(place, 'bash', args)).toMatchObject({ stdout: `${args.join('|')}|`, exitCode: 0 });
    expect(fs.readdirSync(path.join(place.data, 'skills/py')).toSorted()).toEqual(['SKILL.md', 'helper.py', 'main.py']);
  });

  it('finds skills by id, name, folder; another name is an error and never the skill next to it', async () => {
    const place = makePlace();
    const folder = skill(place, 'greeter', { 'run.sh': '#!/bin/sh\necho hello' }, path.join(place.project, 'folder'));
    skill(place, 'greet', { 'run.sh': '#!/bin/sh\necho mine' });
    for (const name of ['user:greet', 'Greet', 'USER:greet']) expect((await execute(place, name)).stdout, name).toBe('mine\n');
    for (const name of [folder, './folder/greeter']) expect((await execute(place, name)).stdout, name).toBe('hello\n');
    await expect(execute(place, 'gret')).rejects.toMatchObject({ name: 'SkillNotFoundError', code: 'skill_not_found', message: 'There is no skill "gret". Did you mean greet? See: skillmint skills list' });
    skill(place, 'folder-greeter', { 'run.sh': '#!/bin/sh\necho other' });
    expect((await execute(place, 'folder/greeter')).stdout).toBe('hello\n');
    await expect(execute(place, '/greet')).rejects.toMatchObject({ code: 'skill_not_found', message: expect.stringContaining('There is no SKILL.md in /greet') });
    await expect(execute(place, './none')).rejects.toMatchObject({ name: 'SkillNotFoundError' });
  });

  it('has standard input that is empty unless given, text or bytes', async () => {
    const place = makePlace();
    expect((await sh(place, 'cat; echo end')).stdout).toBe('end\n');
    expect((await sh(place, 'cat', [], { stdin: 'given' })).stdout).toBe('given');
    expect((await sh(place, 'od -An -tx1', [], { stdin: Uint8Array.of(0, 255, 10) })).stdout).toBe(' 00 ff 0a\n');
    expect(await sh(place, 'exit 0', [], { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0 });
  });

  it('has nothing in its environment but what belongs to it', async () => {
    const place = makePlace();
    const folder = path.join(place.data, 'skills/own');
    const { stdout } = await sh(place, 'env; echo "end"; ls -A "$HOME"; ls -A; touch "$HOME/x" y "$TMPDIR/z" && echo writable', [], { env: { PATH, HOME: place.home, LANG: 'C.UTF-8', NODE_OPTIONS: '--x', LD_PRELOAD: 'x', EDITOR: 'vi', ...SECRETS } });
    const variables = Object.fromEntries(stdout.slice(0, stdout.indexOf('\nend\n')).split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
    expect(Object.keys(variables).filter((name) => !/^(SKILLMINT_COMMAND|PWD|OLDPWD|SHLVL|_)$/.test(name)).toSorted()).toEqual(['HOME', 'LANG', 'PATH', 'SKILL_DIR', 'TEMP', 'TMP', 'TMPDIR', 'XDG_CACHE_HOME', 'npm_config_cache']);
    expect(variables).toMatchObject({ PATH, LANG: 'C.UTF-8', SKILL_DIR: folder });
    expect(variables['HOME']).not.toBe(place.home);
    expect(stdout).toMatch(/\nend\nwritable\n$/);
  });

  it('C-S1 writes nothing outside of its workspace: siblings, links out, home, data folder, settings, the skill, the project, /etc, /tmp', async () => {
    const place = makePlace();
    const root = path.dirname(place.project);
    const folder = skill(place, 'own', {});
    fs.mkdirSync(path.join(root, 'outside'));
    fs.symlinkSync(path.join(root, 'outside'), path.join(folder, 'way-out'));
    fs.mkdirSync(path.join(place.project, '.git/hooks'), { recursive: true });
    const mark = `escaped-${path.basename(root)}`;
    const targets = [root, path.join(root, 'outside'), place.home, place.data, path.join(place.data, 'skills'), folder, path.join(folder, 'way-out'), place.project, path.join(place.project, '.git/hooks'), '/etc', '/usr', '/tmp', '/var/tmp'].map((each) => path.join(each, mark));
    onTestFinished(() => targets.forEach((target) => fs.rmSync(target, { force: true })));
    const lines = targets.map((target) => `{ mkdir -p "${path.dirname(target)}"; echo evil > "${target}"; } 2>/dev/null`);
    const ran = await sh(place, `${lines.join('\n')}\necho evil > "${place.data}/config.json"; echo evil >> "$SKILL_DIR/SKILL.md"; rm -rf "$SKILL_DIR"/* 2>/dev/null\nln "$SKILL_DIR/run.sh" hard 2>/dev/null && echo LINKED; echo own > file; cat file`);
    expect(ran).toMatchObject({ stdout: 'own\n', exitCode: 0 });
    expect(targets.filter((target) => fs.existsSync(target))).toEqual([]);
    expect(fs.existsSync(path.join(place.data, 'config.json'))).toBe(false);
    expect(fs.readdirSync(folder).toSorted()).toEqual(['SKILL.md', 'run.sh', 'way-out']);
    expect(fs.existsSync(workFolder(place))).toBe(false);
  });

  it('C-S2 reads no secret: keys, the data folder, other skills, the project, environments of processes', async () => {
    const place = makePlace();
    skill(place, 'other', { 'secret.txt': 'planted-secret-3' });
    const files = ['.ssh/id_ed25519', '.aws/credentials', '.mozilla/firefox/logins.json', '.skillmint/skillmint.db', '.skillmint/config.json', '.bash_history'].map((name) => path.join(place.home, name));
    for (const file of [...files.filter((name) => !name.endsWith('config.json')), path.join(place.project, 'notes.txt')]) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, 'planted-secret-4');
    }
    fs.writeFileSync(path.join(place.data, 'config.json'), '{ "systemPrompt": "planted-secret-5" }', { mode: 0o600 });
    process.env['PLANTED'] = 'planted-secret-6';
    const paths = [...files, path.join(place.project, 'notes.txt'), path.join(place.data, 'skills/other/secret.txt'), `/proc/${process.pid}/environ`, '/etc/shadow'].map((file) => `"${file}"`).join(' ');
    const ran = await sh(place, `cat ${paths} /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; find / -name '*.db' -path '*skillmint*' 2>/dev/null; ls "${place.home}"; echo looked`);
    delete process.env['PLANTED'];
    expect(ran.stdout).toMatch(/looked\n$/);
    expect(`${ran.stdout}${ran.stderr}`).not.toContain('planted-secret');
    expect(ran.stdout).not.toMatch(/skillmint\.db|root:/);
  });

  it('C-S2 sees neither its keys nor the data folder when the skill lies above them', async () => {
    const place = makePlace();
    fs.mkdirSync(path.join(place.home, '.ssh'));
    fs.writeFileSync(path.join(place.home, '.ssh/id_rsa'), 'planted-secret');
    fs.writeFileSync(path.join(place.data, 'config.json'), '{}', { mode: 0o600 });
    skill(place, 'home', { 'run.sh': '#!/bin/sh\ncat "$SKILL_DIR/.ssh/id_rsa" "$SKILL_DIR/.skillmint/config.json" 2>/dev/null; echo looked' }, path.dirname(place.home));
    expect(await execute(place, place.home)).toMatchObject({ stdout: 'looked\n', sandbox: 'isolated' });
  });

  it('C-S4 connects to nothing: loopback TCP and UDP, sockets, metadata, the internet, names', async () => {
    const place = makePlace();
    let arrived = 0;
    const tcp = net.createServer((socket) => { arrived++; socket.end('hello'); }).listen(0, '127.0.0.1');
    const unix = net.createServer((socket) => { arrived++; socket.end('hello'); }).listen(path.join(place.project, 'sock'));
    const udp = dgram.createSocket('udp4').bind(0, '127.0.0.1');
    udp.on('message', () => arrived++);
    await Promise.all([tcp, unix, udp].map((server) => new Promise((resolve) => server.once('listening', resolve))));
    const address = tcp.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    skill(place, 'net', { 'index.mjs': `
import net from 'node:net'; import dgram from 'node:dgram'; import dns from 'node:dns/promises';
const connect = (options) => new Promise((done) => { const s = net.connect(options); s.setTimeout(1500, () => { s.destroy(); done('timeout'); }); s.on('connect', () => done('CONNECTED')); s.on('error', (e) => done(e.code)); });
const u = dgram.createSocket('udp4');
await new Promise((done) => u.send('x', ${udp.address().port}, '127.0.0.1', () => { u.close(); done(); }));
console.log(await Promise.all([connect({ port: ${port}, host: '127.0.0.1' }), connect({ path: '${place.project}/sock' }), connect({ port: 80, host: '169.254.169.254' }), connect({ port: 443, host: '1.1.1.1' }), dns.resolve('example.com').then(() => 'RESOLVED', (e) => e.code)]));` });
    const ran = await execute(place, 'net');
    tcp.close();
    unix.close();
    udp.close();
    expect(ran.stdout, ran.stderr).toContain('ECONNREFUSED');
    expect(ran.stdout).not.toMatch(/CONNECTED|RESOLVED/);
    expect(arrived).toBe(0);
  });

  it.each([
    ['without line breaks', `head -c 20000000 /dev/zero | tr '\\0' x; echo never`, 'stdout', 'x'],
    ['on standard error', `head -c 20000000 /dev/zero | tr '\\0' y >&2; echo never`, 'stderr', 'y'],
    ['without an end, of invalid UTF-8', `tr '\\0' '\\377' < /dev/zero`, 'stdout', '\ufffd'],
  ] as const)('C-L1 output %s is kept up to 10 MiB, and the script ended', async (_name, script, stream, char) => {
    const place = makePlace();
    const ran = await sh(place, script);
    expect(ran).toMatchObject({ exitCode: null, truncated: true, timedOut: false, error: { code: 'output_limit', message: expect.stringContaining('printed more than 10 MiB') } });
    expect(ran[stream].length).toBe(10 * 2 ** 20 + '\n[TRUNCATED]'.length);
    expect(ran[stream].startsWith(char.repeat(1_000))).toBe(true);
    expect(ran[stream].endsWith(`${char}\n[TRUNCATED]`)).toBe(true);
    expect(ran[stream === 'stdout' ? 'stderr' : 'stdout']).toBe('');
  }, 60_000);

  it('C-L1 just 10 MiB are whole, and no character is cut in half', async () => {
    const place = makePlace();
    expect(await sh(place, `head -c ${10 * 2 ** 20} /dev/zero`)).toMatchObject({ truncated: false, exitCode: 0 });
    const { stdout } = await sh(place, `printf x; yes ä | tr -d '\\n'`);
    expect(stdout).toMatch(/^xä+\n\[TRUNCATED\]$/u);
    expect((await sh(place, `printf '\\357\\273\\277mark'`)).stdout).toBe('\ufeffmark');
  });

  it.each([
    ['a plain sleep', (sleep: string) => sleep],
    ['a child with a session of its own', (sleep: string) => `setsid ${sleep} </dev/null >/dev/null 2>&1 &\n${sleep}`],
    ['a double fork', (sleep: string) => `(setsid sh -c '(${sleep} &) ; ${sleep}' >/dev/null 2>&1 &)\n${sleep}`],
    ['ignoring SIGTERM, nohup', (sleep: string) => `trap "" TERM INT HUP\nnohup ${sleep} & while true; do ${sleep}; done`],
  ])('C-L2 ends at its limit with everything it started: %s', async (name, script) => {
    const place = makePlace();
    const mark = `98${process.pid}${name.length}`;
    const began = Date.now();
    const running = sh(place, script(`sleep ${mark}`), [], { timeoutMs: 1_500 });
    await expect.poll(() => processesWith(mark).length, { timeout: 5_000, interval: 25 }).toBeGreaterThan(0);
    expect(await running).toMatchObject({ exitCode: 124, timedOut: true, error: { code: 'timeout', message: expect.stringContaining('longer than its 1.5 s') } });
    expect(Date.now() - began).toBeLessThan(1_500 + 4_000);
    expect(processesWith(mark)).toEqual([]);
    expect(fs.existsSync(workFolder(place))).toBe(false);
  });

  it('C-L2 what a script leaves running when it ends is ended, too', async () => {
    const place = makePlace();
    const mark = `97${process.pid}`;
    expect(await sh(place, `(setsid sleep ${mark} >/dev/null 2>&1 &)\necho end`)).toMatchObject({ stdout: 'end\n', exitCode: 0 });
    expect(processesWith(mark)).toEqual([]);
  });

  it('ends with everything it started when the caller says so, also before it began', async () => {
    const place = makePlace();
    const mark = `96${process.pid}`;
    const stop = new AbortController();
    const running = sh(place, `trap "" TERM; setsid sleep ${mark} & while true; do sleep ${mark}; done`, [], { signal: stop.signal });
    await expect.poll(() => processesWith(mark).length, { timeout: 5_000, interval: 25 }).toBeGreaterThan(0);
    stop.abort();
    expect(await running).toMatchObject({ exitCode: null, timedOut: false, error: { code: 'interrupted' } });
    expect(processesWith(mark)).toEqual([]);
    expect(await sh(place, 'echo never', [], { signal: stop.signal })).toMatchObject({ stdout: '', error: { code: 'interrupted' } });
  });

  it('removes its folders whatever the script made of them, and those that a killed process has left', async () => {
    const place = makePlace();
    const left = path.join(workFolder(place), `op-999999999-1-${'0'.repeat(12)}-${'1'.repeat(16)}`);
    fs.mkdirSync(path.join(left, 'work'), { recursive: true });
    fs.utimesSync(left, 0, 0);
    const ran = await sh(place, `mkdir -p closed/deep; touch closed/deep/f; chmod 000 closed/deep closed; ln -s / "$HOME/root"; i=0; while [ $i -lt 600 ]; do mkdir long-name-of-a-folder-that-is-deep && cd long-name-of-a-folder-that-is-deep; i=$((i+1)); done; echo end`);
    expect(ran).toMatchObject({ stdout: 'end\n', exitCode: 0 });
    expect(fs.existsSync(workFolder(place))).toBe(false);
  });

  it('several at once do not get into each other\'s way, also where the data folder is a link', async () => {
    const place = makePlace();
    skill(place, 'own', { 'run.sh': '#!/bin/sh\necho $1 > file; sleep 0.2; cat file; ls' });
    const data = path.join(place.project, 'link');
    fs.symlinkSync(place.data, data);
    const ran = await Promise.all([1, 2, 3, 4].map((n) => execute(place, 'own', [String(n)], { dataFolder: data })));
    expect(ran.map(({ stdout, sandbox }) => [stdout, sandbox])).toEqual([1, 2, 3, 4].map((n) => [`${n}\nfile\n`, 'isolated']));
    expect(fs.existsSync(workFolder(place))).toBe(false);
  });

  it('a script that cannot be started is spawn_failed, with what to do', async () => {
    const place = makePlace();
    skill(place, 'ruby', { 'main.rb': '', 'scripts/a.rb': '#!/usr/bin/env no-such-ruby\n' });
    expect(await execute(place, 'ruby')).toEqual({ stdout: '', stderr: '', exitCode: null, durationMs: 0, timedOut: false, truncated: false, error: { code: 'spawn_failed', message: expect.stringMatching(/a\.rb needs no-such-ruby, .*Install no-such-ruby/) } });
    const folder = skill(place, 'closed', { 'run.sh': '#!/bin/sh\necho ran' });
    fs.chmodSync(path.join(folder, 'run.sh'), 0o000);
    expect(await execute(place, 'closed')).toMatchObject({ exitCode: null, error: { code: 'spawn_failed', message: expect.stringContaining('chmod u+r') } });
    // A program that the sandbox does not show.
    const tools = path.join(place.home, 'tools');
    fs.mkdirSync(tools);
    fs.copyFileSync('/bin/sh', path.join(tools, 'odd'));
    fs.chmodSync(path.join(tools, 'odd'), 0o755);
    skill(place, 'odd', { 'scripts/x': `#!${tools}/odd\n`, 'run.odd': '' });
    expect(await execute(place, 'odd')).toMatchObject({ error: { code: 'spawn_failed', message: expect.stringContaining('odd') } });
    const settings = { skills: { interpreters: { odd: [path.join(tools, 'odd'), '-c', 'echo configured "$@"'] } } };
    expect(await execute(place, 'odd', ['a'], { script: 'run.odd', settings })).toMatchObject({ stdout: 'configured a\n', exitCode: 0 });
  });

  it('wrong calls are refused before anything runs', async () => {
    const place = makePlace();
    for (const timeoutMs of [0, -1, NaN, 3_600_001]) await expect(sh(place, 'true', [], { timeoutMs })).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(sh(place, 'true', ['a\0b'])).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(sh(place, 'true', [], { script: 'none.sh' })).rejects.toMatchObject({ code: 'script_not_found' });
  });
});

describe('what may run', () => {
  const off = { sandbox: 'off' } as const;

  it('a skill that is switched off or denied, and a command that a rule denies, are refused', async () => {
    const place = makePlace();
    const bare = { ...off, onNotice: () => undefined };
    const denied = (settings: ExecuteOptions['settings'], name = 'own'): Promise<unknown> => expect(sh(place, 'echo ran').then(() => execute(place, name, [], { ...bare, settings: settings ?? {} }))).rejects.toMatchObject({ name: 'PermissionError', code: 'permission_denied' });
    await denied({ skills: { enabled: { 'user:own': false } } });
    await denied({ permissions: { deny: ['Skill(own)'] } });
    await denied({ skills: { enabled: { 'user:own': false } } }, path.join(place.data, 'skills/own'));
    await denied({ permissions: { deny: ['Skill(own)'] } }, path.join(place.data, 'skills/own'));
    await denied({ permissions: { deny: ['Bash(sh:*)'] } });
    await denied({ permissions: { deny: ['Bash'] } });
    expect(await execute(place, 'own', [], { ...bare, settings: { permissions: { deny: ['Bash(python3:*)'], ask: ['Bash'] } } })).toMatchObject({ stdout: 'ran\n', sandbox: 'not isolated' });
    await expect(execute(place, 'own', [], { ...bare, settings: { permissions: { deny: ['Bash(('] } } })).rejects.toMatchObject({ code: 'config_invalid' });
  });

  it('without a sandbox it says so, still has its own environment, folders and limits, and leaves nothing', async () => {
    const place = makePlace();
    const notices: string[] = [];
    const ran = await sh(place, 'env; pwd; echo x > "$TMPDIR/f"', [], { ...off, onNotice: (sentence) => notices.push(sentence) });
    expect(ran).toMatchObject({ exitCode: 0, sandbox: 'not isolated' });
    expect(ran.stdout).not.toContain('planted-secret');
    expect(ran.stdout).toContain(`HOME=${workFolder(place)}/op-`);
    expect(notices).toEqual([expect.stringContaining('not isolated')]);
    expect(fs.existsSync(workFolder(place))).toBe(false);
    const mark = `95${process.pid}`;
    expect(await sh(place, `trap "" TERM; setsid sleep ${mark} & while true; do sleep ${mark}; done`, [], { ...off, timeoutMs: 700 })).toMatchObject({ timedOut: true, exitCode: 124 });
    expect(processesWith(mark)).toEqual([]);
  });

  it('on a machine without a sandbox nothing runs until somebody says so, and a no is a refusal', async () => {
    const place = makePlace();
    const { commands, host } = withoutSandbox();
    await expect(sh(place, 'echo ran', [], { host })).rejects.toMatchObject({ code: 'sandbox_unavailable', message: expect.stringMatching(/no sandbox for this system/) });
    await expect(sh(place, 'echo ran', [], { host, sandbox: 'ask' })).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    await expect(sh(place, 'echo ran', [], { host, sandbox: 'required', consent: async () => true })).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    await expect(sh(place, 'echo ran', [], { host, consent: async () => false })).rejects.toMatchObject({ code: 'permission_denied' });
    expect(commands).toEqual([]);
    const asked: string[] = [];
    const consent = async (question: string): Promise<boolean> => asked.push(question) > 0;
    expect(await sh(place, 'echo ran', [], { host, consent })).toMatchObject({ stdout: 'ran\n', sandbox: 'not isolated' });
    skill(place, 'theirs', { 'run.sh': '#!/bin/sh\necho ran' }, path.join(place.project, '.agents/skills'));
    expect(await execute(place, 'theirs', [], { host, consent })).toMatchObject({ stdout: 'ran\n' });
    expect(asked[0]).toMatch(/not isolated.* Run the script of own with your rights all the same\?$/);
    expect(asked[0]).not.toContain('trust');
    expect(asked[1]).toContain('You have not said that you trust this skill.');
    expect(await sh(place, 'echo ran', [], { host, ...off })).toMatchObject({ stdout: 'ran\n' });
    expect(await execute(place, 'theirs', [], { host, settings: off })).toMatchObject({ stdout: 'ran\n', sandbox: 'not isolated' });
  });

  it.skipIf(withoutBubblewrap)('with the setting off, a skill that nobody trusts gets the sandbox all the same, unless the call itself says off (needs bubblewrap)', async () => {
    const place = makePlace();
    skill(place, 'theirs', { 'run.sh': '#!/bin/sh\necho ran' }, path.join(place.project, '.agents/skills'));
    const settings = off;
    expect(await sh(place, 'echo ran', [], { settings })).toMatchObject({ stdout: 'ran\n', sandbox: 'not isolated' });
    expect(await execute(place, 'theirs', [], { settings })).toMatchObject({ stdout: 'ran\n', sandbox: 'isolated' });
    expect(await execute(place, 'theirs', [], { settings, ...off })).toMatchObject({ stdout: 'ran\n', sandbox: 'not isolated' });
  });
});

/** This machine, as one for which there is no sandbox. */
function withoutSandbox(): { readonly host: Host; readonly commands: readonly (readonly string[])[] } {
  const local = localHost();
  const commands: (readonly string[])[] = [];
  return {
    commands,
    host: {
      ...local,
      platform: 'other',
      start: (command) => {
        commands.push(command.argv);
        return local.start(command);
      },
    },
  };
}
