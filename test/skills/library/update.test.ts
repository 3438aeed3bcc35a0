import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { digestSkill } from '../../../src/skills/digest.ts';
import { commitChange } from '../../../src/skills/library/commit-change.ts';
import { editSkill } from '../../../src/skills/library/edit-skill.ts';
import { removeSkill } from '../../../src/skills/library/remove.ts';
import type { SkillUpdate } from '../../../src/skills/library/update.ts';
import { skillMd } from './archives.ts';
import { testLibrary, type TestLibrary } from './library.ts';

async function installed(...names: readonly string[]): Promise<TestLibrary> {
  const lib = testLibrary();
  for (const name of names) {
    lib.write({ [`src/${name}/SKILL.md`]: skillMd(name), [`src/${name}/old.txt`]: 'old', [`src/${name}/same.txt`]: 'same' });
    await lib.install(`./src/${name}`);
  }
  return lib;
}

function digestOf(lib: TestLibrary, name: string): string {
  return digestSkill(localTree(), path.join(lib.skills, name)).digest;
}

it('an update shows the difference first, then replaces the skill as a whole', async () => {
  const lib = await installed('a', 'b');
  fs.rmSync(path.join(lib.root, 'src/a/old.txt'));
  lib.write({ 'src/a/new.txt': 'new', 'src/a/SKILL.md': skillMd('a', 'Does more now.') });
  const before = digestOf(lib, 'a');
  const reviewed: SkillUpdate[] = [];
  await expect(lib.update({ review: async (due) => { reviewed.push(...due); return false; } })).rejects.toMatchObject({ code: 'permission_denied' });
  expect(digestOf(lib, 'a')).toBe(before);
  expect(reviewed).toMatchObject([{ name: 'a', status: 'outdated', diff: { added: ['new.txt'], removed: ['old.txt'], changed: ['SKILL.md'], patch: expect.stringContaining('-description: Does a. Use for a.\n+description: Does more now.') } }]);
  expect(await lib.update({ check: true })).toMatchObject([{ name: 'a', status: 'outdated', updated: false }, { name: 'b', status: 'current' }]);
  expect(digestOf(lib, 'a')).toBe(before);
  expect(await lib.update()).toMatchObject([{ name: 'a', status: 'outdated', updated: true }, { name: 'b', status: 'current', updated: false }]);
  expect(lib.contents()).toEqual(['a', 'a/SKILL.md', 'a/new.txt', 'a/same.txt', 'b', 'b/SKILL.md', 'b/old.txt', 'b/same.txt', 'skills.lock.json']);
  expect(lib.lock().skills['a']).toMatchObject({ digest: digestOf(lib, 'a'), installed_at: '1970-01-01T00:00:01.000Z' });
  expect(lib.lock().skills['b']).toMatchObject({ installed_at: '1970-01-01T00:00:00.000Z' });
});

it('a skill that was changed by hand is left alone, unless the change is given up', async () => {
  const lib = await installed('a');
  lib.write({ 'src/a/new.txt': 'new', 'data/skills/a/mine.txt': 'mine' });
  expect(await lib.update()).toMatchObject([{ status: 'changed', updated: false, changed_by_hand: true, diff: { added: ['new.txt'], removed: ['mine.txt'] } }]);
  expect(lib.contents()).toContain('a/mine.txt');
  expect(await lib.update({ replace: true })).toMatchObject([{ status: 'outdated', updated: true }]);
  expect(lib.contents()).not.toContain('a/mine.txt');
  lib.write({ 'data/skills/a/mine.txt': 'mine' });
  expect(await lib.update()).toMatchObject([{ status: 'current', changed_by_hand: true }]);
});

it('one source that is gone is said, and keeps the others from nothing', async () => {
  const lib = await installed('a', 'b');
  fs.rmSync(path.join(lib.root, 'src/a'), { recursive: true });
  lib.write({ 'src/b/new.txt': 'new' });
  expect(await lib.update()).toMatchObject([{ name: 'a', status: 'failed', problem: expect.stringContaining('does not exist') }, { name: 'b', updated: true }]);
  expect(lib.contents()).toContain('a/old.txt');
});

it('of several skills in one source, one that has gone is said and the others are updated', async () => {
  const lib = testLibrary();
  lib.write({ 'repo/skills/a/SKILL.md': skillMd('a'), 'repo/skills/b/SKILL.md': skillMd('b'), 'repo/skills/c/SKILL.md': skillMd('c') });
  await lib.install('./repo');
  fs.rmSync(path.join(lib.root, 'repo/skills/b'), { recursive: true });
  lib.write({ 'repo/skills/a/SKILL.md': skillMd('a', 'New.') });
  expect(await lib.update()).toMatchObject([{ name: 'a', updated: true }, { name: 'b', status: 'failed', problem: expect.stringContaining('holds no skill "b"') }, { name: 'c', status: 'current' }]);
});

it('names that were not installed from a source are an error', async () => {
  const lib = await installed('a');
  lib.write({ 'data/skills/own/SKILL.md': skillMd('own') });
  await expect(lib.update({ names: ['own'] })).rejects.toMatchObject({ code: 'skill_not_found', message: expect.stringContaining('have no source') });
});

it('the person\'s own description survives an update and a frozen install', async () => {
  const lib = await installed('a');
  const { before, after } = await editSkill({ tree: localTree(), library: lib.library, name: 'a', file: 'SKILL.md', description: 'Mine: better' });
  expect([before === after, after === digestOf(lib, 'a'), lib.lock().skills['a']]).toMatchObject([false, true, { digest: after, description: 'Mine: better' }]);
  expect(await lib.update({ check: true })).toMatchObject([{ status: 'current', changed_by_hand: false }]);
  fs.rmSync(path.join(lib.skills, 'a'), { recursive: true });
  await lib.restore();
  expect(digestOf(lib, 'a')).toBe(after);
  lib.write({ 'src/a/SKILL.md': skillMd('a', 'The source has another one.', '# New text') });
  expect(await lib.update()).toMatchObject([{ updated: true }]);
  expect(fs.readFileSync(path.join(lib.skills, 'a/SKILL.md'), 'utf8')).toBe(skillMd('a', '"Mine: better"', '# New text'));
  expect(lib.lock().skills['a']).toMatchObject({ description: 'Mine: better', digest: digestOf(lib, 'a') });
});

it('a link in the place of SKILL.md is not written through', async () => {
  const lib = await installed('a');
  lib.write({ 'secret.md': skillMd('secret') });
  fs.rmSync(path.join(lib.skills, 'a/SKILL.md'));
  fs.symlinkSync(path.join(lib.root, 'secret.md'), path.join(lib.skills, 'a/SKILL.md'));
  await expect(editSkill({ tree: localTree(), library: lib.library, name: 'gone', file: 'SKILL.md', description: 'x' })).rejects.toMatchObject({ code: 'skill_not_found' });
  await expect(editSkill({ tree: localTree(), library: lib.library, name: 'a', file: 'SKILL.md', description: 'x' })).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('is a link to') });
  expect(fs.readFileSync(path.join(lib.root, 'secret.md'), 'utf8')).toBe(skillMd('secret'));
});

it('removing takes folder and entry, of a link the link alone', async () => {
  const lib = await installed('a', 'b');
  lib.write({ 'mine/SKILL.md': skillMd('mine') });
  fs.symlinkSync(path.join(lib.root, 'mine'), path.join(lib.skills, 'mine'));
  await removeSkill(lib.library, 'a');
  await removeSkill(lib.library, 'mine');
  expect(fs.readdirSync(lib.skills)).toEqual(['b', 'skills.lock.json']);
  expect(Object.keys(lib.lock().skills)).toEqual(['b']);
  expect(fs.existsSync(path.join(lib.root, 'mine/SKILL.md'))).toBe(true);
  await expect(removeSkill(lib.library, 'a')).rejects.toMatchObject({ code: 'skill_not_found' });
});

it('a step that fails takes back those before it', async () => {
  const lib = await installed('a', 'b');
  const workspace = path.join(lib.root, 'workspace');
  lib.write({ 'workspace/new/a/SKILL.md': skillMd('a', 'New.'), 'workspace/new/b/SKILL.md': skillMd('b', 'New.'), 'workspace/new/c/SKILL.md': skillMd('c'), 'data/skills/c/SKILL.md/no-file': '' });
  const place = { folder: lib.skills, data: path.join(lib.root, 'data') };
  const before = [lib.contents(), lib.lock(), digestOf(lib, 'a'), digestOf(lib, 'b')];
  const put = [{ name: 'a', replaces: true }];
  await expect(commitChange(place, workspace, { put, drop: [], rewrite: [{ name: 'b', file: 'SKILL.md' }, { name: 'c', file: 'SKILL.md' }], lock: { a: null, b: null } })).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('Nothing was changed') });
  expect([lib.contents(), lib.lock(), digestOf(lib, 'a'), digestOf(lib, 'b')]).toEqual(before);
  const blocked = { put: [], drop: [], rewrite: [{ name: 'b', file: 'SKILL.md' }], lock: { b: null } };
  fs.mkdirSync(path.join(workspace, 'skills.lock.json'));
  await expect(commitChange(place, workspace, blocked)).rejects.toMatchObject({ code: 'io' });
  expect([lib.contents(), lib.lock(), digestOf(lib, 'a'), digestOf(lib, 'b')]).toEqual(before);
});
