import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { digestSkill } from '../../../src/skills/digest.ts';
import { asNobody, withoutAnotherUser } from '../../helpers/another-user.ts';
import { skillMd, tgzOf, zipOf } from './archives.ts';
import { testLibrary, type TestLibrary } from './library.ts';

const refusal = (says: string | RegExp, code = 'install_refused') => ({ code, message: typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says) });

async function zipped(lib: TestLibrary, files: Parameters<typeof zipOf>[0], name = 'skills.zip'): Promise<string> {
  return lib.write({ [name]: await zipOf(files) });
}

describe('an installation', () => {
  it('puts all skills of an archive into place with their entries in the lock file, and keeps the archive', async () => {
    const lib = testLibrary();
    const file = await zipped(lib, { 'alpha/SKILL.md': skillMd('alpha'), 'alpha/scripts/run.sh': { data: 'id\n', mode: 0o755 }, 'beta/SKILL.md': skillMd('beta') });
    const { installed, notes, provenance } = await lib.install(file);
    expect(installed.map(({ name, id, replaced, files, warnings }) => ({ name, id, replaced, files, warnings }))).toEqual([
      { name: 'alpha', id: 'user:alpha', replaced: false, files: 2, warnings: [] },
      { name: 'beta', id: 'user:beta', replaced: false, files: 1, warnings: [] },
    ]);
    expect({ notes, provenance }).toEqual({ notes: [], provenance: { source: file, kind: 'zip' } });
    expect(lib.contents()).toEqual(['alpha', 'alpha/SKILL.md', 'alpha/scripts', 'alpha/scripts/run.sh', 'beta', 'beta/SKILL.md', 'skills.lock.json']);
    const { version, skills } = lib.lock();
    expect({ version, names: Object.keys(skills) }).toEqual({ version: 1, names: ['alpha', 'beta'] });
    expect(skills['alpha']).toMatchObject({ source: file, kind: 'zip', path: 'alpha', digest: digestSkill(localTree(), path.join(lib.skills, 'alpha')).digest, installed_at: '1970-01-01T00:00:00.000Z' });
    expect(Object.keys(skills['alpha']?.['files'] ?? {})).toEqual(['SKILL.md', 'scripts/run.sh']);
    expect(fs.existsSync(file)).toBe(true);
  });

  it('takes some skills of a source, by name or folder, and says what there is for a name that is not', async () => {
    const lib = testLibrary();
    const file = await zipped(lib, { 'r/skills/one/SKILL.md': skillMd('one'), 'r/skills/two-folder/SKILL.md': skillMd('two'), 'r/skills/three/SKILL.md': skillMd('three') });
    await expect(lib.install(file, { pick: [{ name: 'tree' }] })).rejects.toMatchObject(refusal('did you mean three?', 'skill_not_found'));
    expect(lib.contents()).toEqual([]);
    await lib.install(file, { pick: [{ name: 'one' }, { name: 'two-folder' }] });
    expect(fs.readdirSync(lib.skills)).toEqual(['one', 'skills.lock.json', 'two']);
  });

  it('tried out changes nothing and says what would come', async () => {
    const lib = testLibrary();
    const file = await zipped(lib, { 'pdf/SKILL.md': skillMd('pdf') });
    expect((await lib.install(file, { dryRun: true })).installed).toMatchObject([{ name: 'pdf', folder: path.join(lib.skills, 'pdf'), replaced: false }]);
    expect(fs.readdirSync(lib.root)).toEqual(['skills.zip']);
    await lib.install(file);
    await expect(lib.install(file, { dryRun: true })).rejects.toMatchObject(refusal('is already in', 'skill_exists'));
    expect((await lib.install(file, { dryRun: true, replace: true })).installed).toMatchObject([{ replaced: true }]);
  });

  it('names the folder by the skill\'s own name, else by the folder it had, and warns', async () => {
    const lib = testLibrary();
    const file = await zipped(lib, {
      'a/SKILL.md': skillMd('docx'),
      'plain-b/SKILL.md': skillMd('PDF Tools'),
      'C Folder/SKILL.md': '---\ndescription: No name is given here.\n---\nText.\n',
    });
    const { installed } = await lib.install(file);
    expect(installed.map(({ name }) => name)).toEqual(['c-folder', 'docx', 'plain-b']);
    expect(installed.map(({ warnings }) => warnings[0])).toEqual([expect.stringContaining('gives no name'), 'its folder was called "a"', expect.stringContaining('"PDF Tools"')]);
    expect(installed.find(({ name }) => name === 'plain-b')?.id).toBe('user:PDF Tools');
  });
});

describe('what cannot be installed is refused with the reason, and nothing changes', () => {
  it.each<[string, Parameters<typeof zipOf>[0], string | RegExp]>([
    ['files at the root', { 'SKILL.md': skillMd('pdf'), 'run.py': 'x' }, /lies at the root of the archive.*Repack it.*zip -r/],
    ['no SKILL.md', { 'docs/readme.md': '# x' }, 'holds no SKILL.md'],
    ['an empty archive', {}, 'holds no SKILL.md'],
    ['two skills of one name', { 'a/SKILL.md': skillMd('pdf'), 'b/SKILL.md': skillMd('pdf', 'Another one.') }, 'two different skills called pdf'],
    ['a name that is a path', { 'pdf/SKILL.md': skillMd('../evil') }, 'is a path'],
    ['an empty SKILL.md', { 'pdf/SKILL.md': '\n' }, 'neither a description nor a body'],
    ['a trap for YAML readers', { 'pdf/SKILL.md': `---\nname: pdf\ndescription: ${'['.repeat(500)}\n---\nx` }, 'nested'],
  ])('%s', async (_, files, says) => {
    const lib = testLibrary();
    await expect(lib.install(await zipped(lib, files))).rejects.toMatchObject(refusal(says));
    expect(fs.readdirSync(lib.root)).toEqual(['skills.zip']);
  });

  it('one broken skill among several is left out with a note, unless it is asked for', async () => {
    const lib = testLibrary();
    const file = await zipped(lib, { 'good/SKILL.md': skillMd('good'), 'bad/SKILL.md': '' });
    await expect(lib.install(file, { pick: [{ name: 'bad' }] })).rejects.toMatchObject(refusal('neither a description nor a body'));
    const { installed, notes } = await lib.install(file);
    expect(installed.map(({ name }) => name)).toEqual(['good']);
    expect(notes).toEqual([expect.stringContaining('the skill in "bad" is refused')]);
  });

  it('a skill that is there is not touched without --replace, and goes as a whole with it (C-A5)', async () => {
    const lib = testLibrary();
    const one = await zipped(lib, { 'pdf/SKILL.md': skillMd('pdf'), 'pdf/old.txt': 'old' }, 'one.zip');
    const two = await zipped(lib, { 'pdf/SKILL.md': skillMd('pdf', 'The second.'), 'new/SKILL.md': skillMd('new') }, 'two.zip');
    await lib.install(one);
    const before = [lib.contents(), lib.lock()];
    await expect(lib.install(two)).rejects.toMatchObject(refusal(/A skill pdf is already in .*--replace/, 'skill_exists'));
    const asked: unknown[] = [];
    await expect(lib.install(two, { replace: true, confirm: async (question) => { asked.push(question); return false; } })).rejects.toMatchObject({ code: 'permission_denied' });
    expect([lib.contents(), lib.lock()]).toEqual(before);
    expect(asked).toEqual([{ names: ['pdf'], folder: lib.skills }]);
    const { installed } = await lib.install(two, { replace: true, confirm: async () => true });
    expect(installed.map(({ name, replaced }) => [name, replaced])).toEqual([['new', false], ['pdf', true]]);
    expect(lib.contents()).toEqual(['new', 'new/SKILL.md', 'pdf', 'pdf/SKILL.md', 'skills.lock.json']);
    expect(lib.lock().skills['pdf']).toMatchObject({ source: two });
  });

  it.each([
    ['no JSON', '{', 'is no JSON'],
    ['of another shape', '[]', 'holds no JSON object'],
    ['of a newer version', '{"version":2,"skills":{}}', /has version 2, which a newer skillmint has written.*Update skillmint/],
    ['without a version', '{"skills":{}}', 'has no "version": 1'],
    ['with an entry that lacks something', '{"version":1,"skills":{"a":{"source":"x"}}}', 'entry "a" that is incomplete'],
    ['with a name that is a path', '{"version":1,"skills":{"../a":{}}}', 'no name of a folder'],
  ])('a lock file that is %s is an error and stays as it is', async (_, text, says) => {
    const lib = testLibrary();
    const file = await zipped(lib, { 'pdf/SKILL.md': skillMd('pdf') });
    const lock = lib.write({ 'data/skills/skills.lock.json': text });
    for (const act of [() => lib.install(file), () => lib.restore(), () => lib.update()]) {
      await expect(act()).rejects.toMatchObject(refusal(says, 'library_invalid'));
      await expect(act()).rejects.toMatchObject(refusal(lock, 'library_invalid'));
    }
    expect(fs.readFileSync(lock, 'utf8')).toBe(text);
    expect(lib.contents()).toEqual(['skills.lock.json']);
  });
});

describe('folders as sources', () => {
  it('a folder is a skill or holds skills, in the usual places first, each once', async () => {
    const lib = testLibrary();
    lib.write({ 'one/SKILL.md': skillMd('one'), 'one/notes.md': 'x', 'one/.git/config': 'x', 'one/.DS_Store': 'x' });
    await lib.install('./one');
    expect(lib.contents()).toEqual(['one', 'one/SKILL.md', 'one/notes.md', 'skills.lock.json']);
    lib.write({ 'repo/skills/pdf/SKILL.md': skillMd('pdf'), 'repo/.claude/skills/pdf/SKILL.md': skillMd('pdf'), 'repo/template/SKILL.md': skillMd('template'), 'repo/README.md': 'x', 'repo/plugins/p/skills/tool/SKILL.md': skillMd('tool') });
    const { installed, notes } = await lib.install('./repo');
    expect(installed.map(({ name }) => name).sort()).toEqual(['pdf', 'tool']);
    expect(notes).toEqual([expect.stringMatching(/^left out.*: template; take one by --skill$/)]);
    expect((await lib.install('./repo', { pick: [{ name: 'template' }] })).installed).toMatchObject([{ name: 'template' }]);
  });

  it('a link inside is followed, one out of the folder, to nowhere or in a circle is refused', async () => {
    const lib = testLibrary();
    lib.write({ 'outside/secret.txt': 'secret', 'repo/shared/ref.md': 'shared', 'repo/skills/a/SKILL.md': skillMd('a') });
    const link = path.join(lib.root, 'repo/skills/a/link');
    const tryLink = async (target: string): Promise<unknown> => {
      fs.rmSync(link, { force: true });
      fs.symlinkSync(target, link);
      return lib.install('./repo', { replace: true });
    };
    await tryLink('../../shared');
    expect(fs.lstatSync(path.join(lib.skills, 'a/link')).isDirectory()).toBe(true);
    expect(fs.readFileSync(path.join(lib.skills, 'a/link/ref.md'), 'utf8')).toBe('shared');
    await expect(tryLink('../../../outside/secret.txt')).rejects.toMatchObject(refusal('"link" leads out of the source'));
    await expect(tryLink('/etc')).rejects.toMatchObject(refusal('"link" leads out of the source'));
    await expect(tryLink('nowhere')).rejects.toMatchObject(refusal('"link" leads nowhere'));
    await expect(tryLink('..')).rejects.toMatchObject(refusal('leads back to a folder above it'));
    expect(fs.existsSync(path.join(lib.skills, 'a/link/ref.md'))).toBe(true);
  });

  it('a tar packed with gzip installs as a zip does', async () => {
    const lib = testLibrary();
    const file = lib.write({ 'a.tar.gz': tgzOf([{ path: './', type: 'Directory' }, { path: './pdf/', type: 'Directory' }, { path: './pdf/SKILL.md', data: skillMd('pdf') }]) });
    expect((await lib.install(file)).installed).toMatchObject([{ name: 'pdf' }]);
    expect((await lib.update({ check: true }))).toMatchObject([{ status: 'current' }]);
  });

  it.skipIf(withoutAnotherUser)('a folder or file that cannot be read is an error', async () => {
    const lib = testLibrary();
    lib.write({ 'a/SKILL.md': skillMd('a'), 'a/sub/x.txt': 'x' });
    fs.chmodSync(path.join(lib.root, 'a/sub'), 0o000);
    fs.chmodSync(lib.root, 0o777);
    await asNobody(() => expect(lib.install('./a')).rejects.toMatchObject(refusal(/could not be unpacked|cannot/, 'io')));
  });
});

describe('where skills are put', () => {
  it('the person\'s own folder may be a link, and that of a project must not lead out of it', async () => {
    const lib = testLibrary();
    const file = await zipped(lib, { 'pdf/SKILL.md': skillMd('pdf') });
    fs.mkdirSync(path.join(lib.root, 'elsewhere'));
    fs.mkdirSync(path.join(lib.root, 'data'));
    fs.symlinkSync('../elsewhere', lib.skills);
    await lib.install(file);
    expect(fs.existsSync(path.join(lib.root, 'elsewhere/pdf/SKILL.md'))).toBe(true);

    const project = path.join(lib.root, 'project');
    fs.mkdirSync(path.join(project, '.skillmint'), { recursive: true });
    fs.mkdirSync(path.join(lib.root, 'target'));
    fs.symlinkSync(path.join(lib.root, 'target'), path.join(project, '.skillmint/skills'));
    const library = { scope: 'project', folder: path.join(project, '.skillmint/skills'), data: path.join(lib.root, 'data'), within: project };
    await expect(lib.install(file, { library })).rejects.toMatchObject(refusal(/leads to .*target, outside of/, 'path_refused'));
    fs.rmSync(path.join(project, '.skillmint'), { recursive: true });
    fs.symlinkSync(path.join(lib.root, 'target'), path.join(project, '.skillmint'));
    await expect(lib.install(file, { library })).rejects.toMatchObject(refusal('outside of', 'path_refused'));
    expect(fs.readdirSync(path.join(lib.root, 'target'))).toEqual([]);
  });

  it('a link in the place of a skill is replaced; what it leads to stays', async () => {
    const lib = testLibrary();
    const file = await zipped(lib, { 'pdf/SKILL.md': skillMd('pdf') });
    lib.write({ 'mine/SKILL.md': skillMd('pdf', 'My own.'), 'data/skills/x': '' });
    fs.symlinkSync(path.join(lib.root, 'mine'), path.join(lib.skills, 'pdf'));
    await lib.install(file, { replace: true });
    expect(fs.lstatSync(path.join(lib.skills, 'pdf')).isDirectory()).toBe(true);
    expect(fs.readFileSync(path.join(lib.root, 'mine/SKILL.md'), 'utf8')).toContain('My own.');
  });

  it('sources inside of a project are named from there', async () => {
    const lib = testLibrary();
    const library = { scope: 'project', folder: path.join(lib.root, '.skillmint/skills'), data: path.join(lib.root, 'data'), within: lib.root };
    lib.write({ 'src/pdf/SKILL.md': skillMd('pdf') });
    await lib.install('./src/pdf', { library });
    const lock: unknown = JSON.parse(fs.readFileSync(path.join(library.folder, 'skills.lock.json'), 'utf8'));
    expect(lock).toMatchObject({ skills: { pdf: { source: './src/pdf', kind: 'folder' } } });
  });
});
