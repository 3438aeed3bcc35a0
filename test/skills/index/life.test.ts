import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { INDEX_MIGRATIONS } from '../../../src/skills/index/index-schema.ts';
import type { SkillView } from '../../../src/skills/skill-view.ts';
import { openSqlite } from '../../../src/store/sqlite.ts';
import { makePlace, type Place } from '../place.ts';
import { fileIn, openIndex, usualRoot, type TestIndex } from './open.ts';

let place: Place;
const open: TestIndex[] = [];
beforeEach(() => {
  place = makePlace();
});
afterEach(async () => {
  for (const { index } of open.splice(0)) await index.close();
  place.remove();
});

/** A further process with the same index. */
const process_ = (...given: Parameters<typeof openIndex> extends [Place, ...infer Rest] ? Rest : never): TestIndex => {
  const made = openIndex(place, ...given);
  open.push(made);
  return made;
};
const settle = (): Promise<void> => sleep(80);
const fill = (count: number, from = 0): void => {
  for (let i = from; i < from + count; i += 1) place.skill(`home/.claude/skills/s${i}`, { description: `Deals with matter${i}.` });
};
const first = async (view: SkillView, text: string): Promise<string | undefined> => (await view.rank(text, 1)).find(({ score }) => score > 0)?.entry.name;

describe('what is read', () => {
  test('once; the next process reads nothing, and a question reads nothing either', async () => {
    fill(100);
    await settle();
    const one = process_();
    await one.whole();
    expect(one.reads).toHaveLength(100);
    const two = process_();
    const { view } = await two.view();
    expect(await first(view, 'matter42')).toBe('s42');
    expect(two.reads).toEqual([]);
    expect(view).toMatchObject({ total: 100, complete: true });
  });

  test('a skill that was added is there at once, one that was removed is not, and no other is read', async () => {
    fill(100);
    await settle();
    await process_().whole();
    fill(1, 500);
    fs.rmSync(path.join(place.home, '.claude/skills/s7'), { recursive: true });
    const two = process_();
    const { view } = await two.view();
    expect(await first(view, 'matter500')).toBe('s500');
    expect(await first(view, 'matter7')).toBeUndefined();
    expect((await view.resolve('s7')).kind).toBe('missing');
    expect(new Set(two.reads)).toEqual(new Set(['home/.claude/skills/s500/SKILL.md']));
    expect(view.total).toBe(100);
  });

  test('one that changed is read before it is offered, and the check finds those that were not', async () => {
    fill(100);
    await settle();
    await process_().whole();
    place.skill('home/.claude/skills/s1', { description: 'Deals with matter1 and zebras.' });
    place.skill('home/.claude/skills/s2', { description: 'Sings.' });
    place.skill('home/.claude/skills/s3', { description: 'Sings.', more: 'disable-model-invocation: true\n' });
    await settle();
    const two = process_();
    const { view, roots } = await two.view();
    expect((await view.rank('matter1', 1))[0]?.entry.description).toBe('Deals with matter1 and zebras.');
    expect(two.reads).toEqual(['home/.claude/skills/s1/SKILL.md']);
    expect(await first(view, 'matter3')).toBeUndefined();
    await two.index.check(roots, 60_000);
    expect(await first(view, 'sings')).toBe('s2');
    expect(two.reads.toSorted()).toEqual(['home/.claude/skills/s1/SKILL.md', 'home/.claude/skills/s2/SKILL.md', 'home/.claude/skills/s3/SKILL.md']);
  });

  test('a check that was stopped goes on where it was', async () => {
    fill(300);
    await settle();
    await process_().whole();
    for (let i = 0; i < 300; i += 1) place.skill(`home/.claude/skills/s${i}`, { description: `Deals with topic${i}.` });
    await settle();
    // A clock that goes on with each file that is read: how far a round comes does not depend on the machine.
    const start = Date.now();
    let current: TestIndex | undefined;
    const now = (): number => start + 1.5 * (seen.size + (current?.reads.length ?? 0));
    let rounds = 0;
    const seen = new Set<string>();
    for (; seen.size < 300 && rounds < 300; rounds += 1) {
      const next = process_({ now });
      current = next;
      const { roots } = await next.view();
      await next.index.check(roots, 5);
      current = undefined;
      for (const file of next.reads) {
        expect(seen.has(file)).toBe(false);
        seen.add(file);
      }
      await next.index.close();
      open.pop();
    }
    expect(rounds).toBeGreaterThan(1);
    expect(seen.size).toBe(300);
    expect(await first((await process_().view()).view, 'topic299')).toBe('s299');
  });

  test('999 of 1,000 with one that cannot be used, which is named', async () => {
    fill(999);
    place.write('home/.claude/skills/broken/SKILL.md', '');
    const { view } = await process_().whole();
    expect(view.total).toBe(999);
    const found = await view.resolve('broken');
    expect(found).toMatchObject({ kind: 'unusable', entry: { path: path.join(place.home, '.claude/skills/broken/SKILL.md'), status: 'rejected' } });
  });
});

describe('without time', () => {
  test('what was found so far is ranked, the view says so, and the next process goes on', async () => {
    fill(2_000);
    await settle();
    const one = process_();
    const { view } = await one.view({ budgetMs: 20 });
    expect(view.complete).toBe(false);
    expect(view.total).toBeLessThan(2_000);
    await one.index.close();
    open.pop();
    const read = new Set(one.reads);
    const two = process_();
    const all = await two.whole();
    expect(all.view).toMatchObject({ complete: true, total: 2_000 });
    expect(two.reads.filter((file) => read.has(file))).toEqual([]);
  });

  test('the rest is indexed in the background, with word of how far it is', async () => {
    fill(2_000);
    const told: number[] = [];
    const one = process_({ onProgress: ({ done }) => told.push(done) });
    const { roots, view } = await one.view({ budgetMs: 20 });
    expect(view.complete).toBe(false);
    one.index.background(roots);
    await one.index.close({ finishMs: 60_000 });
    open.pop();
    expect(told.length).toBeGreaterThan(0);
    const two = process_();
    expect((await two.view()).view).toMatchObject({ complete: true, total: 2_000 });
    expect(two.reads).toEqual([]);
  });

  test('a name waits for skills that are not read yet, and a near one is not taken before', async () => {
    fill(600);
    const one = process_();
    const { view } = await one.view({ budgetMs: 0 });
    expect(view.complete).toBe(false);
    const [found, missing] = await Promise.all([view.resolve('s599'), view.resolve('nothing-like-it')]);
    expect(found).toMatchObject({ kind: 'found', entry: { name: 's599' } });
    expect(missing).toEqual({ kind: 'missing', suggestions: [] });
  });

  test('a process that ends does not wait for it longer than it is told', async () => {
    fill(3_000);
    const one = process_();
    const { roots } = await one.view({ budgetMs: 0 });
    one.index.background(roots);
    const before = performance.now();
    await one.index.close({ finishMs: 50 });
    open.pop();
    expect(performance.now() - before).toBeLessThan(5_000);
    expect((await process_().view({ budgetMs: 0 })).view.complete).toBe(false);
  });
});

describe('an index that is no use', () => {
  beforeEach(async () => {
    fill(80);
    await settle();
    await process_().whole();
    for (const { index } of open.splice(0)) await index.close();
  });

  const works = async (index: TestIndex): Promise<void> => {
    const { view } = await index.whole();
    expect(await first(view, 'matter42')).toBe('s42');
    expect(view.total).toBe(80);
  };

  const damages: Readonly<Record<string, (file: string) => void>> = {
    'is no database': (file) => fs.writeFileSync(file, 'x'.repeat(5_000)),
    'is empty': (file) => fs.truncateSync(file, 0),
    'was cut short': (file) => fs.truncateSync(file, 8_192),
    'is a folder': (file) => {
      fs.rmSync(file);
      fs.mkdirSync(file);
    },
    'has zeros in its middle': (file) => {
      const handle = fs.openSync(file, 'r+');
      fs.writeSync(handle, Buffer.alloc(fs.fstatSync(handle).size - 4_096), 0, undefined, 4_096);
      fs.closeSync(handle);
    },
  };
  test.each(Object.entries(damages))('one that %s is made anew, which is said', async (_name, damage) => {
    damage(fileIn(place));
    const one = process_();
    await works(one);
    expect(one.index.takeNotices()).toEqual([expect.stringMatching(/The skill index was damaged and is made anew.*skills\.db/)]);
    expect(one.index.takeNotices()).toEqual([]);
    await one.index.close();
    open.pop();
    const two = process_();
    await works(two);
    expect(two.reads).toEqual([]);
    expect(two.index.takeNotices()).toEqual([]);
  });

  const change = (sql: string): void => {
    const db = openSqlite(fileIn(place), INDEX_MIGRATIONS);
    db.transaction(() => db.run(sql, []));
    db.close();
  };
  const values = [
    ["UPDATE roots SET problems = '{'", 'What is wrong with a root'],
    ["UPDATE roots SET problems = '{}'", 'What is wrong with a root'],
    ["UPDATE skills SET notes = '{'", 'What was noted of a skill'],
    ["UPDATE skills SET notes = '1'", 'What was noted of a skill'],
    ["UPDATE blocks SET data = x'0102'", 'A list of words'],
    ["UPDATE blocks SET data = x''", 'A list of words'],
    ["UPDATE blocks SET data = 'text'", 'A list of words'],
    ["UPDATE blocks SET data = x'ffffffff0000000000000000'", 'A list of words'],
  ] as const;
  test.each(values)('one with a damaged value is made anew, which is said: %s', async (sql, what) => {
    change(sql);
    const one = process_();
    await works(one);
    expect(one.index.takeNotices()).toEqual([`The skill index was damaged and is made anew, which takes a moment: ${what} in the skill index cannot be read.`]);
    await one.index.close();
    open.pop();
    const two = process_();
    await works(two);
    expect([two.reads, two.index.takeNotices()]).toEqual([[], []]);
  });

  test.each(values)('a value that is damaged while a view is open: %s', async (sql) => {
    const one = process_();
    const { view, roots } = await one.view();
    change(sql);
    for (const matter of [41, 42]) expect(await first(view, `matter${matter}`)).toBe(`s${matter}`);
    expect((await view.resolve('s7')).kind).toBe('found');
    await one.index.fill(roots);
    await one.index.refresh(roots);
    await works(one);
  });

  test('one that is damaged while it is open', async () => {
    const one = process_();
    const { view } = await one.view();
    const { db } = { db: openSqlite(fileIn(place), INDEX_MIGRATIONS) };
    db.close();
    damages['has zeros in its middle']?.(fileIn(place));
    const two = process_();
    expect(await first((await two.view()).view, 'matter42')).toBe('s42');
    expect(two.index.takeNotices()).toHaveLength(1);
    expect(await first(view, 'matter41')).toBe('s41');
  });

  test('one of a newer version stays as it is, and the process has one of its own', async () => {
    const newer = openSqlite(fileIn(place), [...INDEX_MIGRATIONS, { version: 1_000, name: 'to come', sql: 'CREATE TABLE more (x)' }]);
    newer.close();
    const before = fs.readFileSync(fileIn(place));
    const one = process_();
    await works(one);
    expect(one.index.takeNotices()).toEqual([expect.stringMatching(/skills\.db was written by a newer skillmint.*update skillmint/)]);
    await one.index.close();
    open.pop();
    expect(fs.readFileSync(fileIn(place)).equals(before)).toBe(true);
  });

  test('what another version of the program has read is read again', async () => {
    const one = process_({ program: '2.0.0' });
    await works(one);
    expect(one.reads).toHaveLength(80);
  });
});

describe('without a trace', () => {
  // The empty files beside the database go when the memory of the program that had it open is tidied up.
  const state = (): readonly string[] => fs.readdirSync(path.join(place.home, '.skillmint'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(?:wal|shm)$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name} ${fs.statSync(path.join(entry.parentPath, entry.name)).mtimeMs}`).toSorted();

  test('an ephemeral index reads what is known and writes nothing', async () => {
    fill(80);
    await settle();
    const one = process_();
    await one.whole();
    await one.index.close();
    open.pop();
    const before = state();
    const two = process_({ ephemeral: true });
    const { view } = await two.whole();
    expect(await first(view, 'matter42')).toBe('s42');
    expect(two.reads).toEqual([]);
    fill(1, 500);
    expect(await first((await two.view()).view, 'matter500')).toBe('s500');
    await two.index.close();
    open.pop();
    expect(state()).toEqual(before);
  });

  test('also where there is none yet', async () => {
    fill(10);
    const one = process_({ ephemeral: true });
    expect((await one.whole()).view.total).toBe(10);
    await one.index.close();
    open.pop();
    expect(fs.existsSync(path.join(place.home, '.skillmint'))).toBe(false);
  });
});

test('roots that nobody asked for in a long time are forgotten', async () => {
  fill(10);
  const day = 86_400_000;
  let now = Date.now();
  const one = process_({ now: () => now });
  await one.whole();
  place.skill('elsewhere/.claude/skills/one');
  now += 100 * day;
  const { roots } = await one.whole({ cwd: path.join(place.root, 'elsewhere'), home: path.join(place.root, 'nobody') });
  one.index.background(roots);
  for (let i = 0; i < 100 && one.index.store.roots([usualRoot(path.join(place.home, '.claude/skills'))]).length > 0; i += 1) await sleep(50);
  expect(one.index.store.roots([usualRoot(path.join(place.home, '.claude/skills'))])).toEqual([]);
  expect(one.index.store.roots([usualRoot(path.join(place.root, 'elsewhere/.claude/skills'))])).toHaveLength(1);
});
