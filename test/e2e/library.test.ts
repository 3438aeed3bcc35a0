import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';
import { startTerminal, withoutTmux } from '../cli/terminal.ts';
import { zipOf, skillMd } from '../skills/library/archives.ts';
import { makePlace, oneLineOf, run, writeSettings, writeSkill, type Place } from './program.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});

const skills = (args: readonly string[], options?: Parameters<typeof run>[2]) => run(place, ['skills', ...args], options);
const installed = (...parts: readonly string[]): string => path.join(place.data, 'skills', ...parts);

async function json(args: readonly string[], options?: Parameters<typeof run>[2]): Promise<unknown> {
  const { stdout, stderr } = await skills([...args, '--json'], options);
  try {
    const value: unknown = JSON.parse(stdout);
    return value;
  } catch (error) {
    throw new Error(`no JSON: ${stdout} ${stderr}`, { cause: error });
  }
}

const verdict = async (name: string): Promise<unknown> => json(['trust', '--list', name]);

describe('what cannot be done ends with one line and its exit code', () => {
  it.each<[string, readonly string[], number, string]>([
    ['no source', ['install'], 2, 'There is no source'],
    ['a source that is none', ['install', 'pdf'], 2, 'write ./pdf for a folder'],
    ['a source that is gone', ['install', './none'], 5, 'does not exist'],
    ['a source with --frozen', ['install', './x', '--frozen'], 2, 'leave out the source'],
    ['an unknown scope', ['install', './x', '--scope', 'world'], 2, 'world'],
    ['an address on this machine', ['install', 'https://127.0.0.1/a.zip'], 6, 'network.allow'],
    ['an address that runs commands', ['install', 'ext::sh -c id'], 6, 'refused'],
    ['an unknown skill to remove', ['remove', 'none', '--yes'], 5, 'There is no skill "none"'],
    ['a bundled skill to remove', ['remove', 'orders-report', '--yes'], 6, 'skills disable bundled:orders-report'],
    ['a bundled skill to edit', ['edit', 'orders-report', '--description', 'x'], 6, 'it comes with skillmint'],
    ['an unknown skill to edit', ['edit', 'none', '--description', 'x'], 5, 'There is no skill "none"'],
    ['an empty description', ['edit', 'orders-report', '--description', ' '], 2, 'The description is empty'],
    ['an unknown skill to switch off', ['disable', 'none'], 5, 'There is no skill "none"'],
    ['a skill that was not installed to update', ['update', 'none'], 5, 'has no skill "none"'],
    ['a skill without a name', ['create'], 2, 'Give the skill a name'],
    ['a skill without a description', ['create', 'x'], 2, '--description'],
    ['a skill with a bad name', ['create', 'X y', '--description', 'x'], 2, 'is no name for a skill'],
    ['two ways to write a skill', ['create', 'x', '--description', 'x', '--prompt', 'y'], 2, 'leave out --description'],
    ['a model that would write nothing', ['create', 'x', '--description', 'x', '--model', 'fake/m'], 2, '--model goes with --prompt'],
    ['instructions that are not there', ['create', 'x', '--description', 'x', '--instructions', './none'], 2, 'cannot be read'],
  ])('%s', async (_, args, code, says) => {
    const ended = await skills(args);
    expect({ code: ended.code, stdout: ended.stdout, line: oneLineOf(ended) }).toEqual({ code, stdout: '', line: expect.stringContaining(says) });
    expect(fs.readdirSync(place.data).filter((name) => name !== 'cache')).toEqual([]);
  });

  it('every command has help with an example', async () => {
    for (const command of ['list', 'search', 'show', 'why', 'validate', 'install', 'update', 'remove', 'enable', 'disable', 'edit', 'create', 'trust', 'pack', 'unpack']) {
      const { code, stdout } = await skills([command, '--help']);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(new RegExp(`Examples?:\n  skillmint skills ${command}`)) });
    }
  });
});

describe('a skill from its installation to its removal', () => {
  it('is installed, listed, edited, switched off and on, and removed', async () => {
    const file = path.join(place.root, 'pdf.zip');
    fs.writeFileSync(file, await zipOf({ 'pdf/SKILL.md': skillMd('pdf'), 'pdf/scripts/run.sh': { data: 'id', mode: 0o755 } }));
    expect(await json(['install', file, '--dry-run'])).toMatchObject({ installed: [{ id: 'user:pdf' }], dry_run: true });
    expect(fs.existsSync(installed())).toBe(false);
    const { code, stdout, stderr } = await skills(['install', file]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^installed {2}user:pdf {2}Does pdf/), stderr: expect.stringMatching(/^It is not trusted yet.*skillmint skills trust pdf\n$/) });
    expect(await json(['list'])).toMatchObject({ skills: expect.arrayContaining([expect.objectContaining({ id: 'user:pdf', status: 'loaded', path: installed('pdf', 'SKILL.md') })]) });
    expect((await skills(['install', file])).code).toBe(6);
    expect(await json(['install', file, '--replace'])).toMatchObject({ installed: [{ name: 'pdf', replaced: true }], scope: 'user', provenance: { kind: 'zip' }, trusted: false });

    expect(await json(['edit', 'pdf', '--description', 'Reads: PDF files.'])).toMatchObject({ id: 'user:pdf', digest: expect.stringMatching(/^sha256:/), digest_before: expect.stringMatching(/^sha256:/) });
    expect(fs.readFileSync(installed('pdf', 'SKILL.md'), 'utf8')).toBe(skillMd('pdf', '"Reads: PDF files."'));
    expect((await skills(['install', '--frozen'])).stderr).toContain('1 was as locked already');

    expect((await skills(['disable', 'pdf'])).code).toBe(0);
    expect((await skills(['list'])).stdout).toContain('hidden    user:pdf');
    expect((await skills(['enable', 'pdf'])).code).toBe(0);
    expect((await skills(['list'])).stdout).toContain('loaded    user:pdf');

    const asked = await skills(['remove', 'pdf']);
    expect({ code: asked.code, line: oneLineOf(asked) }).toEqual({ code: 6, line: expect.stringContaining('needs --yes') });
    expect(await json(['remove', 'pdf', '--yes'])).toMatchObject({ removed: { id: 'user:pdf', folder: installed('pdf') } });
    expect(fs.readdirSync(installed())).toEqual(['skills.lock.json']);
  });

  it('in a project belongs to the project, and is removed there only when that is said', async () => {
    const source = writeSkill(path.join(place.project, 'src'), { name: 'tool' });
    expect((await skills(['install', './src/tool', '--scope', 'project'])).code).toBe(0);
    expect(JSON.parse(fs.readFileSync(path.join(place.project, '.skillmint/skills/skills.lock.json'), 'utf8'))).toMatchObject({ skills: { tool: { source: './src/tool' } } });
    expect(oneLineOf(await skills(['remove', 'tool', '--yes']))).toContain('--scope project');
    fs.appendFileSync(path.join(source, 'SKILL.md'), 'More.\n');
    const unasked = await skills(['update', '--scope', 'project']);
    expect({ code: unasked.code, stdout: unasked.stdout, stderr: unasked.stderr }).toEqual({ code: 6, stdout: expect.stringContaining('+More.'), stderr: expect.stringContaining('an update needs --yes') });
    expect(await json(['update', '--scope', 'project', '--check'])).toMatchObject({ skills: [{ name: 'tool', status: 'outdated', updated: false }] });
    expect((await skills(['update', 'project:tool', '--scope', 'project', '--yes'])).stderr).toContain('tool: updated');
    fs.appendFileSync(path.join(source, 'SKILL.md'), 'Still more.\n');
    fs.writeFileSync(path.join(place.project, '.skillmint/skills/tool/mine.txt'), 'x');
    const mine = await skills(['update', '--scope', 'project', '--yes']);
    expect({ code: mine.code, stderr: mine.stderr }).toEqual({ code: 6, stderr: expect.stringContaining('changed by hand; say --replace') });
    fs.rmSync(source, { recursive: true });
    expect(await skills(['update', '--scope', 'project', '--yes'])).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be looked at') });
    expect((await skills(['remove', 'tool', '--scope', 'project', '--yes'])).code).toBe(0);
  });

  it('of another program\'s folder is removed with consent, one that a variable or a setting names is not', async () => {
    const folder = writeSkill(path.join(place.home, '.claude', 'skills'), { name: 'theirs' });
    const named = path.join(place.root, 'named');
    const set = path.join(place.root, 'set');
    for (const [root, name] of [[named, 'from-env'], [set, 'from-setting']] as const) writeSkill(root, { name });
    writeSettings(place, { skills: { paths: [set] } });
    expect(oneLineOf(await skills(['remove', 'from-env', '--yes'], { env: { SKILLMINT_SKILLS_PATH: named } }))).toContain('an environment variable names');
    expect(oneLineOf(await skills(['remove', 'from-setting', '--yes']))).toContain('the setting skills.paths');
    expect((await skills(['remove', 'theirs', '--yes'])).code).toBe(0);
    expect([fs.existsSync(folder), fs.readdirSync(path.join(place.home, '.claude', 'skills'))]).toEqual([false, []]);
  });

  it('what a project switches off is not switched on behind its back', async () => {
    fs.mkdirSync(path.join(place.project, '.skillmint'));
    fs.writeFileSync(path.join(place.project, '.skillmint/config.json'), JSON.stringify({ skills: { enabled: { 'bundled:orders-report': false } } }));
    expect(await skills(['enable', 'orders-report'])).toMatchObject({ code: 6, stderr: expect.stringContaining('.skillmint/config.json') });
  });
});

it('of a thousand skills one that is broken is named, and the others are there (C-M2)', async () => {
  for (let i = 0; i < 1_000; i += 1) writeSkill(installed(), { name: `skill-${i}` });
  fs.writeFileSync(installed('skill-500', 'SKILL.md'), '');
  fs.mkdirSync(installed('.skillmint-work', 'op-1-1-000000000000-0000000000000000', 'new', 'half'), { recursive: true });
  writeSkill(installed('.skillmint-work', 'op-1-1-000000000000-0000000000000000', 'new'), { name: 'half' });
  const listing = await json(['list']);
  const from = performance.now();
  expect(await json(['list'])).toEqual(listing);
  expect(performance.now() - from).toBeLessThan(2_000);
  const all = isObject(listing) && Array.isArray(listing['skills']) ? listing['skills'].filter(isObject).filter((skill) => skill['source'] === 'user') : [];
  expect(all).toHaveLength(1_000);
  expect(all.filter((skill) => skill['status'] !== 'loaded')).toMatchObject([{ name: 'skill-500', status: 'rejected', path: installed('skill-500', 'SKILL.md'), reason: expect.any(String) }]);
});

describe('trust in the library', () => {
  it('stays through an edit of the description, and with the same content through a removal', async () => {
    const source = writeSkill(place.root, { name: 'pdf' });
    expect(await json(['install', source])).toMatchObject({ trusted: false });
    expect((await skills(['edit', 'pdf', '--description', 'Not trusted before.'])).code).toBe(0);
    expect(await verdict('pdf')).toMatchObject({ skills: [{ trusted: false, why: 'never trusted' }] });
    expect((await skills(['trust', 'pdf', '--yes'])).code).toBe(0);
    expect((await skills(['edit', 'pdf', '--description', 'Reads PDF files.'])).code).toBe(0);
    expect(await verdict('pdf')).toMatchObject({ skills: [{ trusted: true, why: 'you have trusted this content' }] });

    fs.writeFileSync(path.join(source, 'SKILL.md'), fs.readFileSync(installed('pdf', 'SKILL.md')));
    expect((await skills(['remove', 'pdf', '--yes'])).code).toBe(0);
    const again = await skills(['install', source]);
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await verdict('pdf')).toMatchObject({ skills: [{ trusted: true }] });
    fs.appendFileSync(path.join(source, 'SKILL.md'), 'More.\n');
    expect((await skills(['remove', 'pdf', '--yes'])).code).toBe(0);
    expect((await skills(['install', source])).stderr).toContain('not trusted yet');
    expect(await verdict('pdf')).toMatchObject({ skills: [{ trusted: false, why: 'changed since it was trusted' }] });
  });

  it('of several is asked for with one command, as it is typed', async () => {
    const source = path.join(place.root, 'several');
    for (const name of ['pdf', 'Big Tools']) writeSkill(source, { name });
    const { stderr } = await skills(['install', source]);
    expect(stderr).toContain("skillmint skills trust 'Big Tools' pdf\n");
    expect((await skills(['trust', 'Big Tools', 'pdf', '--yes'])).code).toBe(0);
    expect(await verdict('pdf')).toMatchObject({ skills: [{ trusted: true }] });
  });

  it('is there for a skill that the person makes, also in the place of one that was installed', async () => {
    const source = writeSkill(place.root, { name: 'pdf' });
    await json(['install', source]);
    fs.rmSync(installed('pdf'), { recursive: true });
    expect(await json(['create', 'pdf', '--description', 'My own.'])).toMatchObject({ id: 'user:pdf' });
    expect(await verdict('pdf')).toMatchObject({ skills: [{ trusted: true, why: 'it is your own file' }] });
    expect(JSON.parse(fs.readFileSync(installed('skills.lock.json'), 'utf8'))).toMatchObject({ skills: {} });
  });
});

it('skills show tells a person what the fields of a skill say to people', async () => {
  const folder = writeSkill(installed(), { name: 'forms', frontmatter: 'when_to_use: For anything with fields.\nargument-hint: "[file]"\nlicense: MIT\ncompatibility: Needs poppler.\nversion: 1.10\n' });
  fs.mkdirSync(path.join(folder, 'agents'));
  fs.writeFileSync(path.join(folder, 'agents/openai.yaml'), 'interface:\n  display_name: Fill forms\ndependencies:\n  tools:\n    - type: mcp\n      value: figma\n');
  const { code, stdout } = await skills(['show', 'forms']);
  expect(code).toBe(0);
  expect(stdout.split('\n').slice(0, 9)).toEqual(['user:forms (Fill forms)  loaded', 'The skill forms.', 'when to use: For anything with fields.', 'arguments: [file]', 'needs: mcp:figma', 'compatibility: Needs poppler.', 'license: MIT', 'version: 1.10', path.join(folder, 'SKILL.md')]);
});

describe('new skills', () => {
  it('are made where the setting says, with instructions from standard input', async () => {
    const folder = path.join(place.root, 'mine');
    writeSettings(place, { skills: { createIn: folder } });
    const made = await skills(['create', 'monthly-report', '--description', 'Makes reports.', '--instructions', '-'], { input: '# Do it\n' });
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`add ${folder} to the setting skills.paths`) });
    expect(fs.readFileSync(path.join(folder, 'monthly-report/SKILL.md'), 'utf8')).toBe('---\nname: monthly-report\ndescription: Makes reports.\n---\n\n# Do it\n');
    expect(await json(['create', 'other', '--description', 'x', '--scope', 'project'])).toMatchObject({ id: 'project:other', found: true });
    expect(await skills(['create', 'other', '--description', 'x', '--scope', 'project'])).toMatchObject({ code: 6 });
  });

  it('of your own words are trusted as they were made, in a project too', async () => {
    writeSettings(place, { skills: { createIn: path.join(place.project, 'mine') } });
    for (const scope of [['--scope', 'project'], ['--scope', 'user'], []]) {
      const name = `mine-${scope[1] ?? 'elsewhere'}`;
      expect(await json(['create', name, '--description', 'x', '--instructions', '-', ...scope], { input: 'Now: !`id -u`\n' })).toMatchObject({ name, trusted: true });
    }
    expect(await verdict('mine-project')).toMatchObject({ skills: [{ trusted: true, why: 'you have trusted this content' }] });
    expect(await json(['trust', './mine/mine-elsewhere'])).toMatchObject({ skills: [{ trusted: true, why: 'you have trusted this content' }] });
    fs.appendFileSync(path.join(place.project, '.skillmint/skills/mine-project/SKILL.md'), 'More: !`touch x`\n');
    expect(await verdict('mine-project')).toMatchObject({ skills: [{ trusted: false, why: 'changed since it was trusted' }] });
    fs.writeFileSync(path.join(place.data, 'trust.json'), '{');
    const broken = await skills(['create', 'later', '--description', 'x', '--scope', 'project']);
    expect(oneLineOf(broken)).toMatch(/^skillmint: project:later was made in .*later, but it could not be trusted: .*trust\.json/);
  });
});

describe.skipIf(withoutTmux)('on a terminal', () => {
  it('removing and replacing ask, and no is no', async () => {
    writeSkill(installed(), { name: 'pdf' });
    const no = startTerminal(place, ['skills', 'remove', 'pdf']);
    await no.shows('Remove user:pdf with all files in');
    no.type('n');
    expect(await no.ended()).toBe(6);
    expect(fs.existsSync(installed('pdf'))).toBe(true);
    const source = writeSkill(place.root, { name: 'pdf', description: 'The new one.' });
    const again = (): void => fs.rmSync(path.join(place.root, 'status'));
    again();
    const yes = startTerminal(place, ['skills', 'install', source, '--replace']);
    await yes.shows('Replace pdf in');
    yes.type('y');
    await yes.shows('Look now at what a skill could do, to trust it?');
    yes.type('');
    expect(await yes.ended()).toBe(0);
    expect(fs.readFileSync(installed('pdf', 'SKILL.md'), 'utf8')).toContain('The new one.');
    expect(await json(['trust', '--list', 'pdf'])).toMatchObject({ skills: [{ trusted: false, why: 'never trusted' }] });
    again();
    const trusting = startTerminal(place, ['skills', 'install', source, '--replace']);
    await trusting.shows('Replace pdf in');
    trusting.type('y');
    await trusting.shows('to trust it?');
    trusting.type('y');
    await trusting.shows(/Files that can run[^]*Trust user:pdf as it is now\?/);
    trusting.type('y');
    expect(await trusting.ended()).toBe(0);
    expect(await json(['trust', '--list', 'pdf'])).toMatchObject({ skills: [{ trusted: true, why: 'you have trusted this content' }] });
    fs.writeFileSync(path.join(source, 'new.txt'), 'x');
    again();
    const update = startTerminal(place, ['skills', 'update']);
    await update.shows(/\+ new\.txt[^]*Update pdf\?/);
    update.press('C-c');
    expect(await update.ended()).toBe(130);
    expect(fs.existsSync(installed('pdf', 'new.txt'))).toBe(false);
    expect(fs.readdirSync(installed()).sort()).toEqual(['pdf', 'skills.lock.json']);
  });
});
