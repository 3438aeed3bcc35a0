import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../store/child.ts';
import { makePlace, type Place } from '../place.ts';
import { fileIn, openIndex, usualRoot } from './open.ts';

let folder: string;
let place: Place;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skill-index-processes-'));
  fs.symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'dir');
  const entry = path.join(folder, 'entry.ts');
  fs.writeFileSync(entry, `export { SkillIndex } from '${path.resolve('src/skills/index/skill-index.ts')}';\nexport { localTree } from '${path.resolve('src/host/local-tree.ts')}';\n`);
  const bundle = await rolldown({ input: entry, platform: 'node', external: [/^node:/, 'libsql'] });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'index.mjs' });
  await bundle.close();
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

/** A program that opens the index of the place; `text` finds `index`, `view` and `whole`. */
const program = (name: string, text: string): string => {
  const file = path.join(folder, `${name}.mjs`);
  fs.writeFileSync(file, `
import { SkillIndex, localTree } from './index.mjs';
const [home, cwd, file] = ${JSON.stringify([place.home, place.project, fileIn(place)])};
const index = new SkillIndex({ tree: localTree(), program: '1.0.0', worker: String(process.pid), now: Date.now, file });
const view = (budgetMs = 0) => index.openView({ tree: localTree(), cwd, home, dataFolder: home + '/.skillmint', env: {}, visibilityKey: '', budgetMs });
const whole = async () => { await index.fill((await view()).roots); return view(); };
${text}
await index.close();
`);
  return file;
};
const fill = (count: number): void => {
  for (let i = 0; i < count; i += 1) place.skill(`home/.claude/skills/s${i}`, { description: `Deals with matter${i}.`, body: `Words of its own: w${i} v${i % 97} u${i % 13}.\n`.repeat(5) });
};

describe('two processes', () => {
  test('index the same skills at the same time: each skill is there once, and no word is lost', async () => {
    fill(1_500);
    const text = "const { view: all } = await whole();\nconsole.log(all.total, all.complete, (await all.rank('matter1234', 1))[0].entry.name, (await all.rank('w77', 3)).length);";
    const ended = await Promise.all([0, 1, 2].map((i) => run(process.execPath, [program(`same-${i}`, text)])));
    expect(ended).toEqual(ended.map(() => ({ code: 0, stdout: '1500 true s1234 1\n', stderr: '' })));
  }, 60_000);

  test('change and check skills at the same time: what is there in the end is what the files say', async () => {
    fill(300);
    await sleep(80);
    const text = (own: number): string => `
import fs from 'node:fs';
await whole();
for (let i = ${own}; i < 300; i += 2) {
  const folder = home + '/.claude/skills/s' + i;
  if (i % 6 === ${own}) fs.rmSync(folder, { recursive: true });
  else fs.writeFileSync(folder + '/SKILL.md', '---\\nname: s' + i + '\\ndescription: Deals with topic' + i + '.\\n---\\n');
  if (i % 30 === ${own}) { const at = await view(50); await at.view.rank('topic' + i, 8); await at.view.resolve('s' + i); await index.check(at.roots, 50); }
}`;
    const ended = await Promise.all([0, 1].map((own) => run(process.execPath, [program(`change-${own}`, text(own))])));
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual([{ code: 0, stderr: '' }, { code: 0, stderr: '' }]);
    await sleep(80);
    const { index, view } = openIndex(place);
    // The first one goes on where the others have stopped.
    for (let i = 0; i < 2; i += 1) await index.check((await view()).roots, 60_000);
    const { view: now } = await view();
    const catalogue = await place.discover();
    expect(now.total).toBe(catalogue.entries.length);
    for (const { name, description } of catalogue.entries) {
      expect((await now.rank(description, 1))[0]?.entry.name).toBe(name);
      expect(await now.resolve(name)).toMatchObject({ kind: 'found', entry: { description } });
    }
    await index.close();
  }, 60_000);
});

describe('a process that is killed', () => {
  test('in the middle of indexing leaves what it had written, and the next one goes on', async () => {
    fill(2_000);
    await sleep(80);
    const child = spawn(process.execPath, [program('killed', 'await whole();')], { stdio: 'ignore' });
    const written = (): number => {
      const { index } = openIndex(place);
      const [root] = index.store.roots([usualRoot(path.join(place.home, '.claude/skills'))]);
      const count = root ? index.store.places(root.id, 0, 5_000).length : 0;
      return void index.close(), count;
    };
    for (let i = 0; i < 400 && (!fs.existsSync(fileIn(place)) || written() < 300); i += 1) await sleep(20);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const kept = written();
    expect(kept).toBeGreaterThanOrEqual(300);
    expect(kept).toBeLessThan(2_000);
    const next = openIndex(place);
    const { view } = await next.whole();
    expect(next.reads.length).toBe(2_000 - kept);
    expect(view).toMatchObject({ total: 2_000, complete: true });
    expect((await view.rank('matter1', 1))[0]?.entry.name).toBe('s1');
    expect((await view.rank('matter1999', 1))[0]?.entry.name).toBe('s1999');
    await next.index.close();
  }, 60_000);

  test.each([40, 90, 150, 230, 330])('at any moment, here after %i ms, breaks nothing', async (ms) => {
    fill(600);
    await sleep(80);
    const child = spawn(process.execPath, [program(`killed-${ms}`, 'await whole();\nfor (;;) { const at = await view(50); await index.check(at.roots, 1000); }')], { stdio: 'ignore' });
    for (let i = 0; i < 400 && !fs.existsSync(fileIn(place)); i += 1) await sleep(5);
    await sleep(ms);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const { index, whole } = openIndex(place);
    const { view } = await whole();
    expect(index.takeNotices()).toEqual([]);
    expect(view).toMatchObject({ total: 600, complete: true });
    for (const i of [0, 299, 599]) expect((await view.rank(`matter${i}`, 1))[0]?.entry.name).toBe(`s${i}`);
    await index.close();
  }, 60_000);
});
