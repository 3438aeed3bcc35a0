import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveSkill } from '../../../src/skills/discover/resolve-skill.ts';
import { isOfferable, isUsable } from '../../../src/skills/discover/skill-entry.ts';
import type { SkillCatalogue } from '../../../src/skills/discover/catalogue.ts';
import type { OpenViewOptions } from '../../../src/skills/index/open-view.ts';
import type { SkillView } from '../../../src/skills/skill-view.ts';
import { makePlace, type Place } from '../place.ts';
import { openIndex, type TestIndex } from './open.ts';

let place: Place;
let opened: TestIndex;
beforeEach(() => {
  place = makePlace();
  opened = openIndex(place);
});
afterEach(async () => {
  await opened.index.close();
  place.remove();
});

/** Waits until the times of files tell of later changes. */
const settle = (): Promise<void> => sleep(80);
const ids = async (view: SkillView, text: string, k = 8): Promise<readonly string[]> => (await view.rank(text, k)).map(({ entry }) => entry.id);

describe('what is offered', () => {
  test('the fitting ones, best first, out of many', async () => {
    for (let i = 0; i < 200; i += 1) place.skill(`home/.claude/skills/filler-${i}`, { description: `Waters the garden number ${i}.` });
    place.skill('home/.claude/skills/pdf-forms', { description: 'Fills forms in PDF files.' });
    place.skill('home/.agents/skills/charts', { description: 'Draws charts from tables.' });
    const { view } = await opened.whole();
    expect(view.total).toBe(202);
    expect(view.complete).toBe(true);
    expect(await ids(view, 'fill in this pdf form')).toEqual(['user:pdf-forms']);
    expect(await ids(view, 'a chart of the table')).toEqual(['user:charts']);
    expect(await ids(view, 'garden')).toHaveLength(8);
    expect(await ids(view, 'nothing of this')).toEqual([]);
  });

  test('all of them where there are few, those without a word in common last', async () => {
    place.skill('home/.claude/skills/alpha', { description: 'Sings.' });
    place.skill('home/.claude/skills/beta', { description: 'Fills forms.' });
    place.skill('home/.claude/skills/quiet', { description: 'Fills forms too.', more: 'disable-model-invocation: true\n' });
    const { view } = await opened.whole();
    expect((await view.rank('a form', 8)).map(({ entry, score }) => [entry.name, score > 0])).toEqual([['beta', true], ['alpha', false]]);
    expect(view.total).toBe(3);
  });

  test('one of a hundred copies, however many there are', async () => {
    for (let i = 0; i < 100; i += 1) place.skill(`home/.claude/skills/copy-${i}`, { name: 'pdf', description: 'Fills forms in PDF files.' });
    for (let i = 0; i < 100; i += 1) place.skill(`home/.claude/skills/other-${i}`, { description: `Mentions a form of kind ${i}.` });
    const { view } = await opened.whole();
    const offered = await ids(view, 'fill a pdf form');
    expect(offered.filter((id) => id === 'user:pdf')).toHaveLength(1);
    expect(offered).toHaveLength(8);
    expect(view.total).toBe(101);
  });

  test('the next one takes the place of a copy that is gone', async () => {
    for (const folder of ['a', 'b']) place.skill(`home/.claude/skills/${folder}`, { name: 'pdf', description: `Fills forms, as ${folder}.` });
    for (let i = 0; i < 80; i += 1) place.skill(`home/.claude/skills/filler-${i}`, { description: `Number ${i}.` });
    await settle();
    const first = await opened.whole();
    expect((await first.view.rank('forms', 1))[0]?.entry.folder).toMatch(/a$/);
    fs.rmSync(path.join(place.home, '.claude/skills/a'), { recursive: true });
    expect((await first.view.rank('forms', 1))[0]?.entry.folder).toMatch(/b$/);
    expect((await (await opened.view()).view.rank('forms', 1))[0]?.entry.folder).toMatch(/b$/);
  });

  test('nothing of the roots of other folders, and not even their words', async () => {
    for (let i = 0; i < 70; i += 1) place.skill(`home/.claude/skills/s${i}`, { description: `A usual thing of kind ${i}.` });
    place.skill('home/.claude/skills/rare', { description: 'Speaks of zebras.' });
    const alone = (await (await opened.whole()).view.rank('zebras', 8))[0]?.score;
    for (let i = 0; i < 50; i += 1) place.skill(`elsewhere/.claude/skills/z${i}`, { description: `Also of zebras ${i}.` });
    await opened.whole({ cwd: path.join(place.root, 'elsewhere') });
    const { view } = await opened.whole();
    expect(await ids(view, 'zebras')).toEqual(['user:rare']);
    expect((await view.rank('zebras', 8))[0]?.score).toBe(alone);
    expect((await view.resolve('z1')).kind).toBe('missing');
  });

  test('skills that name paths', async () => {
    place.skill('home/.claude/skills/one', { more: 'paths: "*.css"\n' });
    place.skill('home/.claude/skills/two', { more: 'paths: "*.js"\ndisable-model-invocation: true\n' });
    place.skill('home/.claude/skills/three');
    const { view } = await opened.whole();
    expect((await view.withPaths()).map(({ id }) => id)).toEqual(['user:one']);
  });
});

describe('the same as the list of all skills', () => {
  const NAMES = ['pdf', 'PDF', 'pdf-forms', 'pdf_forms', 'csv-report', 'csv-reports', 'review', 'deploy', 'plugin-maker', 'x'];
  const ROOTS = ['home/.claude/skills', 'home/.agents/skills', 'home/.claude/skills/group', 'work/project/.claude/skills', 'env/skills', 'home/.claude/plugins/cache/m/tool/1.0.0/skills'];
  const ASKED = [...NAMES, 'user:pdf', 'project:pdf', 'plugin:tool:pdf', 'tool:pdf', 'env:review', 'pfd', 'csv report', 'CSV-REPORT', 'pdf-form', 'reviwe', 'nothing-like-it', '/deploy', '$x', 'user:', ':', '', 'ops:deploy', 'plug:deploy', 'plug:do-it', 'f3:deploy'];

  /** Numbers that are the same for the same seed. */
  const randomFrom = (seed: number) => {
    let state = seed;
    return (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 0x1_0000_0000) * below);
    };
  };

  const fillPlace = (seed: number): Partial<OpenViewOptions> => {
    const random = randomFrom(seed);
    const pick = <T>(list: readonly T[]): T => {
      const chosen = list[random(list.length)];
      if (chosen === undefined) throw new Error('nothing to pick from');
      return chosen;
    };
    const count = 20 + random(90);
    for (let i = 0; i < count; i += 1) {
      const at = `${pick(ROOTS)}/f${random(40)}`;
      if (random(12) === 0) {
        const target = path.join(place.root, at);
        fs.mkdirSync(path.dirname(target), { recursive: true });
        if (!fs.lstatSync(target, { throwIfNoEntry: false })) fs.symlinkSync(path.join(place.root, `${pick(ROOTS)}/f${random(40)}`), target);
        continue;
      }
      if (fs.lstatSync(path.join(place.root, at), { throwIfNoEntry: false })?.isSymbolicLink()) continue;
      const more = pick(['', '', '', 'disable-model-invocation: true\n', 'disable-model-invocation: true\nuser-invocable: false\n', 'metadata: {a: .inf}\n', 'paths: "*.md"\n']);
      place.skill(at, { name: pick(NAMES), description: pick(['Fills forms.', 'Draws charts: of tables.', 'Reviews code.']), more, body: pick(['One.', 'Two.']) });
      if (random(15) === 0) place.write(`${at}/SKILL.md`, '');
    }
    for (let i = 0; i < 4; i += 1) {
      const plugin = `home/.claude/skills/${pick(['f3', 'plug', 'z'])}`;
      if (fs.lstatSync(path.join(place.root, plugin), { throwIfNoEntry: false })?.isSymbolicLink()) continue;
      place.write(`${plugin}/.claude-plugin/plugin.json`, JSON.stringify({ name: 'plug', ...(random(2) === 0 ? { mystery: 1 } : {}) }));
      place.skill(`${plugin}/skills/f${random(5)}`, { name: pick(NAMES), description: pick(['Fills forms.', 'Reviews code.']) });
      place.write(`${plugin}/commands/${pick(['deploy', 'do-it'])}.md`, pick(['Do it.', '---\ndescription: Deploys.\n---\nDo it.']));
    }
    place.write(`${pick(['home', 'work/project'])}/.claude/commands/${pick(['review', 'ops/deploy', 'x'])}.md`, pick(['Do this.', 'Do that.']));
    const disabled = new Set(random(2) === 0 ? ['user:review', 'x'] : []);
    const denied = random(2) === 0 ? ({ name }: { readonly name: string }) => (name === 'deploy' ? 'denied' : undefined) : () => undefined;
    return { disabled, denied, visibilityKey: String(seed), env: { SKILLMINT_SKILLS_PATH: path.join(place.root, 'env', 'skills') } };
  };

  /** Digests are known of those that had to be compared. */
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'digest' ? undefined : inner)));

  const check = async (view: SkillView, catalogue: SkillCatalogue): Promise<void> => {
    for (const name of ASKED) expect(plain({ name, ...(await view.resolve(name)) })).toEqual(plain({ name, ...resolveSkill(catalogue, name) }));
    const offerable = catalogue.entries.filter(isOfferable);
    for (const text of ['fill forms', 'charts of tables', 'review', 'pdf report']) {
      for (const { entry } of await view.rank(text, 1_000)) expect(plain(offerable)).toContainEqual(plain(entry));
    }
    expect(plain(await view.withPaths())).toEqual(plain(offerable.filter(({ frontmatter }) => frontmatter.paths)));
    expect(view.total).toBe(catalogue.entries.filter(isUsable).length);
    expect(view.problems).toEqual(catalogue.problems);
  };

  test.each(Array.from({ length: 12 }, (_, i) => [i + 1]))('names, offers, paths, number and problems (place %i)', async (seed) => {
    const options = fillPlace(seed);
    const first = await opened.whole(options);
    expect(first.view.complete).toBe(true);
    await check(first.view, await place.discover(options));
    // A further process, and after changes.
    const second = openIndex(place);
    try {
      await check((await second.whole(options)).view, await place.discover(options));
      fillPlace(seed + 1_000);
      await settle();
      const { roots } = await second.view(options);
      await second.index.check(roots, 60_000);
      await check((await second.view(options)).view, await place.discover(options));
    } finally {
      await second.index.close();
    }
  });
});
