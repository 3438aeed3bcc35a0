import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withFileLock } from '../../../src/host/file-lock.ts';
import { ownName } from '../../../src/host/owner-name.ts';
import { localFiles } from '../../../src/host/local-files.ts';
import { localTree } from '../../../src/host/local-tree.ts';
import { digestSkill } from '../../../src/skills/digest.ts';
import { carryTrust, revokeTrust, trustSkill, type TrustEditing } from '../../../src/skills/trust/edit-trust.ts';
import { trustDifference } from '../../../src/skills/trust/trust-difference.ts';
import { readTrust, trustFile } from '../../../src/skills/trust/trust-file.ts';
import { examineSkill } from '../../../src/skills/trust/trust-report.ts';
import { openTrust } from '../../../src/skills/trust/trust-store.ts';
import { run } from '../../store/child.ts';
import { makePlace, type Place } from '../place.ts';

const tree = localTree();

interface Setting extends Place {
  readonly editing: TrustEditing;
  /** A project skill, as the catalogue knows it. */
  readonly one: { readonly id: string; readonly source: string; readonly folder: string; readonly file: string };
}

function setting(): Setting {
  const place = makePlace();
  onTestFinished(() => place.remove());
  const folder = place.skill('work/project/.claude/skills/one', { more: 'allowed-tools: Read, Bash(git status:*)\n' });
  place.write('work/project/.claude/skills/one/scripts/a.sh', 'echo a\n');
  return { ...place, editing: { tree, files: localFiles(), dataFolder: path.join(place.home, '.skillmint'), now: () => Date.UTC(2026, 0, 2) }, one: { id: 'project:one', source: 'project', folder, file: path.join(folder, 'SKILL.md') } };
}

const digestOf = (skill: { readonly folder: string }): string => digestSkill(tree, skill.folder).digest;
const trustedNow = ({ editing, one }: Setting): boolean => openTrust(editing).of(one, digestOf(one)).trusted;

describe('trusting a skill', () => {
  it('holds for its content, wherever it lies, until a byte of it changes, and again when the byte is set back', async () => {
    const here = setting();
    const { editing, one, root } = here;
    expect(trustedNow(here)).toBe(false);
    await trustSkill(editing, one, await examineSkill(tree, one));
    expect(trustedNow(here)).toBe(true);
    const copy = path.join(root, 'copy');
    fs.cpSync(one.folder, copy, { recursive: true });
    expect(openTrust(editing).of({ ...one, folder: copy }, digestOf({ folder: copy })).trusted).toBe(true);
    const script = path.join(one.folder, 'scripts/a.sh');
    fs.writeFileSync(script, 'echo b\n');
    expect(trustedNow(here)).toBe(false);
    await trustSkill(editing, one, await examineSkill(tree, one));
    fs.writeFileSync(script, 'echo a\n');
    expect(trustedNow(here)).toBe(true);
    expect(readTrust(tree, trustFile(editing.dataFolder)).map(({ id, digests, trustedAt }) => [id, digests.length, trustedAt])).toEqual([['project:one', 2, '2026-01-02T00:00:00.000Z']]);
  });

  it('keeps the file to its owner', async () => {
    const { editing, one } = setting();
    await trustSkill(editing, one, await examineSkill(tree, one));
    expect([fs.statSync(trustFile(editing.dataFolder)).mode & 0o777, fs.statSync(editing.dataFolder).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(fs.readdirSync(editing.dataFolder)).toEqual(['trust.json']);
  });

  it.skipIf(process.platform === 'win32')('is not read out of a file that other users can change (C-E4)', async () => {
    const here = setting();
    const file = trustFile(here.editing.dataFolder);
    await trustSkill(here.editing, here.one, await examineSkill(tree, here.one));
    for (let folder = here.editing.dataFolder; folder !== '/tmp' && folder !== '/'; folder = path.dirname(folder)) fs.chmodSync(folder, 0o755);
    fs.chmodSync(file, 0o660);
    expect(() => trustedNow(here)).toThrow(expect.objectContaining({ code: 'config_unreadable', message: expect.stringContaining(`chmod 600 ${file}`) }));
    fs.chmodSync(file, 0o644);
    expect(trustedNow(here)).toBe(true);
  });

  it('is refused where a file leads out of the skill and could change unseen', async () => {
    const { editing, one, write } = setting();
    fs.symlinkSync(write('outside.sh', 'echo\n'), path.join(one.folder, 'scripts/out.sh'));
    await expect(trustSkill(editing, one, await examineSkill(tree, one))).rejects.toMatchObject({ code: 'not_trusted', message: expect.stringContaining('out.sh is a link to') });
    expect(fs.existsSync(trustFile(editing.dataFolder))).toBe(false);
  });

  it('never overwrites a file that cannot be understood', async () => {
    const { editing, one, write } = setting();
    write('home/.skillmint/trust.json', '{"version":9,"skills":[]}');
    await expect(trustSkill(editing, one, await examineSkill(tree, one))).rejects.toMatchObject({ code: 'config_invalid' });
    expect(fs.readFileSync(trustFile(editing.dataFolder), 'utf8')).toBe('{"version":9,"skills":[]}');
  });

  it('can be taken back', async () => {
    const here = setting();
    await trustSkill(here.editing, here.one, await examineSkill(tree, here.one));
    expect(await revokeTrust(here.editing, here.one, digestOf(here.one))).toBe(true);
    expect(trustedNow(here)).toBe(false);
    expect(await revokeTrust(here.editing, here.one, digestOf(here.one))).toBe(false);
  });
});

describe('a description that the person edits', () => {
  it('keeps the trust, and what a later change is compared with', async () => {
    const here = setting();
    const { editing, one } = here;
    await trustSkill(editing, one, await examineSkill(tree, one));
    const before = digestOf(one);
    fs.writeFileSync(one.file, fs.readFileSync(one.file, 'utf8').replace('Does one.', 'Does two.'));
    expect(await carryTrust(editing, one, { before, after: digestOf(one) })).toBe(true);
    expect(trustedNow(here)).toBe(true);
    const [record] = readTrust(tree, trustFile(editing.dataFolder));
    expect(record && trustDifference(record, await examineSkill(tree, one)).files).toEqual({ added: [], removed: [], changed: [] });
  });

  it('gives none to a skill that had none, or that changed once more', async () => {
    const here = setting();
    const { editing, one } = here;
    const before = digestOf(one);
    fs.appendFileSync(one.file, 'x');
    expect(await carryTrust(editing, one, { before, after: digestOf(one) })).toBe(false);
    await trustSkill(editing, one, await examineSkill(tree, one));
    const trusted = digestOf(one);
    fs.appendFileSync(one.file, 'y');
    const after = digestOf(one);
    fs.appendFileSync(one.file, 'z');
    expect(await carryTrust(editing, one, { before: trusted, after })).toBe(false);
    expect(trustedNow(here)).toBe(false);
  });
});

describe('several at once', () => {
  it('sixteen in one process and eight processes lose none of each other\'s entries', async () => {
    const { editing, skill, root } = setting();
    const folders = Array.from({ length: 16 }, (_, i) => skill(`work/project/.claude/skills/s${i}`));
    const bundle = await rolldown({ input: path.join(import.meta.dirname, 'trust-child.ts'), platform: 'node', external: [/^node:/] });
    await bundle.write({ dir: path.join(root, 'child'), entryFileNames: 'child.mjs', format: 'esm' });
    await bundle.close();
    const children = Array.from({ length: 8 }, (_, i) => run(process.execPath, [path.join(root, 'child/child.mjs'), editing.dataFolder, skill(`work/project/.claude/skills/c${i}`)]));
    const own = folders.map(async (folder, i) => trustSkill(editing, { id: `project:s${i}`, source: 'project', folder }, await examineSkill(tree, { folder, file: path.join(folder, 'SKILL.md') })));
    await Promise.all(own);
    expect((await Promise.all(children)).map(({ code, stderr }) => `${code}${stderr}`)).toEqual(Array.from({ length: 8 }, () => '0'));
    expect(readTrust(tree, trustFile(editing.dataFolder)).length).toBe(24);
    expect(fs.readdirSync(path.join(root, 'home/.skillmint'))).toEqual(['trust.json']);
  });
});

describe('the lock of a file', () => {
  /** A claim as a process of this machine makes it. */
  function claim(file: string, pid: number): void {
    fs.mkdirSync(`${file}.lock`);
    fs.writeFileSync(path.join(`${file}.lock`, ownName('claim').replace(/^claim-\d+-\d+/, `claim-${pid}-0`)), '');
  }

  it('is not taken from a process that lives', async () => {
    const file = path.join(setting().root, 'file');
    claim(file, process.ppid);
    await expect(withFileLock(file, async () => 1, { patience: 100 })).rejects.toMatchObject({ code: 'io', message: `Another process (${process.ppid}) is changing ${file}. Wait until it has ended and try again.` });
  });

  it('of a process that died holds nobody, and lets one in at a time where many find it', async () => {
    const { root } = setting();
    const file = path.join(root, 'file');
    claim(file, spawnSync(process.execPath, ['-e', '']).pid);
    let inside = 0;
    let most = 0;
    await Promise.all(Array.from({ length: 20 }, () => withFileLock(file, async () => {
      most = Math.max(most, (inside += 1));
      await new Promise((resolve) => setTimeout(resolve, 3));
      inside -= 1;
    })));
    expect(most).toBe(1);
    expect(fs.readdirSync(root).filter((name) => name.startsWith('file'))).toEqual([]);
  });
});
