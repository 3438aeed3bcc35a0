import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localHost } from '../../src/host/local-host.ts';
import { bubblewrapMechanism } from '../../src/sandbox/bubblewrap-mechanism.ts';
import { guardKeeper } from '../../src/sandbox/guards.ts';
import { sandboxPolicy } from '../../src/sandbox/policy.ts';
import { sandboxed } from '../../src/sandbox/sandboxed-host.ts';
import { BWRAP, makePlace, withoutBubblewrap, type Place } from './helpers.ts';

describe.skipIf(withoutBubblewrap).each(['base', 'home'] as const)('daily work in the sandbox, workspace below %s (needs bubblewrap)', (wsBelow) => {
  let place: Place;
  beforeEach(() => { place = makePlace({ wsBelow }); });
  afterEach(() => fs.rmSync(place.base, { recursive: true, force: true }));

  it('runs node and python3, and tells exit codes and output apart', async () => {
    const node = await place.run(`node -e "require('fs').writeFileSync('a.txt', 'x'); console.log(process.version, require('os').tmpdir())"`);
    expect(node).toMatchObject({ code: 0, out: `${process.version} /tmp\n` });
    const python = await place.run('python3 -c "import tempfile, multiprocessing, sys; tempfile.NamedTemporaryFile(); multiprocessing.Lock(); print(sys.version_info[0]); sys.exit(7)"');
    expect(python).toMatchObject({ code: 7, out: '3\n' });
    expect(fs.readFileSync(`${place.ws}/a.txt`, 'utf8')).toBe('x');
  });

  it('commits with the identity of the person, without seeing their credentials', async () => {
    const { ws, home } = place;
    fs.rmSync(`${ws}/.git`, { recursive: true });
    execFileSync('git', ['init', '-q', ws], { env: { ...place.env, GIT_CONFIG_NOSYSTEM: '1' } });
    const ran = await place.run(`echo hello > f && git add -A && git commit -q -m first && git log -1 --format='%an <%ae>' && git status --short && git show --stat --format= && cat ${home}/.gitconfig`);
    expect(ran.err).toBe('');
    expect(ran.out).toContain('Ada Example <ada@example.com>');
    expect(ran.out).toContain(' f | 1 +');
    expect(ran.out).not.toMatch(/token-xyz|credential|store/);
    const blocked = await place.run('git config core.fsmonitor ./evil 2>/dev/null && echo CONFIGURED; git status --short');
    expect(blocked.out).toBe('');
  });

  it('says what could not be started', async () => {
    const missing = await place.run('', { argv: ['no-such-program'] });
    expect(missing.error).toContain('no-such-program');
    expect((await place.run('echo "bwrap: mine" >&2; exit 2')).error).toBeUndefined();
    expect((await place.run('true', { input: { roots: [`${place.base}/gone`] } })).error).toContain('/gone');
  });

  it('keeps /tmp over the commands of a session where it is given a folder', async () => {
    const temporary = path.join(place.base, 'session-tmp');
    fs.mkdirSync(temporary);
    await place.run('echo kept > /tmp/x', { input: { temporary } });
    expect((await place.run('cat /tmp/x', { input: { temporary } })).out).toBe('kept\n');
    expect((await place.run('cat /tmp/x 2>/dev/null || echo none')).out).toBe('none\n');
  });

  it('ends everything a command started, also what left its session', async () => {
    const host = sandboxed(localHost(), { mechanism: bubblewrapMechanism({ bubblewrap: BWRAP, guards: guardKeeper(`${place.data}/sandbox/roots`), forbidNested: true }), policy: () => sandboxPolicy(place.policyInput) });
    const mark = `98${process.pid}${wsBelow.length}`;
    const started = host.start({ argv: ['/bin/sh', '-c', `trap '' TERM; setsid sleep ${mark} & (setsid sleep ${mark} &) ; sleep ${mark}`], cwd: place.ws, env: place.env });
    const alive = (): number => fs.readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(`sleep\0${mark}`)).length;
    await until(() => alive() >= 3);
    await started.stop(200);
    await until(() => alive() === 0);
    expect(fs.existsSync(`${place.ws}/.mcp.json`)).toBe(false);
  });
});

describe.skipIf(withoutBubblewrap)('folders in folders (needs bubblewrap)', () => {
  it('hides credentials and the data folder in a home that is the workspace, and they cannot be moved into sight', async () => {
    const place = makePlace();
    const { home, data, skill } = place;
    fs.mkdirSync(`${home}/.config/gcloud`, { recursive: true });
    fs.writeFileSync(`${home}/.config/gcloud/key`, 'secret');
    const credentials = [...place.policyInput.credentials, { path: `${home}/.config/gcloud`, kind: 'folder' as const }];
    const input = { roots: [home], credentials };
    const ran = await place.run(`cat .ssh/id_rsa .aws/credentials .config/gcloud/key ${data}/config.json 2>/dev/null && echo READ; mv .config c 2>/dev/null && echo MOVED; cat ${skill}/SKILL.md; echo x > ${skill}/SKILL.md || echo refused; echo y > made; echo z >> .profile || echo no profile`, { input, cwd: home });
    expect(ran.out).toBe(`text of ${skill}/SKILL.md\nrefused\nno profile\n`);
    expect(fs.readFileSync(`${home}/made`, 'utf8')).toBe('y\n');
    expect(fs.existsSync(`${home}/.profile`)).toBe(false);
    fs.rmSync(place.base, { recursive: true });
  });

  it('keeps an active skill in the workspace read-only, and follows no symlink put in its place', async () => {
    const place = makePlace();
    const { ws, home } = place;
    const skill = `${ws}/tools/skills/x`;
    fs.mkdirSync(skill, { recursive: true });
    const input = { readable: [skill] };
    expect((await place.run('echo x > tools/skills/x/a 2>/dev/null && echo WROTE; mv tools t 2>/dev/null && echo MOVED; mv tools/skills/x y 2>/dev/null && echo MOVED; echo ok > tools/b', { input })).out).toBe('');
    fs.rmdirSync(skill);
    fs.symlinkSync(`${home}/.ssh`, skill);
    const after = await place.run('cat tools/skills/x/id_rsa', { input });
    expect(after.error).toContain(skill);
    expect(after.out).toBe('');
    fs.rmSync(place.base, { recursive: true });
  });

  it('does not mount a root that lies in another one, whatever took its place', async () => {
    const place = makePlace();
    fs.mkdirSync(`${place.ws}/sub`);
    const input = { roots: [place.ws, `${place.ws}/sub`] };
    expect((await place.run('echo x > sub/a; { echo x > sub/.mcp.json; } 2>/dev/null && echo WROTE', { input })).out).toBe('');
    fs.rmSync(`${place.ws}/sub`, { recursive: true });
    fs.symlinkSync(place.home, `${place.ws}/sub`);
    expect((await place.run('echo x > sub/evil', { input })).error).toContain('/sub');
    expect(fs.existsSync(`${place.home}/evil`)).toBe(false);
    fs.rmSync(place.base, { recursive: true });
  });

  it('refuses the root of the file system as a workspace', () => {
    expect(() => sandboxPolicy({ roots: ['/'], home: '/root', dataFolder: '/root/.skillmint', toolchains: [], credentials: [] })).toThrow('cannot be given');
  });
});

function commandLine(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function until(done: () => boolean): Promise<void> {
  const deadline = Date.now() + 8_000;
  while (!done()) {
    if (Date.now() > deadline) throw new Error('it did not happen within 8 s');
    await sleep(20);
  }
}
