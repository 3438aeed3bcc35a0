import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenedView } from '../../../src/skills/index/open-view.ts';
import { makePlace, type Place } from '../place.ts';
import { openIndex, type TestIndex } from './open.ts';

let place: Place;
let opened: TestIndex;
beforeEach(() => {
  place = makePlace();
  opened = openIndex(place, { stays: true });
});
afterEach(async () => {
  await opened.index.close();
  place.remove();
});

const skillAt = (name: string, description: string): string => place.skill(`home/.claude/skills/${name}`, { name: path.basename(name), description });
const best = async ({ view }: OpenedView, text: string): Promise<string | undefined> => (await view.rank(text, 1)).find(({ score }) => score > 0)?.entry.name;

/** A view, as a turn of a process that stays has it, once everything is watched. */
const settledView = async (): ReturnType<TestIndex['view']> => {
  const { roots } = await opened.whole();
  opened.index.background(roots);
  await sleep(700);
  return opened.view();
};

describe('a process that stays', () => {
  beforeEach(async () => {
    for (let i = 0; i < 100; i += 1) skillAt(`group/s${i}`, `Deals with matter${i}.`);
    await sleep(80);
    await settledView();
  });

  test('has a skill that was added, changed or removed in its next turn, at any depth', async () => {
    skillAt('group/new', 'Deals with zebras.');
    skillAt('deep/er/new-too', 'Deals with lions.');
    skillAt('group/s1', 'Deals with giraffes.');
    fs.rmSync(path.join(place.home, '.claude/skills/group/s2'), { recursive: true });
    await sleep(100);
    const next = await opened.view();
    expect(await best(next, 'zebras')).toBe('new');
    expect(await best(next, 'lions')).toBe('new-too');
    expect(await best(next, 'giraffes')).toBe('s1');
    expect(await best(next, 'matter1')).toBeUndefined();
    expect(await best(next, 'matter2')).toBeUndefined();
    expect(next.view.total).toBe(101);
  });

  test('reads what has changed and nothing else', async () => {
    opened.reads.length = 0;
    skillAt('group/s1', 'Deals with giraffes.');
    await sleep(100);
    expect(await best(await opened.view(), 'giraffes')).toBe('s1');
    expect(new Set(opened.reads)).toEqual(new Set(['home/.claude/skills/group/s1/SKILL.md']));
  });
});

test('a tree of 1,000 skills that moves while questions are asked: no exception, and in the end all is right', async () => {
  for (let i = 0; i < 1_000; i += 1) skillAt(`s${i}`, `Deals with matter${i}.`);
  await sleep(80);
  await settledView();
  let state = 11;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
  const root = path.join(place.home, '.claude', 'skills');
  let made = 1_000;
  const move = (): void => {
    const names = fs.readdirSync(root);
    const chosen = path.join(root, names[random(names.length)] ?? '');
    const kind = random(5);
    if (kind === 0) fs.rmSync(chosen, { recursive: true });
    else if (kind === 1) fs.renameSync(chosen, path.join(root, `moved-${(made += 1)}`));
    else if (kind === 2) skillAt(`n${(made += 1)}`, `Deals with matter${made}.`);
    else if (kind === 3) skillAt(`group${random(5)}/n${(made += 1)}`, `Deals with matter${made}.`);
    else if (fs.existsSync(path.join(chosen, 'SKILL.md'))) fs.writeFileSync(path.join(chosen, 'SKILL.md'), `---\nname: ${path.basename(chosen)}\ndescription: Deals with topic${random(1_000)} of ${made}.\n---\n`);
  };
  for (let round = 0; round < 25; round += 1) {
    for (let i = 0; i < 25; i += 1) move();
    const { view, roots } = await opened.view({ budgetMs: 50 });
    for (let i = 0; i < 3; i += 1) await view.rank(`matter${random(made)} topic${random(1_000)}`, 8);
    await view.resolve(`s${random(1_000)}`);
    opened.index.background(roots);
    await sleep(2);
  }
  await sleep(150);
  await opened.index.refresh((await opened.view()).roots);
  const { view } = await opened.view();
  const { entries } = await place.discover();
  expect(opened.index.takeNotices()).toEqual([]);
  expect(view.total).toBe(entries.filter(({ status }) => status === 'loaded').length);
  for (const [i, { name, description, status }] of entries.entries()) {
    if (status !== 'loaded' || i % 8 > 0) continue;
    expect(await view.resolve(name)).toMatchObject({ kind: 'found', entry: { description } });
    expect((await view.rank(description, 20)).map(({ entry }) => entry.name)).toContain(name);
  }
}, 120_000);
