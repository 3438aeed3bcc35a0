import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { digestSkill } from '../../../src/skills/digest.ts';
import { isOfferable } from '../../../src/skills/discover/skill-entry.ts';
import { readBody } from '../../../src/skills/discover/read-entry.ts';
import { resolveSkill } from '../../../src/skills/discover/resolve-skill.ts';
import { listSkillFiles } from '../../../src/skills/files.ts';
import { entryOf, makePlace, type Place } from '../place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const CACHE = 'home/.claude/plugins/cache/market/tool/1.0.0';
const AGENT = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';

/** What was found: ids and statuses, and the messages of problems. */
async function found(): Promise<{ readonly ids: readonly string[]; readonly problems: readonly string[] }> {
  const { entries, problems } = await place.discover();
  return { ids: entries.map((entry) => `${entry.id}${entry.status === 'loaded' ? '' : ` ${entry.status}`}`), problems: problems.map(({ path: at, message }) => `${path.relative(place.root, at)}: ${message}`) };
}

const manifest = (value: unknown, at = `${CACHE}/.claude-plugin/plugin.json`): string => place.write(at, typeof value === 'string' ? value : JSON.stringify(value));

describe('a plugin of the Claude layout', () => {
  it('has skills in the usual place, where its manifest says, and beside it; its commands are for people alone', async () => {
    manifest({ name: 'tool', version: '1.0.0', skills: ['./more', './single/one'], description: 'x', author: { name: 'a' }, repository: 'r', keywords: ['k'], defaultEnabled: true });
    for (const at of ['skills/usual', 'more/second', 'single/one', 'single/other', 'elsewhere/none']) place.skill(`${CACHE}/${at}`);
    place.skill(CACHE, { name: 'root-skill' });
    place.write(`${CACHE}/commands/deploy.md`, 'Deploy it.\n');
    place.write(`${CACHE}/commands/db/migrate.md`, '---\ndescription: Migrates.\nargument-hint: "[name]"\n---\nGo.\n');
    expect(await found()).toEqual({ ids: ['plugin:tool:root-skill', 'plugin:tool:usual', 'plugin:tool:second', 'plugin:tool:one', 'plugin:tool:deploy', 'plugin:tool:db:migrate'], problems: [] });
    const catalogue = await place.discover();
    expect(catalogue.entries.map((entry) => entry.pluginRoot)).toEqual(catalogue.entries.map(() => path.join(place.root, CACHE)));
    expect(resolveSkill(catalogue, '/tool:deploy')).toMatchObject({ kind: 'found', entry: { id: 'plugin:tool:deploy', description: 'Deploy it.' } });
  });

  it('has commands only where its manifest names some', async () => {
    manifest({ name: 'tool', commands: ['./extra', './one.md'] });
    for (const file of ['commands/usual.md', 'extra/a.md', 'one.md']) place.write(`${CACHE}/${file}`, 'Do it.\n');
    expect((await found()).ids).toEqual(['plugin:tool:a', 'plugin:tool:one']);
    manifest({ name: 'tool', commands: { a: { source: './one.md' } } });
    expect((await found()).ids).toEqual(['plugin:tool:one']);
  });

  it('says on its skills which fields mean nothing', async () => {
    manifest({ name: 'tool', colour: 'blue' });
    place.skill(`${CACHE}/skills/usual`);
    expect(entryOf(await place.discover(), 'plugin:tool:usual').diagnostics).toContainEqual(expect.objectContaining({ code: 'plugin-field', severity: 'warning', message: expect.stringContaining('"colour"') }));
  });

  it.each([
    ['{"name":', 'it is not valid JSON'],
    ['[]', 'it holds no JSON object'],
    [{ version: '1' }, 'the required field "name" is missing'],
    [{ name: 7 }, 'the field "name" has a value that it cannot have'],
    [{ name: 'tool', skills: { a: 1 } }, 'the field "skills" has a value'],
    [{ name: 'tool', commands: [1] }, 'the field "commands" has a value'],
    [{ name: 'tool', keywords: 'k' }, 'the field "keywords" has a value'],
  ])('is a problem as a whole, and no crash, for %j; others stay', async (value, message) => {
    manifest(value);
    place.skill(`${CACHE}/skills/usual`);
    place.skill('home/.claude/plugins/cache/market/fine/1.0.0/skills/good');
    expect(await found()).toEqual({ ids: ['plugin:fine:good'], problems: [expect.stringMatching(new RegExp(`plugin\\.json: ${message}.*this plugin is left out`))] });
  });

  it.each(['../outside', '/etc', 'skills/../../x', 'C:\\x', '~/x', './link', './none'])('is confined: the path %j is a problem, and the rest counts', async (evil) => {
    manifest({ name: 'tool', skills: [evil] });
    place.skill(`${CACHE}/skills/usual`);
    place.skill('home/.claude/plugins/cache/market/tool/outside/evil');
    fs.symlinkSync(place.skill('away/evil'), path.join(place.root, CACHE, 'link'));
    expect(await found()).toEqual({ ids: ['plugin:tool:usual'], problems: [expect.stringContaining(JSON.stringify(evil))] });
  });

  it('does not reach through links to what lies outside of it', async () => {
    place.skill(`${CACHE}/skills/usual`);
    fs.symlinkSync(place.skill('away/evil'), path.join(place.root, CACHE, 'skills/evil'));
    expect(await found()).toEqual({ ids: ['plugin:tool:usual'], problems: [expect.stringContaining('outside of its plugin')] });
  });
});

describe('a plugin of Agent Plugins 1.0', () => {
  it('has the skills directly in skills/ and no others', async () => {
    manifest({ $schema: AGENT, name: 'tool', version: '1.0.0', extensions: { 'com.example': {} } }, `${CACHE}/plugin.json`);
    for (const at of ['skills/good', 'skills/group/nested', 'other/none']) place.skill(`${CACHE}/${at}`);
    place.skill(CACHE, { name: 'root-skill' });
    place.write(`${CACHE}/commands/deploy.md`, 'Deploy.\n');
    place.write(`${CACHE}/skills/notes.md`, 'text');
    expect(await found()).toEqual({ ids: ['plugin:tool:good'], problems: [] });
  });

  it('has a name in its form, and fields of a closed set', async () => {
    manifest({ $schema: AGENT, name: 'Tool!' }, `${CACHE}/plugin.json`);
    place.skill(`${CACHE}/skills/good`);
    expect((await found()).problems).toEqual([expect.stringContaining('the field "name" has a value that it cannot have')]);
    manifest({ $schema: AGENT, name: 'tool', skills: ['./other'] }, `${CACHE}/plugin.json`);
    expect((await found()).ids).toEqual(['plugin:tool:good']);
    expect(entryOf(await place.discover(), 'plugin:tool:good').diagnostics).toContainEqual(expect.objectContaining({ code: 'plugin-field', message: expect.stringContaining('"skills"') }));
  });

  it('is told from other files called plugin.json', async () => {
    manifest({ name: 7, kind: 'something else' }, `${CACHE}/plugin.json`);
    place.skill(`${CACHE}/skills/good`);
    expect(await found()).toEqual({ ids: ['plugin:tool:good'], problems: [] });
  });
});

describe('a plugin among the skills of a person or project', () => {
  it('keeps their source, brings its commands under its name, and is entered where its manifest says', async () => {
    const at = 'home/.claude/skills/kit';
    manifest({ name: 'kit', skills: './more' }, `${at}/.claude-plugin/plugin.json`);
    place.skill(at, { name: 'kit' });
    for (const name of ['skills/a', 'more/b', 'test/fixtures/c']) place.skill(`${at}/${name}`);
    place.write(`${at}/commands/go.md`, 'Go.\n');
    place.skill('home/.claude/skills/plain');
    expect((await found()).ids.toSorted()).toEqual(['user:a', 'user:b', 'user:kit', 'user:kit:go', 'user:plain']);
    const catalogue = await place.discover();
    expect([entryOf(catalogue, 'user:a').pluginRoot, entryOf(catalogue, 'user:plain').pluginRoot]).toEqual([path.join(place.root, at), undefined]);
  });

  it('is none for a marketplace that was put there', async () => {
    place.write('home/.claude/skills/shop/.claude-plugin/marketplace.json', '{}');
    place.skill('home/.claude/skills/shop/plugins/x/skills/deep');
    expect((await found()).ids).toEqual(['user:deep']);
  });
});

describe('commands of a person or project', () => {
  it('are skills called as their file is, after the folders that they lie in; only people can call them', async () => {
    place.write('work/project/.claude/commands/deploy.md', '---\nname: other\ndescription: Deploys it.\nallowed-tools: Bash(git push:*)\nuser-invocable: false\n---\nPush to $1.\n');
    place.write('work/project/.claude/commands/db/down/all.md', 'Migrate down.\n');
    place.write('work/project/.claude/commands/notes.txt', 'no command');
    place.write('home/.claude/commands/mine.md', 'Mine.\n');
    expect((await found()).ids).toEqual(['project:deploy', 'project:db:down:all', 'user:mine']);
    const catalogue = await place.discover();
    const deploy = entryOf(catalogue, 'project:deploy');
    expect(deploy).toMatchObject({ name: 'deploy', description: 'Deploys it.', status: 'loaded', diagnostics: [], frontmatter: { allowedTools: ['Bash(git push:*)'], disableModelInvocation: true } });
    expect(catalogue.entries.filter(isOfferable)).toEqual([]);
    expect(await readBody(localTree(), deploy)).toBe('Push to $1.');
    expect(entryOf(catalogue, 'project:db:down:all').description).toBe('Migrate down.');
  });

  it('come after skills of the same name', async () => {
    place.skill('work/project/.claude/skills/deploy');
    place.write('work/project/.claude/commands/deploy.md', 'Deploy.\n');
    expect((await found()).ids).toEqual(['project:deploy', 'project:deploy shadowed']);
  });

  it('have the digest of their own file, whatever lies beside them', async () => {
    place.write('work/project/.claude/commands/a.md', 'A.\n');
    const one = async (): Promise<string | undefined> => entryOf(await place.discover({ digests: true }), 'project:a').digest;
    const first = await one();
    place.write('work/project/.claude/commands/b.md', 'B.\n');
    expect(await one()).toBe(first);
    place.write('work/project/.claude/commands/a.md', 'A!\n');
    expect(await one()).not.toBe(first);
    const { folder } = entryOf(await place.discover(), 'project:a');
    expect([digestSkill(localTree(), folder).digest, listSkillFiles(localTree(), folder).files.map((file) => file.path)]).toEqual([await one(), ['a.md']]);
  });

  it('that are empty, that lead out, or that cannot be read are said, and the rest counts', async () => {
    place.write('work/project/.claude/commands/empty.md', '');
    place.write('work/project/.claude/commands/good.md', 'Good.\n');
    fs.symlinkSync(place.write('away/secret.md', 'Secret.\n'), path.join(place.project, '.claude/commands/out.md'));
    fs.symlinkSync(path.join(place.project, '.claude/commands'), path.join(place.project, '.claude/commands/loop'));
    expect(await found()).toEqual({ ids: ['project:empty rejected', 'project:good'], problems: [expect.stringContaining('out.md: this is a link to')] });
  });

  it('more than 2,000 are not read', async () => {
    for (let i = 0; i < 2_010; i += 1) place.write(`work/project/.claude/commands/c${i}.md`, 'Go.\n');
    const { ids, problems } = await found();
    expect([ids.length, problems]).toEqual([2_000, [expect.stringContaining('more than 2000 commands')]]);
  });
});
