import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localTree } from '../../src/host/local-tree.ts';
import type { ReadTree } from '../../src/host/host.ts';
import { resolveSkill } from '../../src/skills/discover/resolve-skill.ts';
import { skillRoots } from '../../src/skills/discover/roots.ts';
import { openTrust } from '../../src/skills/trust/trust-store.ts';
import { openIndex, type TestIndex } from './index/open.ts';
import { entryOf, makePlace, type Place } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const MODULES = 'work/project/node_modules';
const ids = (catalogue: { readonly entries: readonly { readonly id: string; readonly status: string }[] }): string[] => catalogue.entries.map(({ id, status }) => `${id} ${status}`);
const link = (at: string, target: string): void => {
  fs.mkdirSync(path.dirname(path.join(place.root, at)), { recursive: true });
  fs.symlinkSync(target, path.join(place.root, at));
};

describe('packages of the project', () => {
  test('are searched where the setting is on, nested skills too', async () => {
    place.skill(`${MODULES}/charts/skills/draw`);
    place.skill(`${MODULES}/@tanstack/router/skills/core`);
    place.skill(`${MODULES}/@tanstack/router/skills/core/guards`);
    place.skill(`${MODULES}/@tanstack/router/skills/group/deep/links`);
    place.write(`${MODULES}/plain/index.js`, '');
    place.write(`${MODULES}/odd/skills`, 'a file');
    place.write(`${MODULES}/.package-lock.json`, '{}');
    place.skill(`${MODULES}/.hidden/skills/no`);
    place.skill(`${MODULES}/a:b/skills/no`);
    place.skill(`${MODULES}/plain/node_modules/inner/skills/no`);
    expect(ids(await place.discover())).toEqual([]);
    const catalogue = await place.discover({ npm: true });
    expect(ids(catalogue)).toEqual(['npm:@tanstack/router:core loaded', 'npm:@tanstack/router:guards loaded', 'npm:@tanstack/router:links loaded', 'npm:charts:draw loaded']);
    expect(catalogue.problems).toEqual([]);
    expect(catalogue.entries.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  });

  test('are found by id and by name', async () => {
    place.skill(`${MODULES}/charts/skills/draw`);
    place.skill(`${MODULES}/@tanstack/router/skills/guards`);
    const catalogue = await place.discover({ npm: true });
    for (const [name, id] of [['npm:charts:draw', 'npm:charts:draw'], ['draw', 'npm:charts:draw'], ['npm:@tanstack/router:guards', 'npm:@tanstack/router:guards'], ['/guards', 'npm:@tanstack/router:guards']] as const) {
      expect(resolveSkill(catalogue, name)).toMatchObject({ kind: 'found', entry: { id } });
    }
  });

  test('come after plugins and before the skills of the program', async () => {
    place.skill('work/project/.claude/skills/first', { body: 'of the project' });
    place.skill('home/.claude/plugins/cache/market/tool/1.0.0/skills/second', { body: 'of the plugin' });
    for (const name of ['first', 'second', 'third']) place.skill(`${MODULES}/pack/skills/${name}`, { body: 'of the package' });
    place.skill('bundled/third', { body: 'of the program' });
    const catalogue = await place.discover({ npm: true, bundledFolder: path.join(place.root, 'bundled') });
    expect(['first', 'second', 'third'].map((name) => resolveSkill(catalogue, name)).map((found) => (found.kind === 'found' ? found.entry.id : found.kind))).toEqual(['project:first', 'plugin:tool:second', 'npm:pack:third']);
  });

  test('from the session\'s folder up to the repository, the nearest first, and none above', async () => {
    place.skill('work/node_modules/pack/skills/above');
    place.skill(`${MODULES}/pack/skills/same`, { body: 'far' });
    place.skill(`${MODULES}/root-only/skills/more`);
    place.skill('work/project/apps/web/node_modules/pack/skills/same', { body: 'near' });
    const catalogue = await place.discover({ npm: true, cwd: path.join(place.project, 'apps', 'web'), trusted: () => true });
    expect(ids(catalogue)).toEqual(['npm:pack:same loaded', 'npm:pack:same shadowed', 'npm:root-only:more loaded']);
    expect(catalogue.entries[0]?.path).toContain(path.join('apps', 'web'));
  });

  test('are trusted by nobody until a person does', async () => {
    place.skill(`${MODULES}/charts/skills/draw`);
    const [entry] = (await place.discover({ npm: true, digests: true })).entries;
    if (!entry) throw new Error('nothing was found');
    const trust = openTrust({ tree: localTree(), dataFolder: path.join(place.home, '.skillmint') });
    expect(trust.of(entry, entry.digest ?? '')).toEqual({ trusted: false, why: 'never trusted' });
  });
});

describe('linked packages', () => {
  test('of pnpm are followed without a word, wherever its store is', async () => {
    place.skill(`${MODULES}/.pnpm/near@1.0.0/node_modules/near/skills/close`);
    link(`${MODULES}/near`, '.pnpm/near@1.0.0/node_modules/near');
    place.skill('store/v10/links/far/1.0.0/node_modules/far/skills/away');
    link(`${MODULES}/@scope/far`, path.join(place.root, 'store/v10/links/far/1.0.0/node_modules/far'));
    place.skill('work/project/node_modules/.pnpm/web@1.0.0/node_modules/web/skills/site');
    link('work/project/apps/web/node_modules/web', '../../../node_modules/.pnpm/web@1.0.0/node_modules/web');
    for (const notes of [`layoutVersion: 5\nstoreDir: ${place.root}/store/v10\n`, JSON.stringify({ layoutVersion: 5, storeDir: `${place.root}/store/v10`, virtualStoreDir: '.pnpm' }, undefined, 2)]) {
      place.write(`${MODULES}/.modules.yaml`, notes);
      const catalogue = await place.discover({ npm: true, cwd: path.join(place.project, 'apps', 'web') });
      expect(ids(catalogue)).toEqual(['npm:web:site loaded', 'npm:@scope/far:away loaded', 'npm:near:close loaded']);
      expect(catalogue.entries.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    }
  });

  test('are followed once, and said to lead outside', async () => {
    place.skill('elsewhere/skills/stray');
    link(`${MODULES}/linked`, path.join(place.root, 'elsewhere'));
    link(`${MODULES}/twice`, path.join(place.root, 'elsewhere'));
    place.skill('private/notes');
    place.skill(`${MODULES}/pack/skills/good`);
    link(`${MODULES}/pack/skills/out`, path.join(place.root, 'private', 'notes'));
    link(`${MODULES}/pack/skills/loop`, '.');
    link(`${MODULES}/broken`, 'nowhere');
    const catalogue = await place.discover({ npm: true });
    expect(ids(catalogue)).toEqual(['npm:linked:stray loaded', 'npm:pack:good loaded', 'npm:pack:notes loaded', 'npm:twice:stray shadowed']);
    expect(entryOf(catalogue, 'npm:linked:stray').diagnostics.map(({ code }) => code)).toEqual(['link-outside']);
    expect(entryOf(catalogue, 'npm:pack:notes').diagnostics.map(({ code }) => code)).toEqual(['link-outside']);
    expect(entryOf(catalogue, 'npm:pack:good').diagnostics).toEqual([]);
  });
});

test('three thousand packages cost one look each, and those without skills no root', () => {
  for (let i = 0; i < 3_000; i += 1) fs.mkdirSync(path.join(place.root, MODULES, i % 3 === 0 ? `@s${i % 30}/p${i}` : `p${i}`), { recursive: true });
  place.skill(`${MODULES}/p1/skills/one`);
  let looks = 0;
  const { list, stat, isFolder, realPath, read } = localTree();
  const counted = <A extends unknown[], R>(work: (...args: A) => R) => (...args: A): R => {
    looks += 1;
    return work(...args);
  };
  const tree: ReadTree = { list: counted(list), stat: counted(stat), isFolder: counted(isFolder), realPath: counted(realPath), read: counted(read) };
  const rootsWith = (npm: boolean): { readonly sources: readonly string[]; readonly looks: number } => {
    looks = 0;
    const { roots } = skillRoots({ tree, cwd: place.project, home: place.home, dataFolder: path.join(place.home, '.skillmint'), env: {}, npm });
    return { sources: roots.map(({ source }) => source).filter((source) => source.startsWith('npm:')), looks };
  };
  const [without, withPackages] = [rootsWith(false), rootsWith(true)];
  expect(withPackages.sources).toEqual(['npm:p1']);
  // Besides the packages: node_modules (stat, real path, listing), ten scopes, and the real path of the one with skills.
  expect(withPackages.looks - without.looks).toBe(3_000 + 3 + 10 + 1);
});

describe('in the index', () => {
  let opened: TestIndex;
  beforeEach(() => {
    opened = openIndex(place);
  });
  afterEach(() => opened.index.close());

  test('they are ranked and found, and gone where the setting is off', async () => {
    place.skill(`${MODULES}/@tanstack/router/skills/guards`, { description: 'Guards the routes of an application.' });
    const { view } = await opened.whole({ npm: true });
    expect(view.total).toBe(1);
    expect((await view.rank('guard this route', 8)).map(({ entry }) => entry.id)).toEqual(['npm:@tanstack/router:guards']);
    for (const name of ['npm:@tanstack/router:guards', 'guards']) expect(await view.resolve(name)).toMatchObject({ kind: 'found', entry: { id: 'npm:@tanstack/router:guards' } });
    const { view: off } = await opened.whole();
    expect(off.total).toBe(0);
    expect(await off.resolve('npm:@tanstack/router:guards')).toMatchObject({ kind: 'missing' });
  });

  test('a skill within a skill stays when its package is searched again, and goes with it', async () => {
    place.skill(`${MODULES}/pack/skills/core`);
    const inner = place.skill(`${MODULES}/pack/skills/core/inner`);
    await opened.whole({ npm: true });
    place.skill(`${MODULES}/pack/skills/later`);
    await sleep(80);
    const { view, roots } = await opened.view({ npm: true });
    expect(view.total).toBe(3);
    expect(await view.resolve('inner')).toMatchObject({ kind: 'found' });
    fs.rmSync(inner, { recursive: true });
    await opened.index.check(roots, 60_000);
    const { view: after } = await opened.view({ npm: true });
    expect(after.total).toBe(2);
    expect(await after.resolve('npm:pack:inner')).toMatchObject({ kind: 'missing' });
  });

  test('a package that is replaced by another version is read anew', async () => {
    for (const version of ['1.0.0', '2.0.0']) place.skill(`${MODULES}/.pnpm/pack@${version}/node_modules/pack/skills/tool`, { description: `Is of ${version}.` });
    link(`${MODULES}/pack`, '.pnpm/pack@1.0.0/node_modules/pack');
    await opened.whole({ npm: true });
    fs.rmSync(path.join(place.root, MODULES, 'pack'));
    link(`${MODULES}/pack`, '.pnpm/pack@2.0.0/node_modules/pack');
    const { view } = await opened.view({ npm: true });
    expect(await view.resolve('tool')).toMatchObject({ kind: 'found', entry: { description: 'Is of 2.0.0.' } });
  });
});
