import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localTree } from '../../src/host/local-tree.ts';
import { discoverSkills, listSummaries, startScan } from '../../src/skills/discover/discover-skills.ts';
import { newestVersion } from '../../src/skills/discover/plugin-roots.ts';
import { readBody } from '../../src/skills/discover/read-entry.ts';
import { resolveSkill } from '../../src/skills/discover/resolve-skill.ts';
import { asNobody, withoutAnotherUser } from '../helpers/another-user.ts';
import { corpusRows, fileText, hasCorpus } from './corpus.ts';
import { entryOf, makePlace, type Place } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const ids = (catalogue: { readonly entries: readonly { id: string; status: string }[] }): string[] => catalogue.entries.map((entry) => `${entry.id} ${entry.status}`);

describe('roots', () => {
  test('every root is searched, in the order of precedence', async () => {
    for (const at of ['.skillmint', '.agents', '.claude']) {
      place.skill(`work/project/${at}/skills/p${at}`);
      place.skill(`home/${at}/skills/u${at}`);
    }
    place.skill('home/.synapse/skills/old');
    place.skill('home/.claude/plugins/cache/market/tool/1.9.0/skills/outdated');
    place.skill('home/.claude/plugins/cache/market/tool/1.10.0/skills/lint');
    place.skill('env-a/one');
    place.skill('env-b/two');
    place.skill('named/three');
    place.skill('bundled/four');
    const catalogue = await place.discover({
      env: { CLAUDE_SKILLS_DIR: path.join(place.root, 'env-a'), SKILLMINT_SKILLS_PATH: path.join(place.root, 'env-b') },
      settingsPaths: [path.join(place.root, 'named')],
      bundledFolder: path.join(place.root, 'bundled'),
    });
    expect(catalogue.entries.map((entry) => entry.id)).toEqual(['project:p.skillmint', 'project:p.agents', 'project:p.claude', 'user:u.skillmint', 'user:u.agents', 'user:u.claude', 'user:old', 'env:one', 'env:two', 'user:three', 'plugin:tool:lint', 'bundled:four']);
    expect(catalogue.problems).toEqual([]);
    expect(catalogue.complete).toBe(true);
  });

  test('folders above the session up to the repository, and beyond only when trusted', async () => {
    place.skill('work/project/.claude/skills/root-skill');
    place.skill('work/project/deep/er/.claude/skills/near-skill');
    place.skill('work/.claude/skills/above-skill');
    const cwd = path.join(place.project, 'deep', 'er');
    expect(ids(await place.discover({ cwd }))).toEqual(['project:near-skill loaded', 'project:root-skill loaded']);
    const trusted = (folder: string): boolean => folder === path.join(place.root, 'work');
    expect(ids(await place.discover({ cwd, trusted }))).toEqual(['project:near-skill loaded', 'project:root-skill loaded', 'project:above-skill loaded']);
  });

  test('without a repository only the folder itself counts; in the home folder skills are the user\'s', async () => {
    place.skill('loose/.claude/skills/above');
    place.skill('loose/a/.claude/skills/own');
    expect(ids(await place.discover({ cwd: path.join(place.root, 'loose', 'a') }))).toEqual(['project:own loaded']);
    place.skill('home/.claude/skills/mine');
    expect(ids(await place.discover({ cwd: place.home }))).toEqual(['user:mine loaded']);
  });

  test('missing usual roots are silent; named ones, files and loops are problems', async () => {
    place.skill('good/a-skill');
    fs.symlinkSync('loop', path.join(place.root, 'loop'));
    place.write('a-file', 'x');
    const list = ['good', 'loop', 'no-such-root', 'a-file'].map((name) => path.join(place.root, name)).join(path.delimiter);
    const catalogue = await place.discover({ env: { SKILLMINT_SKILLS_PATH: list } });
    expect(ids(catalogue)).toEqual(['env:a-skill loaded']);
    expect(catalogue.problems.map((problem) => path.basename(problem.path))).toEqual(['loop', 'no-such-root', 'a-file']);
    for (const problem of catalogue.problems) expect(problem.message).toContain('SKILLMINT_SKILLS_PATH');
  });

  test('newest plugin version', () => {
    const never = (): number => 0;
    expect(newestVersion(['1.9.0', '1.10.0', '1.10.0-beta.2'], never)).toBe('1.10.0');
    expect(newestVersion(['2.0.0-beta.2', '2.0.0-beta.10'], never)).toBe('2.0.0-beta.10');
    expect(newestVersion(['abc', 'def'], (version) => (version === 'abc' ? 2 : 1))).toBe('abc');
    expect(newestVersion([], never)).toBeUndefined();
  });
});

describe('walking', () => {
  const env = (): { env: Record<string, string> } => ({ env: { SKILLMINT_SKILLS_PATH: path.join(place.root, 'r') } });

  test('letter case of the file, depth, skipped folders, skills inside skills', async () => {
    place.skill('r/lower', { file: 'skill.md' });
    place.skill('r/mixed', { file: 'Skill.md' });
    place.skill('r/1/2/3/4/5/deep');
    place.skill('r/1/2/3/4/5/6/too-deep');
    place.skill('r/node_modules/x');
    place.skill('r/.git/y');
    place.skill('r/outer');
    place.skill('r/outer/examples/inner');
    const catalogue = await place.discover(env());
    expect(ids(catalogue).sort()).toEqual(['env:deep loaded', 'env:lower loaded', 'env:mixed loaded', 'env:outer loaded']);
    expect(catalogue.problems).toEqual([{ path: path.join(place.root, 'r/1/2/3/4/5/6/too-deep'), message: expect.stringContaining('more than 6 levels deep') }]);
  });

  test('a root that is a skill itself', async () => {
    place.skill('r');
    place.skill('r/sub');
    expect(ids(await place.discover(env()))).toEqual(['env:r loaded']);
  });

  test('links: loops end, the same folder is listed once, those that lead outside are reported', async () => {
    place.skill('r/real');
    place.skill('elsewhere/guest');
    fs.symlinkSync('..', path.join(place.root, 'r', 'real-loop'));
    fs.symlinkSync('real', path.join(place.root, 'r', 'twin'));
    fs.symlinkSync(path.join(place.root, 'elsewhere', 'guest'), path.join(place.root, 'r', 'guest'));
    const catalogue = await place.discover(env());
    expect(ids(catalogue).sort()).toEqual(['env:guest loaded', 'env:real loaded']);
    expect(entryOf(catalogue, 'env:guest').diagnostics.map((each) => each.code)).toContain('link-outside');
    expect(entryOf(catalogue, 'env:real').diagnostics).toEqual([]);
  });

  test('a SKILL.md that cannot be read is a rejected entry', async () => {
    place.skill('r/good');
    fs.mkdirSync(path.join(place.root, 'r', 'bad'));
    fs.symlinkSync('SKILL.md', path.join(place.root, 'r', 'bad', 'SKILL.md'));
    place.write('r/huge/SKILL.md', 'x'.repeat(1024 * 1024 + 1));
    place.write('r/empty/SKILL.md', '');
    const catalogue = await place.discover(env());
    for (const id of ['env:bad', 'env:huge', 'env:empty']) {
      expect(entryOf(catalogue, id).status).toBe('rejected');
      expect(entryOf(catalogue, id).reason).toBeTruthy();
    }
    expect(entryOf(catalogue, 'env:good').status).toBe('loaded');
  });

  test('at most 2,000 folders without a skill, and any number of skills', async () => {
    for (let i = 0; i < 2_100; i += 1) place.skill(`r/s${i}`, { name: `s${i}` });
    expect((await place.discover(env())).entries).toHaveLength(2_100);
    for (let i = 0; i < 2_050; i += 1) fs.mkdirSync(path.join(place.root, 'r', `a${i}`));
    const catalogue = await place.discover(env());
    expect(catalogue.problems).toHaveLength(1);
    expect(catalogue.problems[0]?.message).toContain('2000');
  });

  test.skipIf(withoutAnotherUser)('a folder without rights is a problem, a file without them a rejected entry; both say what to do (needs another user)', async () => {
    place.skill('r/good');
    place.skill('r/closed');
    fs.mkdirSync(path.join(place.root, 'r', 'locked'), { mode: 0 });
    fs.chmodSync(path.join(place.root, 'r', 'closed', 'SKILL.md'), 0);
    fs.chmodSync(place.root, 0o755);
    const catalogue = await asNobody(() => place.discover(env()));
    expect(catalogue.problems).toEqual([{ path: path.join(place.root, 'r', 'locked'), message: expect.stringMatching(/cannot be read: you lack the right.*chmod/) }]);
    expect(entryOf(catalogue, 'env:closed')).toMatchObject({ status: 'rejected', reason: expect.stringMatching(/cannot be read: you lack the right.*chmod/) });
    expect(entryOf(catalogue, 'env:good').status).toBe('loaded');
  });

  test('a link to nothing is a problem that says what to do', async () => {
    place.skill('r/good');
    fs.symlinkSync('nowhere', path.join(place.root, 'r', 'dangling'));
    fs.symlinkSync('circle', path.join(place.root, 'r', 'circle'));
    const catalogue = await place.discover(env());
    expect(ids(catalogue)).toEqual(['env:good loaded']);
    expect(catalogue.problems.map(({ message }) => message)).toEqual(['this link cannot be followed: it leads back to itself; remove it', 'this link cannot be followed: it leads to nothing; mend or remove it']);
  });
});

describe('statuses', () => {
  test('shadowed by id, by folder and by content; a bare name belongs to the first', async () => {
    place.skill('work/project/.claude/skills/same', { description: 'Nearer.' });
    place.skill('work/project/.agents/skills/same', { description: 'Nearest.' });
    place.skill('home/.claude/skills/same', { description: 'Of the user.' });
    place.skill('home/.agents/skills/copy');
    fs.cpSync(path.join(place.home, '.agents/skills/copy'), path.join(place.root, 'e/copy'), { recursive: true });
    fs.symlinkSync(path.join(place.project, '.claude/skills/same'), path.join(place.root, 'e/alias'));
    const catalogue = await place.discover({ env: { SKILLMINT_SKILLS_PATH: path.join(place.root, 'e') } });
    expect(ids(catalogue)).toEqual(['project:same loaded', 'project:same shadowed', 'user:copy loaded', 'user:same loaded', 'env:same loaded', 'env:copy shadowed']);
    expect(catalogue.entries.map((entry) => entry.handle)).toEqual(['same', 'same', 'copy', 'user:same', 'env:same', 'copy']);
    for (const entry of catalogue.entries) expect(entry.status === 'loaded' || (entry.reason ?? '').length > 0).toBe(true);
  });

  test('hidden: switched off, denied, callable by nobody', async () => {
    place.skill('r/off');
    place.skill('r/denied');
    place.skill('r/nobody', { more: 'disable-model-invocation: yes\nuser-invocable: no\n' });
    place.skill('r/person', { more: 'disable-model-invocation: true\n' });
    const catalogue = await place.discover({
      env: { SKILLMINT_SKILLS_PATH: path.join(place.root, 'r') },
      disabled: new Set(['env:off']),
      denied: ({ name }) => (name === 'denied' ? 'the rule Skill(denied)' : undefined),
    });
    expect(ids(catalogue)).toEqual(['env:denied hidden', 'env:nobody hidden', 'env:off hidden', 'env:person loaded']);
    expect(entryOf(catalogue, 'env:off').enabled).toBe(false);
    expect(entryOf(catalogue, 'env:denied')).toMatchObject({ enabled: true, reason: 'the rule Skill(denied)' });
  });

  test('summaries carry a digest that follows the content of every file', async () => {
    const folder = place.skill('home/.claude/skills/one');
    place.write('home/.claude/skills/one/scripts/a.sh', 'echo 1');
    const digest = async (): Promise<string> => (await listSummaries(await place.discover(), { tree: localTree(), now: () => 0 }))[0]?.digest ?? '';
    const first = await digest();
    expect(first).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await digest()).toBe(first);
    fs.writeFileSync(path.join(folder, 'scripts/a.sh'), 'echo 2');
    const second = await digest();
    expect(second).not.toBe(first);
    fs.renameSync(path.join(folder, 'scripts/a.sh'), path.join(folder, 'scripts/b.sh'));
    expect(await digest()).not.toBe(second);
    fs.mkdirSync(path.join(folder, '.git'));
    fs.writeFileSync(path.join(folder, '.git', 'index'), 'x');
    const third = await digest();
    fs.writeFileSync(path.join(folder, '.git', 'index'), 'y');
    expect(await digest()).toBe(third);
  });

  test('the body is read anew, and a skill that went away says so', async () => {
    const folder = place.skill('home/.claude/skills/one', { description: 'has: a colon', body: 'First.' });
    const entry = entryOf(await place.discover(), 'user:one');
    expect(entry.status).toBe('repaired');
    expect(await readBody(localTree(), entry)).toBe('First.');
    fs.writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: one\ndescription: d\n---\nSecond.');
    expect(await readBody(localTree(), entry)).toBe('Second.');
    fs.rmSync(folder, { recursive: true });
    await expect(readBody(localTree(), entry)).rejects.toMatchObject({ code: 'skill_not_found' });
  });
});

describe('names', () => {
  test('id, bare name, letter case, plugin form, near names, suggestions', async () => {
    place.skill('home/.claude/skills/pdf-tools');
    place.skill('home/.claude/skills/pdf-forms');
    place.skill('home/.claude/skills/broken', { description: '' , body: '' });
    place.skill('e/chart');
    place.skill('home/.claude/plugins/cache/m/acme/1.0.0/skills/deploy');
    const catalogue = await place.discover({ env: { CLAUDE_SKILLS_DIR: path.join(place.root, 'e') } });
    const found = (name: string): string => {
      const result = resolveSkill(catalogue, name);
      return result.kind === 'found' ? result.entry.id : result.kind;
    };
    expect(found('user:pdf-tools')).toBe('user:pdf-tools');
    expect(found('pdf-tools')).toBe('user:pdf-tools');
    expect(found('/PDF_Tools')).toBe('user:pdf-tools');
    expect(found('pdf-toosl')).toBe('user:pdf-tools');
    expect(found('user:chart')).toBe('env:chart');
    expect(found('acme:deploy')).toBe('plugin:acme:deploy');
    expect(found('plugin:acme:deploy')).toBe('plugin:acme:deploy');
    expect(found('deploy')).toBe('plugin:acme:deploy');
    expect(resolveSkill(catalogue, 'pdf')).toEqual({ kind: 'missing', suggestions: [] });
    expect(resolveSkill(catalogue, 'pdf-thing')).toMatchObject({ kind: 'missing' });
    expect(resolveSkill(catalogue, 'tools')).toMatchObject({ kind: 'missing', suggestions: ['pdf-tools'] });
    expect(resolveSkill(catalogue, 'broken')).toMatchObject({ kind: 'unusable' });
    expect(resolveSkill(catalogue, 'nothing-at-all')).toEqual({ kind: 'missing', suggestions: [] });
    expect(resolveSkill(catalogue, '')).toMatchObject({ kind: 'missing' });
  });
});

describe('time', () => {
  test('a scan stops at its budget and goes on later', async () => {
    for (let i = 0; i < 300; i += 1) place.skill(`r/s${i}`, { name: `s${i}` });
    let time = 0;
    const scan = startScan({ tree: localTree(), cwd: place.project, home: place.home, dataFolder: path.join(place.home, '.skillmint'), env: { SKILLMINT_SKILLS_PATH: path.join(place.root, 'r') }, now: () => (time += 1) });
    expect(await scan.run({ budgetMs: 100 })).toBe(false);
    const partial = await scan.catalogue();
    expect(partial.complete).toBe(false);
    expect(partial.entries.length).toBeLessThan(300);
    expect(await scan.run()).toBe(true);
    expect((await scan.catalogue()).entries).toHaveLength(300);
  });

  test.skipIf(!hasCorpus)('13,394 real skills are listed without holding up the event loop (needs ../shared/corpus)', async () => {
    const rows = corpusRows().filter((row) => row.full);
    for (const row of rows) place.write(`r/${row.id}/SKILL.md`, fileText(row));
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    const start = performance.now();
    const options = { tree: localTree(), cwd: place.project, home: place.home, dataFolder: path.join(place.home, '.skillmint'), env: { SKILLMINT_SKILLS_PATH: path.join(place.root, 'r') }, now: () => performance.now() };
    const catalogue = await discoverSkills(options);
    const took = performance.now() - start;
    const summaries = await listSummaries(catalogue, options);
    clearInterval(timer);
    const counts: Record<string, number> = {};
    for (const { status } of summaries) counts[status] = (counts[status] ?? 0) + 1;
    console.log(`${rows.length} skills: scanned in ${took.toFixed(0)} ms, with digests ${(performance.now() - start).toFixed(0)} ms, longest pause ${longest.toFixed(0)} ms, ${JSON.stringify(counts)}`);
    expect(summaries).toHaveLength(rows.length);
    expect(longest).toBeLessThan(500);
  }, 120_000);
});
