import { spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardKeeper } from '../../src/sandbox/guards.ts';
import { bubblewrapMechanism } from '../../src/sandbox/bubblewrap-mechanism.ts';
import { BWRAP, makePlace, snapshot, withoutBubblewrap, type Place } from './helpers.ts';

/** Files of the system that only their owner or group may read, however deep they lie; root is the owner of some of them, in the sandbox, too. */
function closedSettings(): readonly string[] {
  return spawnSync('find', ['/etc', '-type', 'f', '!', '-perm', '-o=r', '-size', '+0'], { encoding: 'utf8' }).stdout.split('\n').filter((file) => file !== '');
}

describe.skipIf(withoutBubblewrap)('sandboxed commands (needs bubblewrap)', () => {
  let place: Place;
  beforeEach(() => { place = makePlace(); });
  afterEach(() => fs.rmSync(place.base, { recursive: true, force: true }));

  it('C-S1: write nothing but the workspace and a private temporary folder', async () => {
    const { ws, base, home, data, skill } = place;
    fs.symlinkSync(`${base}/ws-evil`, `${ws}/link`);
    await place.run('true');
    const before = snapshot(base);
    const mark = `/tmp/canary-${path.basename(base)}`;
    const targets = [`${base}/ws-evil/new`, `${ws}/link/new`, '/etc/canary', '/usr/canary', '/canary', `${home}/canary`, `${skill}/canary`, `${data}/config.json`, `${ws}/.git/hooks/pre-commit`, `${ws}/.git/config`, `${ws}/.mcp.json`, `${ws}/.skillmint/config.json`, `${ws}/.claude/x`, `${ws}/.bashrc`];
    const script = targets.map((target) => `mkdir -p "$(dirname ${target})" 2>/dev/null; { echo evil > ${target}; } 2>/dev/null && echo WROTE ${target}`).join('\n');
    const ran = await place.run(`${script}\necho ok > ${mark} && echo private; echo ok > ${ws}/made && echo workspace; ln /etc/passwd ${ws}/hard 2>/dev/null && echo hard`);
    // These two lie below the private /tmp: what is written there is not what lies outside, and goes with the command.
    const apart = [`WROTE ${base}/ws-evil/new`, `WROTE ${ws}/link/new`];
    expect(ran.out.trim().split('\n').filter((line) => !apart.includes(line))).toEqual(['private', 'workspace']);
    expect(fs.existsSync(mark)).toBe(false);
    expect(fs.existsSync('/etc/canary') || fs.existsSync('/usr/canary') || fs.existsSync('/canary')).toBe(false);
    expect(snapshot(base)).toEqual({ ...before, 'ws/made': 'ok\n' });
  });

  it('cannot move protected files away, nor what holds them, and leave nothing of them behind', async () => {
    const { ws } = place;
    const before = snapshot(ws);
    const ran = await place.run(`mv .git g && echo MOVED; mv .mcp.json m && echo MOVED; rmdir .mcp.json && echo REMOVED; rm -rf .git/hooks && echo REMOVED; ln -sf /etc .skillmint/x && echo LINKED; mkdir .git/hooks/x && echo MADE; chmod 777 .git/hooks && echo CHANGED; umount .mcp.json && echo UNMOUNTED`);
    expect(ran.out).toBe('');
    expect(snapshot(ws)).toEqual(before);
  });

  it('cannot lead git to other settings, and git works inside meanwhile', async () => {
    const { ws } = place;
    fs.rmSync(`${ws}/.git`, { recursive: true });
    execFileSync('git', ['init', '-q', ws]);
    execFileSync('git', ['-C', ws, 'config', 'extensions.worktreeConfig', 'true']);
    const before = snapshot(ws);
    const ran = await place.run('git status --short && git config core.bare; for file in commondir config.worktree; do { echo evil > .git/$file; } 2>/dev/null && echo WROTE $file; rm -f .git/$file 2>/dev/null && echo REMOVED $file; mv .git/index .git/$file 2>/dev/null && echo MOVED; done; sleep 0.3');
    expect(ran.out).toBe('false\n');
    expect(snapshot(ws)).toEqual(before);
    // What a command that was killed has left goes with the next one.
    fs.writeFileSync(`${ws}/.git/commondir`, '.\n');
    expect((await place.run('git status --short && echo fine')).out).toBe('fine\n');
    expect(snapshot(ws)).toEqual(before);
  });

  it('keep protected files that are there readable', async () => {
    fs.writeFileSync(`${place.ws}/.mcp.json`, '{"a":1}');
    fs.rmSync(`${place.ws}/.git`, { recursive: true });
    const ran = await place.run('cat .mcp.json; echo x > .mcp.json || echo refused; git init -q 2>/dev/null || echo no repository');
    expect(ran.out).toBe('{"a":1}refused\nno repository\n');
    expect(snapshot(place.ws)).toEqual({ '.mcp.json': '{"a":1}' });
  });

  it('keep what a protected symlink in the workspace leads to', async () => {
    fs.mkdirSync(`${place.ws}/settings`);
    fs.symlinkSync('settings', `${place.ws}/.claude`);
    fs.symlinkSync('/nowhere', `${place.ws}/.vscode`);
    expect((await place.run('echo x > .claude/a || echo x > settings/a || echo refused; ls -a .claude')).out).toBe('refused\n.\n..\n');
  });

  it('hold the protection for every command while several run at once', async () => {
    const slow = place.run('sleep 0.6; { echo evil > .mcp.json; } 2>/dev/null && echo WROTE; echo end');
    const quick = await Promise.all([1, 2, 3].map(() => place.run('true')));
    expect(quick.map((one) => one.code)).toEqual([0, 0, 0]);
    expect((await slow).out).toBe('end\n');
    expect(fs.existsSync(`${place.ws}/.mcp.json`)).toBe(false);
  });

  it('hold the protection for the commands of all processes in one folder, whichever ends first', async () => {
    const roots = `${place.data}/sandbox/roots`;
    const another = () => bubblewrapMechanism({ bubblewrap: BWRAP, guards: guardKeeper(roots), forbidNested: true });
    const script = (seconds: number): string => `sleep ${seconds}; { mkdir -p .skillmint; echo evil > .skillmint/config.json; } 2>/dev/null && echo WROTE; { echo evil > .mcp.json; } 2>/dev/null && echo WROTE; echo end`;
    const first = place.run(script(0.8), { sandbox: { mechanism: another() } });
    await sleep(300);
    const second = place.run(script(1), { sandbox: { mechanism: another() } });
    await sleep(200);
    await place.run('true', { sandbox: { mechanism: another() } });
    expect([(await first).out, (await second).out]).toEqual(['end\n', 'end\n']);
    expect(snapshot(place.ws)).toEqual({ '.git': 'folder', '.git/config': '', '.git/hooks': 'folder' });
    expect(fs.readdirSync(roots)).toEqual([]);
  });

  it('cannot make settings in a folder below that is trusted, nor move it or an added folder away', async () => {
    const { ws } = place;
    for (const folder of ['a/trusted', 'a/settled/.skillmint', 'a/added']) fs.mkdirSync(`${ws}/${folder}`, { recursive: true });
    fs.writeFileSync(`${ws}/a/settled/.skillmint/config.json`, '{}');
    const before = snapshot(ws);
    const names = ['trusted', 'settled', 'added'];
    const script = names.map((name) => `mv a/${name} a/b 2>/dev/null && echo MOVED; { mkdir -p a/${name}/.skillmint; echo evil > a/${name}/.skillmint/config.json; } 2>/dev/null && echo WROTE ${name}`).join('\n');
    const ran = await place.run(`${script}; mv a b 2>/dev/null && echo MOVED; echo x > a/trusted/x && echo ok`, { input: { roots: [ws, `${ws}/a/added`], trusted: [ws, `${ws}/a/trusted`, `${ws}/a/settled`, place.home] } });
    expect(ran.out).toBe('ok\n');
    expect(snapshot(ws)).toEqual({ ...before, 'a/trusted/x': 'x\n' });
  });

  it('do not start where the settings of the folder are a symlink, which nothing keeps from being replaced', async () => {
    fs.mkdirSync(`${place.ws}/conf`);
    fs.symlinkSync('conf', `${place.ws}/.skillmint`);
    expect(await place.run('rm .skillmint; echo ran')).toMatchObject({ code: null, out: '', error: `${place.ws}/.skillmint is a symlink, which the sandbox cannot keep from being replaced; put the folder itself there` });
  });

  it('take away what a command that was cut off left in place of a protected file', async () => {
    fs.mkdirSync(`${place.ws}/.mcp.json`);
    expect((await place.run('{ echo x > .mcp.json; } 2>/dev/null && echo WROTE')).out).toBe('');
    expect(fs.existsSync(`${place.ws}/.mcp.json`)).toBe(false);
  });

  it('C-S2: read no secrets: keys, browser profile, database, another workspace, environments', async () => {
    const { home, data, base, skill } = place;
    process.env['PROBE_SECRET'] = 'sentinel-of-the-parent';
    const files = [`${home}/.ssh/id_rsa`, `${home}/.aws/credentials`, `${home}/.mozilla/firefox/logins.json`, `${data}/skillmint.db`, `${data}/config.json`, `${base}/other-user/key`, `${base}/ws-evil/key`, '/etc/shadow', '/etc/sudoers', `/proc/${process.pid}/environ`, ...closedSettings()];
    const ran = await place.run(`${files.map((file) => `[ -s ${file} ] && cat ${file} 2>/dev/null && echo READ ${file}`).join('\n')}\ncat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c sentinel; ls ${home}; cat ${skill}/SKILL.md`);
    delete process.env['PROBE_SECRET'];
    expect(ran.out).toBe(`0\ntext of ${skill}/SKILL.md\n`);
  });

  it('see in every environment only what they were given', async () => {
    const ran = await place.run("tr '\\0' '\\n' < /proc/1/environ | cut -d= -f1 | sort");
    const names = ran.out.trim().split('\n').filter((name) => !name.startsWith('SKILLMINT'));
    expect(names).toEqual(['HOME', 'LANG', 'PATH', 'TEMP', 'TMP', 'TMPDIR', 'XDG_CACHE_HOME', 'npm_config_cache']);
  });

  it('C-S4: reach no server on this machine, no Unix socket and no network', async () => {
    const tcp = net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    const unix = net.createServer((socket) => socket.end('hello')).listen(`${place.base}/sock`);
    const hidden = net.createServer((socket) => socket.end('hello')).listen({ path: '\0sandbox-test-abstract' });
    const udp = dgram.createSocket('udp4').bind(0, '127.0.0.1');
    let heard = 0;
    udp.on('message', () => heard++);
    await Promise.all([tcp, udp].map((server) => new Promise((resolve) => server.once('listening', resolve))));
    const address = tcp.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const script = `
const net = require('node:net'), dgram = require('node:dgram'), dns = require('node:dns/promises');
const connect = (options) => new Promise((done) => { const s = net.connect(options); s.setTimeout(1500, () => { s.destroy(); done('timeout'); }); s.on('connect', () => done('CONNECTED')); s.on('error', (e) => done(e.code)); });
const u = dgram.createSocket('udp4');
const sent = new Promise((done) => u.send('x', ${udp.address().port}, '127.0.0.1', () => { u.close(); done(); }));
const all = await Promise.all([connect({ port: ${port}, host: '127.0.0.1' }), connect({ port: 80, host: '169.254.169.254' }), connect({ port: 443, host: '1.1.1.1' }), connect({ path: '${place.base}/sock' }), connect({ path: '\\0sandbox-test-abstract' }), dns.resolve('example.com').then(() => 'RESOLVED', (e) => e.code), sent]);
console.log(JSON.stringify(all));`;
    fs.writeFileSync(`${place.ws}/try.mjs`, `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${script}`);
    const ran = await place.run(`node try.mjs`);
    for (const server of [tcp, unix, hidden]) server.close();
    udp.close();
    expect(ran.out, ran.err).toContain('ECONNREFUSED');
    expect(ran.out).not.toMatch(/CONNECTED|RESOLVED/);
    expect(heard).toBe(0);
  });

  it('C-S8: neither see nor signal processes outside, and get no rights back', async () => {
    const ran = await place.run(`kill -0 ${process.pid} 2>/dev/null && echo SIGNALLED; ls /proc | grep -c '^[0-9]'; grep -E 'Cap(Eff|Bnd|Prm)' /proc/self/status | grep -v 0000000000000000; unshare -U true 2>/dev/null && echo NESTED; mount -t tmpfs x /mnt 2>/dev/null && echo MOUNTED; hostname; ls /run /var/run/ | tr -d '\\n'`);
    const [processes, ...rest] = ran.out.trim().split('\n');
    expect(Number(processes)).toBeLessThan(8);
    expect(rest.slice(0, 1)).toEqual(['sandbox']);
    expect(ran.out).not.toMatch(/SIGNALLED|NESTED|MOUNTED|Cap/);
  });

  it('have no terminal of ours', async () => {
    expect((await place.run('{ true < /dev/tty; } 2>/dev/null && echo TERMINAL; cut -d" " -f6 /proc/self/stat')).out).toMatch(/^[1-9]\d?\n$/);
  });
});
