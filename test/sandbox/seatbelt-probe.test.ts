import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseSandbox, describeReport } from '../../src/sandbox/choose.ts';
import { sandboxPolicy } from '../../src/sandbox/policy.ts';
import { probeSandbox, type SandboxReport } from '../../src/sandbox/probe.ts';
import { BWRAP, makePlace, snapshot, withoutBubblewrap, type Place } from './helpers.ts';
import { verdict } from './seatbelt-reader.ts';

let place: Place;
beforeEach(() => { place = makePlace(); });
afterEach(() => fs.rmSync(place.base, { recursive: true, force: true }));

const probe = (sandboxExec: string): Promise<SandboxReport> => probeSandbox({ policy: sandboxPolicy(place.policyInput), platform: 'darwin', folder: place.data, candidates: [sandboxExec] });

/** A program in the place of sandbox-exec: $profile is what it was given, $@ the command behind --, $1 to $7 of the canary its last words. */
function stub(script: string): string {
  const file = path.join(place.base, `exec-${Math.random().toString(36).slice(2)}`);
  fs.writeFileSync(file, `#!/bin/bash\n[ "$1 $3" = "-p --" ] || exit 99\nprofile=$2; shift 3\nlast=("\${@: -7}"); outside=\${last[0]}; secret=\${last[1]}; tmp=\${last[3]}; ws=\${last[4]}; file=\${last[5]}\n${script}\n`, { mode: 0o755 });
  return file;
}

/** bubblewrap builds the walls that the profile would. */
const walls = (open: string): string => stub(`exec ${BWRAP} --unshare-user --unshare-net --ro-bind / / --dev /dev --bind "$tmp" "$tmp" --bind "$ws/plain" "$ws/plain" --ro-bind /dev/null "$secret" ${open} -- "$@"`);

describe.skipIf(withoutBubblewrap)('the trial of macOS, its walls built by bubblewrap (needs bubblewrap)', () => {
  it('finds the walls standing and leaves nothing behind', async () => {
    const sandboxExec = walls('');
    const before = snapshot(place.base);
    expect(await probe(sandboxExec)).toEqual({ state: 'isolated', mechanism: 'seatbelt', sandboxExec, forbidNested: false });
    expect(snapshot(place.base)).toEqual(before);
  });

  it.each([
    ['the network', '--share-net', 'a server on this machine could be reached'],
    ['the secret', '--ro-bind "$file" "$secret"', 'a planted secret could be read or copied'],
    ['a file to read alone', '--bind "$file" "$file"', 'a file outside the workspace could be written'],
    ['protected names', '--bind "$ws" "$ws"', 'a protected file of the workspace could be made or changed'],
    ['the whole folder', '--bind "$(dirname "$ws")" "$(dirname "$ws")"', 'a file could be given a second path'],
    ['too little (the workspace)', '--ro-bind "$ws/plain" "$ws/plain"', 'the workspace, the temporary folder or a folder to be read is closed'],
    ['too little (a skill)', '--ro-bind /dev/null "$file"', 'the workspace, the temporary folder or a folder to be read is closed'],
  ])('notices that %s is open', async (_, open, wall) => {
    const report = await probe(walls(open));
    expect(report.state).toBe('not isolated');
    expect(report.reason).toContain(wall);
    expect(fs.readdirSync(place.data).filter((name) => name.startsWith('canary'))).toEqual([]);
  });
});

describe('C-S10: the trial of macOS', () => {
  it('gives sandbox-exec a profile with the walls that it tries', async () => {
    const log = path.join(place.base, 'log');
    await probe(stub(`printf '%s\\0' "$profile" "\${last[@]}" > ${log}`));
    const [text = '', outside = '', secret = '', port = '', temporary = '', workspace = '', file = ''] = fs.readFileSync(log, 'utf8').split('\0');
    const says = (operation: string, one: string): string => verdict(text, { operation, path: one });
    expect([says('file-write-create', outside), says('file-read-data', secret), says('file-write-data', file), says('file-write-create', `${workspace}/.MCP.JSON`), verdict(text, { operation: 'file-link' })]).toEqual(['deny', 'deny', 'deny', 'deny', 'deny']);
    expect([says('file-write-create', `${temporary}/made`), says('file-write-data', `${workspace}/plain`), says('file-read-data', file)]).toEqual(['allow', 'allow', 'allow']);
    expect(verdict(text, { operation: 'network-outbound', address: `localhost:${port}` })).toBe('deny');
  });

  it('finds everything open where nothing is walled', async () => {
    expect((await probe(stub('exec "$@"'))).reason).toMatch(/written, a planted secret .*, a server .*, a protected file .*, a file could be given a second path/);
  });

  it.each([
    ['exit 64', 'without a word (exit code 64)', 'sw_vers'],
    ['echo "Usage: sandbox-exec [options] command [args]" >&2; exit 64', 'Usage', 'sw_vers'],
    ['echo "sandbox-exec: sandbox_apply: Operation not permitted" >&2; exit 71', 'runs in a sandbox itself', 'plain terminal'],
    ['echo "sandbox-exec: <input string>:7:0: unbound variable: file-odd" >&2; exit 65', 'unbound variable: file-odd', 'sw_vers'],
    ['echo "sandbox-exec: execvp() of \'/bin/bash\' failed: Operation not permitted" >&2; exit 71', 'execvp()', 'sw_vers'],
    ['echo 0; echo "0123456789abcdef 0"', 'without a word (exit code 0)', 'sw_vers'],
    ['kill -ABRT $$', 'ended by SIGABRT', 'sw_vers'],
  ])('takes %j for no proof', async (script, reason, remedy) => {
    const report = await probe(stub(script));
    expect(report).toMatchObject({ state: 'not isolated', mechanism: 'none', reason: expect.stringContaining(reason), remedy: expect.stringContaining(remedy) });
    expect(describeReport(report)).not.toContain('\n');
    expect(() => chooseSandbox({ setting: 'required', report })).toThrow(expect.objectContaining({ code: 'sandbox_unavailable' }));
    expect(chooseSandbox({ setting: 'ask', report })).toMatchObject({ run: 'after consent' });
  });

  it('says so where the system has no sandbox-exec', async () => {
    expect(await probe(path.join(place.base, 'missing'))).toMatchObject({ state: 'not isolated', reason: '/usr/bin/sandbox-exec is missing, which is part of macOS' });
  });
});
