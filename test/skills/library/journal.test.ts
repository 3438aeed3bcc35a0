import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { commitChange } from '../../../src/skills/library/commit-change.ts';
import { createSkill } from '../../../src/skills/library/create.ts';
import { editSkill } from '../../../src/skills/library/edit-skill.ts';
import type { SkillLibrary } from '../../../src/skills/library/library-folder.ts';
import { removeSkill } from '../../../src/skills/library/remove.ts';
import { temporaryFolder } from '../../host/temporary-folder.ts';
import { skillMd } from './archives.ts';

/** A workspace of a process on another machine. */
const WORKSPACE = 'op-77-1-aaaaaaaaaaaa-bbbbbbbbbbbbbbbb';

interface Place {
  readonly home: string;
  readonly skills: string;
  readonly library: SkillLibrary;
  readonly workspace: string;
  /** Everything in the home outside of the project, by path. */
  outside(): Readonly<Record<string, string>>;
}

/** A home with a project in it whose folder of skills has what a stranger put there, or a process that died. */
function place(): Place {
  const home = fs.realpathSync(temporaryFolder());
  const project = path.join(home, 'work');
  const skills = path.join(project, '.skillmint', 'skills');
  const workspace = path.join(skills, '.skillmint-work', WORKSPACE);
  write(path.join(home, '.ssh/id'), 'KEY');
  write(path.join(home, '.bashrc'), '# mine\n');
  write(path.join(workspace, 'new/foo/.bashrc'), 'echo PWNED\n');
  write(path.join(workspace, 'new/foo/SKILL.md'), skillMd('foo'));
  const outside = (): Record<string, string> => {
    const files = fs.readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    return Object.fromEntries(files.filter((file) => !file.startsWith(project) && !file.startsWith(path.join(home, 'data'))).map((file) => [file, fs.readFileSync(file, 'utf8')]));
  };
  return { home, skills, workspace, library: { scope: 'project', folder: skills, within: project, data: path.join(home, 'data') }, outside };
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** Two minutes ago: the process that made it counts as dead. */
function age(folder: string): void {
  const then = new Date(Date.now() - 120_000);
  fs.utimesSync(folder, then, then);
}

/** Writes the journal of the workspace as skillmint does. */
function journal({ skills, library }: Place, change: object, more: object = {}): string {
  const file = path.join(library.data, 'library', `${createHash('sha256').update(skills).digest('hex').slice(0, 32)}-${WORKSPACE}.json`);
  write(file, JSON.stringify({ library: skills, workspace: WORKSPACE, change: { put: [], drop: [], rewrite: [], lock: {}, ...change }, ...more }));
  return file;
}

function make({ library }: Place): Promise<unknown> {
  return createSkill(localTree(), library, { name: 'harmless', description: 'A new skill.' });
}

const ATTACKS = [
  ['names with ..', { drop: ['../../../.ssh'], put: [{ name: '../../../.bashrc', replaces: true }] }],
  ['a file in a linked skill folder', { rewrite: [{ name: 'foo', file: '.bashrc' }] }],
  ['a file with a path', { rewrite: [{ name: 'foo', file: '../../../../.bashrc' }] }],
  ['an absolute path', { drop: [path.join('/', 'root-of-all')] }],
  ['a skill that would come into place', { put: [{ name: 'foo', replaces: true }] }],
] as const;

describe('a journal in the folder of skills itself', () => {
  it.each(ATTACKS)('is never obeyed: %s', async (_, change) => {
    const at = place();
    fs.symlinkSync('../../..', path.join(at.skills, 'foo'));
    write(path.join(at.workspace, 'change.json'), JSON.stringify({ put: [], drop: [], rewrite: [], lock: {}, ...change }));
    age(at.workspace);
    const before = at.outside();
    await make(at);
    expect(at.outside()).toEqual(before);
    expect(fs.readdirSync(at.skills).sort()).toEqual(['foo', 'harmless']);
    expect(fs.readlinkSync(path.join(at.skills, 'foo'))).toBe('../../..');
  });
});

describe('a journal in the data folder', () => {
  it.each(ATTACKS.slice(0, 4))('is refused when it leads out of the folder of skills: %s', async (_, change) => {
    const at = place();
    fs.symlinkSync('../../..', path.join(at.skills, 'foo'));
    journal(at, change);
    age(at.workspace);
    const before = at.outside();
    await expect(make(at)).rejects.toMatchObject({ code: 'io', message: expect.stringMatching(/cannot be finished: .*(is no name of a folder|is a link to)/) });
    expect(at.outside()).toEqual(before);
    expect(fs.existsSync(path.join(at.workspace, 'new/foo/SKILL.md'))).toBe(true);
  });

  it('is finished, and then gone', async () => {
    const at = place();
    const file = journal(at, { put: [{ name: 'foo', replaces: false }] });
    age(at.workspace);
    await make(at);
    expect(fs.readdirSync(at.skills).sort()).toEqual(['foo', 'harmless']);
    expect(fs.existsSync(file)).toBe(false);
  });

  it('of another library, or another workspace, is not obeyed', async () => {
    for (const other of [{ library: '/elsewhere' }, { workspace: 'op-1-1-aaaaaaaaaaaa-bbbbbbbbbbbbbbbb' }]) {
      const at = place();
      journal(at, { put: [{ name: 'foo', replaces: false }] }, other);
      age(at.workspace);
      await expect(make(at)).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('is not what skillmint wrote') });
      expect(fs.existsSync(path.join(at.skills, 'foo'))).toBe(false);
    }
  });

  it('goes when its workspace is gone', async () => {
    const at = place();
    const file = journal(at, { drop: ['harmless'] });
    fs.rmSync(path.dirname(at.workspace), { recursive: true });
    await make(at);
    expect([fs.existsSync(file), fs.existsSync(path.join(at.skills, 'harmless'))]).toEqual([false, true]);
  });

  it.each(['new', 'old', 'new/foo', 'old/foo', ''])('does not lead through a link that was put into the workspace since: %j', async (inside) => {
    const at = place();
    write(path.join(at.skills, 'foo/SKILL.md'), skillMd('foo'));
    write(path.join(at.home, 'other/foo/SKILL.md'), 'not yours');
    journal(at, { rewrite: [{ name: 'foo', file: 'SKILL.md' }] });
    const link = path.join(at.workspace, inside);
    fs.rmSync(link, { recursive: true, force: true });
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.join(at.home, inside.includes('/') ? 'other/foo' : 'other'), link);
    age(at.workspace);
    const before = at.outside();
    // A link in the place of the workspace is none: there is nothing to finish.
    await make(at).catch((error: unknown) => expect(error).toMatchObject({ code: 'io', message: expect.stringContaining('is a link to') }));
    expect(at.outside()).toEqual(before);
    expect(fs.readFileSync(path.join(at.skills, 'foo/SKILL.md'), 'utf8')).toBe(skillMd('foo'));
  });

  it('does not write the lock file through a link', async () => {
    const at = place();
    journal(at, { put: [{ name: 'foo', replaces: false }], lock: { foo: { source: 's', kind: 'folder', path: '', digest: 'd', files: {}, installed_at: '' } } });
    fs.symlinkSync(path.join(at.home, '.bashrc'), path.join(at.workspace, 'skills.lock.json'));
    age(at.workspace);
    const before = at.outside();
    await make(at);
    expect(at.outside()).toEqual(before);
    expect(fs.lstatSync(path.join(at.skills, 'skills.lock.json')).isFile()).toBe(true);
  });
});

it('.skillmint-work that is a link is refused, and what it leads to stays', async () => {
  const at = place();
  const all = path.dirname(at.workspace);
  fs.renameSync(all, path.join(at.home, 'elsewhere'));
  fs.symlinkSync(path.join(at.home, 'elsewhere'), all);
  age(path.join(at.home, 'elsewhere', WORKSPACE));
  const before = at.outside();
  await expect(make(at)).rejects.toMatchObject({ code: 'path_refused', message: expect.stringContaining(`${all} is a link to`) });
  expect(at.outside()).toEqual(before);
});

it('names of a change are looked at before anything moves', async () => {
  const at = place();
  const before = at.outside();
  for (const name of ['../../../.ssh', '..', '.', '', 'a/b', '.hidden']) {
    await expect(commitChange({ folder: at.skills, data: at.library.data }, at.workspace, { put: [], drop: [name], rewrite: [], lock: {} })).rejects.toMatchObject({ code: 'path_refused' });
  }
  expect(at.outside()).toEqual(before);
});

it('a skill whose folder is a link is not edited through it, and removing it takes the link', async () => {
  const at = place();
  write(path.join(at.home, 'other/SKILL.md'), skillMd('other'));
  fs.symlinkSync(path.join(at.home, 'other'), path.join(at.skills, 'other'));
  const before = at.outside();
  await expect(editSkill({ tree: localTree(), library: at.library, name: 'other', file: 'SKILL.md', description: 'x' })).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('is a link to') });
  await removeSkill(at.library, 'other');
  expect(at.outside()).toEqual(before);
  expect(fs.existsSync(path.join(at.skills, 'other'))).toBe(false);
});
