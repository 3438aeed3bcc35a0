import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReadTree } from '../../src/host/host.ts';
import { localFiles } from '../../src/host/local-files.ts';
import { localTree } from '../../src/host/local-tree.ts';
import type { SkillCatalogue } from '../../src/skills/discover/catalogue.ts';
import { listSummaries, type DiscoverOptions } from '../../src/skills/discover/discover-skills.ts';
import { readBody } from '../../src/skills/discover/read-entry.ts';
import { openSkillCache } from '../../src/skills/discover/skill-cache.ts';
import { corpusRows, fileText, hasCorpus } from './corpus.ts';
import { entryOf, makePlace, type Place } from './place.ts';

let place: Place;
let folder: string;
let reads: string[];
beforeEach(() => {
  place = makePlace();
  folder = path.join(place.home, '.skillmint', 'cache', 'skills');
  reads = [];
});
afterEach(() => place.remove());

/** This machine's tree; what is read of skills is noted. */
const notingTree = (): ReadTree => {
  const tree = localTree();
  return {
    ...tree,
    read: (file) => {
      if (!file.startsWith(folder)) reads.push(path.relative(place.root, file));
      return tree.read(file);
    },
  };
};

interface Search extends Partial<DiscoverOptions> {
  readonly time?: () => number;
  readonly program?: string;
  readonly at?: string;
}

/** A search as a process of its own makes it: the cache is opened anew. */
const search = async ({ time = Date.now, program = '1.0.0', at = folder, tree = notingTree(), ...more }: Search = {}): Promise<SkillCatalogue> => {
  reads = [];
  return place.discover({ tree, digests: true, cache: openSkillCache({ tree, files: localFiles(), folder: at, program, now: time }), ...more });
};

/** Waits until what was changed may be kept. */
const settle = (): Promise<void> => sleep(80);

/** What a search without a cache finds, digests and all. */
const fresh = async (more: Partial<DiscoverOptions> = {}): Promise<SkillCatalogue> => place.discover({ digests: true, ...more });

const files = (): string[] => fs.readdirSync(folder).map((name) => path.join(folder, name));
const onlyFile = (): string => {
  const [file, ...others] = files();
  if (file === undefined || others.length > 0) throw new Error(`one cache file expected, found ${files().length}`);
  return file;
};

describe('what is kept', () => {
  test('a second search reads no skill and finds the same', async () => {
    place.skill('home/.claude/skills/one', { more: 'allowed-tools: Read, Bash(git add *)\nmetadata: {a: 1}\nmodel: some\n' });
    place.skill('home/.claude/skills/repaired', { description: 'has: a colon' });
    place.write('home/.claude/skills/one/scripts/deep/a.sh', 'echo 1');
    await settle();
    const first = await search();
    expect(reads).toContain('home/.claude/skills/one/SKILL.md');
    const second = await search();
    expect(reads).toEqual([]);
    expect(second).toEqual(first);
    expect(second).toEqual(await fresh());
    expect(second.entries.map((entry) => entry.status)).toEqual(['loaded', 'repaired']);
    const summaries = await listSummaries(second, { tree: localTree(), now: Date.now });
    expect(summaries.every((skill) => /^sha256:[0-9a-f]{64}$/.test(skill.digest))).toBe(true);
  });

  test('nobody else may read it, and it is left alone while nothing changes', async () => {
    place.skill('home/.claude/skills/one');
    await settle();
    await search();
    const before = fs.statSync(onlyFile());
    expect(before.mode & 0o777).toBe(0o600);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    await search();
    expect(fs.statSync(onlyFile())).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  test('a search without digests keeps what it has read; digests come when they are asked for, and stay', async () => {
    place.skill('home/.claude/skills/one');
    await settle();
    expect((await search({ digests: false })).entries[0]?.digest).toBeUndefined();
    expect((await search()).entries[0]?.digest).toMatch(/^sha256:/);
    await search({ digests: false });
    await search();
    expect(reads).toEqual([]);
  });

  test('every root has its own file, named folders included', async () => {
    place.skill('home/.claude/skills/one');
    place.skill('env-a/two');
    fs.symlinkSync(path.join(place.home, '.claude/skills/one'), path.join(place.root, 'env-a', 'alias'));
    await settle();
    const env = { SKILLMINT_SKILLS_PATH: path.join(place.root, 'env-a') };
    const first = await search({ env });
    expect(files()).toHaveLength(2);
    const second = await search({ env });
    expect(reads).toEqual([]);
    expect(second).toEqual(first);
    expect(second.entries.map((entry) => `${entry.id} ${entry.status}`)).toEqual(['user:one loaded', 'env:one shadowed', 'env:two loaded']);
    await search();
    await search({ env });
    expect(reads).toEqual([]);
  });

  test('instructions are always read from the file', async () => {
    const at = place.skill('home/.claude/skills/one', { body: 'First.' });
    await settle();
    await search();
    const entry = entryOf(await search(), 'user:one');
    fs.writeFileSync(path.join(at, 'SKILL.md'), '---\nname: one\ndescription: d\n---\nSecond.');
    expect(await readBody(localTree(), entry)).toBe('Second.');
  });

  test.skipIf(!hasCorpus)('2,000 real skills come out of it as they went in (needs ../shared/corpus)', async () => {
    const rows = corpusRows().filter((row) => row.full).slice(0, 2_000);
    for (const row of rows) place.write(`home/.claude/skills/${row.id}/SKILL.md`, fileText(row));
    await settle();
    await search();
    const kept = await search();
    expect(reads.length).toBeLessThan(rows.length / 100);
    expect(kept).toEqual(await fresh());
  }, 60_000);
});

describe('what changes is seen', () => {
  const at = (...names: string[]): string => path.join(place.home, '.claude', 'skills', ...names);
  const skillMd = (): string => at('one', 'SKILL.md');
  const old = 1_600_000_000;
  const rewrite = (target = skillMd()): void => fs.writeFileSync(target, fs.readFileSync(skillMd(), 'utf8').replace('First', 'Other'));
  const changes: Readonly<Record<string, () => void>> = {
    'another text of the same length': () => rewrite(),
    'the same, its time set back': () => {
      rewrite();
      fs.utimesSync(skillMd(), old, old);
    },
    'the same, as a new file in its place': () => {
      rewrite(at('one', 'new'));
      fs.renameSync(at('one', 'new'), skillMd());
    },
    'another file of the skill: content': () => fs.writeFileSync(at('one', 'scripts', 'a.sh'), 'echo 2'),
    'another file of the skill: name': () => fs.renameSync(at('one', 'scripts', 'a.sh'), at('one', 'scripts', 'b.sh')),
    'another file of the skill: one more': () => fs.writeFileSync(at('one', 'scripts', 'c.sh'), ''),
    'another file of the skill: one less': () => fs.rmSync(at('one', 'scripts', 'a.sh')),
    'a link to another file of the skill': () => {
      fs.unlinkSync(at('one', 'link'));
      fs.symlinkSync('notes/b.md', at('one', 'link'));
    },
    'a skill more': () => void place.skill('home/.claude/skills/three'),
    'a skill less': () => fs.rmSync(at('one'), { recursive: true }),
    'a skill by another name': () => fs.renameSync(at('one'), at('zero')),
    'two skills that change places': () => {
      fs.renameSync(at('one'), at('x'));
      fs.renameSync(at('two'), at('one'));
      fs.renameSync(at('x'), at('two'));
    },
  };
  beforeEach(async () => {
    place.skill('home/.claude/skills/one', { description: 'First words.' });
    fs.utimesSync(skillMd(), old, old);
    place.write('home/.claude/skills/one/scripts/a.sh', 'echo 1');
    for (const name of ['a', 'b']) place.write(`home/.claude/skills/one/notes/${name}.md`, name);
    fs.symlinkSync('notes/a.md', at('one', 'link'));
    place.skill('home/.claude/skills/two');
    await settle();
    await search();
  });

  for (const [name, change] of Object.entries(changes)) {
    test.each([
      ['at once', 0],
      ['later', 80],
    ])(`${name}, %s`, async (_when, wait) => {
      const before = await search();
      expect(reads).toEqual([]);
      change();
      await sleep(wait);
      const after = await search();
      expect(after).toEqual(await fresh());
      expect(after).not.toEqual(before);
      await settle();
      expect(await search()).toEqual(after);
      await search();
      expect(reads).toEqual([]);
    });
  }
});

describe('what may not be kept', () => {
  /** A file system whose clock stands still. */
  const frozen = (ctimeMs: number): ReadTree => {
    const tree = notingTree();
    return { ...tree, stat: (file) => ({ ...tree.stat(file), mtimeMs: ctimeMs, ctimeMs }) };
  };
  const described = (text: string): void => void place.skill('home/.claude/skills/one', { description: text });
  const twice = async (ctimeMs: number, later: number): Promise<string> => {
    described('First words.');
    await search({ tree: frozen(ctimeMs), time: () => ctimeMs + later });
    described('Other words.');
    return entryOf(await search({ tree: frozen(ctimeMs), time: () => ctimeMs + later + 5_000 }), 'user:one').description;
  };

  test('files that were changed a moment ago could change again without a sign', async () => {
    expect(await twice(1_700_000_000_123, 10)).toBe('Other words.');
  });

  test('nor those changed two seconds ago, where times are whole seconds', async () => {
    expect(await twice(1_700_000_000_000, 1_500)).toBe('Other words.');
  });

  test('the same later: the times are what is trusted', async () => {
    expect(await twice(1_700_000_000_123, 100)).toBe('First words.');
  });

  test('a tree that does not know when files were changed', async () => {
    const tree = notingTree();
    const without: ReadTree = {
      ...tree,
      stat: (file) => {
        const { ctimeMs: _ctimeMs, ...stat } = tree.stat(file);
        return stat;
      },
    };
    described('First words.');
    await settle();
    await search({ tree: without });
    await search({ tree: without });
    expect(reads).toContain('home/.claude/skills/one/SKILL.md');
    expect(fs.existsSync(folder)).toBe(false);
  });

  test('values that JSON does not know, files outside the skill, files that cannot be used', async () => {
    place.skill('home/.claude/skills/endless', { more: 'metadata:\n  most: .inf\n' });
    place.skill('home/.claude/skills/loop', { more: 'metadata: &a\n  again: *a\n' });
    place.write('outside.md', '---\nname: guest\ndescription: From outside.\n---\nx');
    fs.mkdirSync(path.join(place.home, '.claude/skills/guest'));
    fs.symlinkSync(path.join(place.root, 'outside.md'), path.join(place.home, '.claude/skills/guest/SKILL.md'));
    place.write('home/.claude/skills/empty/SKILL.md', '');
    place.skill('home/.claude/skills/usual');
    await settle();
    await search();
    const second = await search();
    expect(new Set(reads.filter((file) => file.endsWith('.md')).map((file) => path.basename(path.dirname(file))))).toEqual(new Set(['endless', 'loop', 'guest', 'empty']));
    expect(second).toEqual(await fresh());
    fs.writeFileSync(path.join(place.root, 'outside.md'), '---\nname: guest\ndescription: Elsewhere now.\n---\nx');
    expect(entryOf(await search(), 'user:guest').description).toBe('Elsewhere now.');
  });
});

describe('a cache that is no use', () => {
  beforeEach(async () => {
    place.skill('home/.claude/skills/one');
    await settle();
    await search();
  });

  const spoiled: Readonly<Record<string, (text: string) => string | Uint8Array>> = {
    'empty': () => '',
    'cut off': (text) => text.slice(0, -20),
    'no JSON': () => Buffer.from([0xff, 0x00, 0x7b]),
    'another shape': () => '[]',
    'a skill of another shape': (text) => text.replace('"name":"one"', '"name":5'),
    'a field of another type': (text) => text.replace('"other":{}', '"other":{},"allowedTools":"Read"'),
    'a field that is not known': (text) => text.replace('"other":{}', '"other":{},"more":"Read"'),
    'of another root': (text) => text.replace('"root":"', '"root":"/elsewhere'),
  };
  for (const [name, spoil] of Object.entries(spoiled)) {
    test(`${name}: all is read again, and kept`, async () => {
      const whole = fs.readFileSync(onlyFile(), 'utf8');
      const other = spoil(whole);
      expect(other).not.toBe(whole);
      fs.writeFileSync(onlyFile(), other);
      expect(await search()).toEqual(await fresh());
      expect(reads).toContain('home/.claude/skills/one/SKILL.md');
      expect(fs.readFileSync(onlyFile(), 'utf8')).toBe(whole);
    });
  }

  test('of another version of the program', async () => {
    await search({ program: '1.0.1' });
    expect(reads).toContain('home/.claude/skills/one/SKILL.md');
    await search({ program: '1.0.1' });
    expect(reads).toEqual([]);
  });

  test('a folder instead of its file', async () => {
    const file = onlyFile();
    fs.rmSync(file);
    fs.mkdirSync(file);
    const { notKept, ...catalogue } = await search();
    expect(catalogue).toEqual(await fresh());
    expect(notKept?.message).toContain('EISDIR');
  });

  test('where nothing can be written, searches work and say why nothing is kept', async () => {
    const { notKept, ...catalogue } = await search({ at: path.join(place.write('a-file', 'x'), 'skills') });
    expect(catalogue).toEqual(await fresh());
    expect(notKept?.message).toContain('could not be kept');
  });
});

test('searches at the same time do not spoil each other\'s cache', async () => {
  for (let i = 0; i < 50; i += 1) place.skill(`home/.claude/skills/s${i}`);
  await settle();
  const all = await Promise.all(Array.from({ length: 8 }, () => search()));
  const expected = await fresh();
  for (const catalogue of all) expect(catalogue).toEqual(expected);
  expect(files()).toHaveLength(1);
  expect(await search()).toEqual(expected);
  expect(reads).toEqual([]);
});

test('files of roots that came and went do not pile up', async () => {
  place.skill('home/.claude/skills/one');
  for (let i = 0; i < 250; i += 1) place.write(`home/.skillmint/cache/skills/old-${i}.json`, '{}');
  await settle();
  await search();
  expect(files().length).toBeLessThanOrEqual(200);
  await search();
  expect(reads).toEqual([]);
});
