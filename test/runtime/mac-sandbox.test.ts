import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { CommandExit } from '../../src/host/host.ts';
import { localHost } from '../../src/host/local-host.ts';
import { sandboxGuard, type SandboxGuard } from '../../src/runtime/permissions/sandbox-guard.ts';
import type { NetworkGrants } from '../../src/sandbox/network/grant-gate.ts';
import { makePlace, type Place } from '../sandbox/helpers.ts';
import { verdict } from '../sandbox/seatbelt-reader.ts';

/** A Mac whose sandbox-exec lets the canary find every wall standing, and runs commands as they are after it wrote down its profile. */
function makeMac(): { readonly place: Place; readonly guard: SandboxGuard; readonly profile: () => string } {
  const place = makePlace();
  const program = path.join(place.base, 'sandbox-exec');
  fs.writeFileSync(program, `#!/bin/bash\nprofile=$2; shift 3\nfor word in "$@"; do [ "$word" = canary ] && { echo "\${@: -1} 0"; exit; }; done\nprintf %s "$profile" > ${place.base}/profile\nexec "$@"\n`, { mode: 0o755 });
  const guard = sandboxGuard({ platform: 'darwin', home: place.home, dataFolder: place.data, candidates: [program] });
  onTestFinished(async () => {
    await guard.close();
    fs.rmSync(place.base, { recursive: true, force: true });
  });
  return { place, guard, profile: () => fs.readFileSync(`${place.base}/profile`, 'utf8') };
}

async function run({ place, guard }: Pick<ReturnType<typeof makeMac>, 'place' | 'guard'>, script: string, grants: NetworkGrants = { hosts: [], refused: [] }): Promise<CommandExit & { readonly out: string }> {
  const choice = await guard.choose('required');
  const parts = { env: place.env, home: place.home, dataFolder: place.data, workFolder: place.data };
  const host = guard.wrap({ host: localHost(), choice, sessionId: 's', workspace: () => ({ roots: [place.ws], readableRoots: [place.skill], home: place.home }), trustedFolders: [], limits: { memoryMb: 64, processes: 8 }, grants: () => grants, allow: [], parts });
  let out = '';
  const exit = await host.start({ argv: ['/bin/sh', '-c', script], cwd: place.ws, env: { ...place.env, SSH_AUTH_SOCK: '/x' }, onOutput: (chunk) => { out += new TextDecoder().decode(chunk); } }).exit;
  return { ...exit, out };
}

it('runs the commands of a session under Seatbelt where its trial held', async () => {
  const mac = makeMac();
  const { place, guard, profile } = mac;
  expect(await guard.report()).toMatchObject({ state: 'isolated', mechanism: 'seatbelt' });
  expect(await guard.choose('ask')).toEqual({ state: 'isolated', wraps: true, asks: false });
  const ran = await run(mac, 'echo $TMPDIR; cat $GIT_CONFIG_GLOBAL; echo ${SSH_AUTH_SOCK-none} ${HTTP_PROXY-none}');
  const [temporary = ''] = ran.out.split('\n');
  expect(ran.out).toContain('Ada Example');
  expect(ran.out).toMatch(/none none\n$/);
  const says = (operation: string, one: string): string => verdict(profile(), { operation, path: one });
  expect([says('file-write-create', `${temporary}/x`), says('file-write-create', `${place.ws}/x`), says('file-read-data', `${place.skill}/SKILL.md`)]).toEqual(['allow', 'allow', 'allow']);
  expect([says('file-write-create', `${place.ws}/.envrc`), says('file-read-data', `${place.home}/.ssh/id_rsa`), says('file-read-data', `${place.data}/config.json`), says('file-write-create', `${place.skill}/x`)]).toEqual(['deny', 'deny', 'deny', 'deny']);
  expect(fs.statSync(temporary).isDirectory()).toBe(true);
  await guard.close();
  expect(fs.existsSync(temporary)).toBe(false);
});

it('hides the data folder from a workspace that holds it, also where it is known by a symlink', async () => {
  const { place, guard, profile } = makeMac();
  fs.symlinkSync(place.home, `${place.base}/link`);
  await run({ guard, place: { ...place, ws: place.home, data: `${place.base}/link/.skillmint` } }, 'true');
  expect([`${place.data}/config.json`, `${place.home}/.ssh/id_rsa`, `${place.home}/notes`].map((one) => verdict(profile(), { operation: 'file-read-data', path: one }))).toEqual(['deny', 'deny', 'allow']);
});

it('opens of the network what is granted: a port of this machine, and the proxy', async () => {
  const mac = makeMac();
  const ran = await run(mac, 'echo $HTTPS_PROXY', { hosts: ['localhost:5432', 'registry.example'], refused: [] });
  const port = new URL(ran.out.trim()).port;
  const says = (address: string): string => verdict(mac.profile(), { operation: 'network-outbound', address });
  expect([says('localhost:5432'), says(`localhost:${port}`), says('localhost:80'), says('*:443')]).toEqual(['allow', 'allow', 'deny', 'deny']);
});

it('says what holds on a Mac and what does not', () => {
  expect(makeMac().guard.describe()).toMatch(/no limits on memory and processes.*have not run it on a Mac/);
});

it('runs nothing on a Mac whose sandbox does not work, where one is required', async () => {
  const place = makePlace();
  onTestFinished(() => fs.rmSync(place.base, { recursive: true, force: true }));
  const guard = sandboxGuard({ platform: 'darwin', home: place.home, dataFolder: place.data, candidates: ['/bin/false'] });
  await expect(guard.choose('required')).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  expect(await guard.choose('ask')).toMatchObject({ state: 'not isolated', wraps: false, asks: true });
});

it('starts nothing in the open by mistake: what is to be walled in needs a trial first', () => {
  const { place, guard } = makeMac();
  const parts = { env: place.env, home: place.home, dataFolder: place.data, workFolder: place.data };
  const folders = { writable: [place.ws], readable: [], temporary: place.ws };
  expect(() => guard.wrapScript({ host: localHost(), choice: { state: 'isolated', wraps: true, asks: false }, folders, limits: { memoryMb: 64, processes: 8 }, grants: { hosts: [], refused: [] }, allow: [], parts })).toThrow(expect.objectContaining({ code: 'sandbox_unavailable' }));
});

it('runs a script of a skill in its own folders alone', async () => {
  const { place, guard, profile } = makeMac();
  const choice = await guard.choose('required');
  const space = `${place.data}/work/x`;
  for (const name of ['work', 'tmp']) fs.mkdirSync(`${space}/${name}`, { recursive: true });
  const parts = { env: place.env, home: place.home, dataFolder: place.data, workFolder: place.data };
  const host = guard.wrapScript({ host: localHost(), choice, folders: { writable: [`${space}/work`], readable: [place.skill], temporary: `${space}/tmp` }, limits: { memoryMb: 64, processes: 8 }, grants: { hosts: [], refused: [] }, allow: [], parts });
  let out = '';
  expect(await host.start({ argv: ['/bin/sh', '-c', 'echo $TMPDIR $GIT_CONFIG_GLOBAL'], cwd: `${space}/work`, env: place.env, onOutput: (chunk) => { out += new TextDecoder().decode(chunk); } }).exit).toMatchObject({ code: 0 });
  expect(out).toBe(`${space}/tmp /dev/null\n`);
  const says = (operation: string, one: string): string => verdict(profile(), { operation, path: one });
  expect([says('file-write-create', `${space}/work/a`), says('file-write-create', `${space}/tmp/a`), says('file-read-data', `${place.skill}/SKILL.md`)]).toEqual(['allow', 'allow', 'allow']);
  expect([says('file-write-create', `${space}/a`), says('file-read-data', `${place.data}/config.json`), says('file-read-data', `${place.ws}/a`), says('file-write-data', `${place.skill}/SKILL.md`)]).toEqual(['deny', 'deny', 'deny', 'deny']);
});

it('refuses a workspace that no profile can hold, in words', async () => {
  const { place, guard } = makeMac();
  const odd = `${place.base}/od\u0007d`;
  fs.mkdirSync(odd);
  const ran = await run({ guard, place: { ...place, ws: odd } }, 'true');
  expect(ran.error).toContain('control character');
});
