import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAllowList } from '../../src/egress/allow-list.ts';
import type { CommandRequest } from '../../src/host/host.ts';
import { localHost } from '../../src/host/local-host.ts';
import { bubblewrapMechanism } from '../../src/sandbox/bubblewrap-mechanism.ts';
import { chooseSandbox, describeReport } from '../../src/sandbox/choose.ts';
import { guardKeeper } from '../../src/sandbox/guards.ts';
import { sandboxPolicy, type SandboxPolicy } from '../../src/sandbox/policy.ts';
import { probeSandbox, type ProbeOptions, type SandboxReport } from '../../src/sandbox/probe.ts';
import { findLimiter } from '../../src/sandbox/limits/find-limiter.ts';
import { findNsenter } from '../../src/sandbox/network/nsenter.ts';
import { sessionNetwork } from '../../src/sandbox/network/session-network.ts';
import { sandboxed } from '../../src/sandbox/sandboxed-host.ts';
import { BWRAP, makePlace, snapshot, withoutBubblewrap, type Place } from './helpers.ts';

let place: Place;
let policy: SandboxPolicy;
beforeEach(() => {
  place = makePlace();
  policy = sandboxPolicy(place.policyInput);
});
afterEach(() => fs.rmSync(place.base, { recursive: true, force: true }));

const probe = (options: Partial<ProbeOptions> = {}): Promise<SandboxReport> => probeSandbox({ policy, platform: 'linux', folder: place.data, ...options });

/** A program in the place of bubblewrap. */
function stub(script: string): string {
  const file = path.join(place.base, `bwrap-${Math.random().toString(36).slice(2)}`);
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

describe.skipIf(withoutBubblewrap)('the probe with real bubblewrap (needs bubblewrap)', () => {
  it('finds the walls standing and leaves nothing behind', async () => {
    const before = snapshot(place.base);
    expect(await probe()).toEqual({ state: 'isolated', mechanism: 'bubblewrap', bubblewrap: BWRAP, forbidNested: true });
    expect(snapshot(place.base)).toEqual(before);
  });

  it('works where the folder for the secret is not there yet', async () => {
    expect((await probe({ folder: path.join(place.base, 'not-yet') })).state).toBe('isolated');
  });

  it.each([
    ['the network', (bwrap: string) => `n=$#; while [ $n -gt 0 ]; do a=$1; shift; n=$((n-1)); set -- "$@" "$a"; [ "$a" = --unshare-all ] && set -- "$@" --share-net; done; exec ${bwrap} "$@"`, 'server on this machine'],
    ['files', (bwrap: string) => `while [ "$1" != -- ]; do shift; done; exec ${bwrap} --unshare-all --dev-bind / / "$@"`, 'could be written, a planted secret could be read'],
    ['everything', () => 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"', 'server on this machine'],
  ])('notices that %s is open', async (_, script, wall) => {
    const report = await probe({ candidates: [stub(script(BWRAP))] });
    expect(report.state).toBe('not isolated');
    expect(report.reason).toContain(wall);
    expect(fs.readdirSync(place.data).filter((name) => name.startsWith('canary'))).toEqual([]);
  });

  it('does without the ban on nested namespaces where bubblewrap is too old, and says so', async () => {
    const old = stub(`for a in "$@"; do [ "$a" = --disable-userns ] && { echo "bwrap: Unknown option --disable-userns" >&2; exit 1; }; done; exec ${BWRAP} "$@"`);
    expect(await probe({ candidates: [old] })).toMatchObject({ state: 'limited', forbidNested: false, bubblewrap: old, remedy: expect.stringContaining('0.8') });
  });

  it('starts one process', async () => {
    const log = path.join(place.base, 'starts');
    await probe({ candidates: [stub(`echo x >> ${log}; exec ${BWRAP} "$@"`)] });
    expect(fs.readFileSync(log, 'utf8')).toBe('x\n');
  });
});

describe('C-S10: the probe on machines without a sandbox', () => {
  it.each([
    ['ID=ubuntu\nID_LIKE=debian\n', 'sudo apt-get install -y bubblewrap'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'sudo dnf install -y bubblewrap'],
    ['ID=arch\n', 'sudo pacman -S bubblewrap'],
    ['ID=odd\n', 'install the package bubblewrap'],
  ])('names the line that installs bubblewrap (%j)', async (release, line) => {
    const report = await probe({ candidates: [path.join(place.base, 'missing')], readSystemFile: () => release });
    expect(report).toMatchObject({ state: 'not isolated', mechanism: 'none', reason: 'bubblewrap is not installed' });
    expect(report.remedy).toContain(line);
  });

  const denied = 'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.';
  it.each([
    [denied, '/proc/sys/kernel/unprivileged_userns_clone', '0', 'sysctl -w kernel.unprivileged_userns_clone=1'],
    [denied, '/proc/sys/user/max_user_namespaces', '0', 'sysctl -w user.max_user_namespaces=15000'],
    ['bwrap: setting up uid map: Permission denied', '/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1', 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', '/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1', 'AppArmor profile'],
    ['bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)', '', '', 'user.max_net_namespaces'],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", '', '', 'systempaths=unconfined'],
    ['', '', '', 'bwrap --ro-bind / / true'],
  ])('explains %j', async (said, file, value, remedy) => {
    const candidates = [stub(`echo "${said}" >&2; exit 1`)];
    const report = await probe({ candidates, readSystemFile: (name) => (name === file ? `${value}\n` : undefined) });
    expect(report.state).toBe('not isolated');
    expect(report.remedy).toContain(remedy);
    expect(describeReport(report)).not.toContain('\n');
  });

  it('ends when bubblewrap does not', async () => {
    const report = await probe({ candidates: [stub('exec sleep 60')] });
    expect(report).toMatchObject({ state: 'not isolated', reason: expect.stringContaining('5 s') });
  });

  it('says that other systems have none', async () => {
    expect(await probe({ platform: 'win32' })).toMatchObject({ state: 'not isolated', reason: expect.stringContaining('win32') });
  });
});

describe('the choice', () => {
  const isolated: SandboxReport = { state: 'isolated', mechanism: 'bubblewrap', bubblewrap: BWRAP, forbidNested: true };
  const missing: SandboxReport = { state: 'not isolated', mechanism: 'none', forbidNested: false, reason: 'bubblewrap is not installed', remedy: 'sudo apt-get install -y bubblewrap' };

  it('is never a silent way out', () => {
    expect(() => chooseSandbox({ setting: 'required', report: missing })).toThrow(expect.objectContaining({ code: 'sandbox_unavailable', message: 'a sandbox is required and there is none: bubblewrap is not installed; to change it: sudo apt-get install -y bubblewrap' }));
    expect(chooseSandbox({ setting: 'ask', report: missing })).toMatchObject({ run: 'after consent', state: 'not isolated' });
    expect(chooseSandbox({ setting: 'required', report: isolated })).toEqual({ run: 'sandboxed', state: 'isolated', line: 'isolated: bubblewrap' });
    expect(chooseSandbox({ setting: 'ask', report: { ...isolated, state: 'limited', reason: 'old' } })).toMatchObject({ run: 'sandboxed', state: 'limited', line: 'limited: old' });
    expect(chooseSandbox({ setting: 'off', report: isolated })).toMatchObject({ run: 'open', state: 'not isolated' });
  });

});

describe.skipIf(withoutBubblewrap)('the cost of the sandbox (needs bubblewrap)', () => {
  it('C-S11: is that of three helper programs and of few mounts; bench:sandbox measures the time', async () => {
    const started: (readonly string[])[] = [];
    const host = localHost();
    const recorded = { ...host, start: (command: CommandRequest) => { started.push(command.argv); return host.start(command); } };
    const network = sessionNetwork({ programs: { bubblewrap: BWRAP, nsenter: findNsenter() }, rules: () => ({ allow: parseAllowList([]), resolve: () => Promise.resolve([]), proxyOf: () => undefined }) });
    const limiter = findLimiter({ platform: 'linux', isRoot: process.getuid?.() === 0 });
    const inside = sandboxed(recorded, { mechanism: bubblewrapMechanism({ bubblewrap: BWRAP, guards: guardKeeper(`${place.data}/sandbox/roots`), forbidNested: true }), policy: () => policy, limiter: () => limiter, network: { open: () => network.open({ hosts: [], refused: [] }) } });
    expect(await inside.start({ argv: ['/bin/true'], cwd: place.ws, env: place.env }).exit).toMatchObject({ code: 0 });
    await network.close();
    await limiter.close();
    const [argv = []] = started;
    expect(argv.filter((word) => ['/bin/sh', findNsenter(), BWRAP].includes(word)).length).toBeLessThanOrEqual(3);
    // Each costs 0.2 to 0.5 ms, which grows with their number.
    expect(argv.filter((word) => /^--(?:(?:ro-)?bind(?:-try)?|tmpfs|remount-ro|dev|proc)$/.test(word)).length).toBeLessThan(60);
  });
});
