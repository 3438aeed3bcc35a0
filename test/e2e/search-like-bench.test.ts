import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { makePlace, run } from './program.ts';

const WORK = ['invoices', 'meetings', 'photos', 'tables', 'recipes', 'contracts', 'tickets', 'maps', 'songs', 'tests', 'servers', 'letters'];
const DEEDS = ['Sorts', 'Translates', 'Checks', 'Draws', 'Compares', 'Archives', 'Summarises', 'Converts'];
const CHINESE = ['把会议记录整理成决定和任务', '检查合同中的风险条款', '把照片按时间排序'];
const QUESTIONS = ['compare two contracts', 'summarise the meeting of today', 'translate a letter, please', 'draw a map of the servers', 'which tests failed and why', '帮我检查这份合同', '整理照片', 'convert recipes to tables', 'archive old tickets', 'sort my songs by length'];

interface Doc {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

const DOCS: readonly Doc[] = [
  ...WORK.flatMap((work) => DEEDS.map((deed) => ({ name: `${work}-${deed.toLowerCase()}`, description: `${deed} ${work} of a team. Use when somebody has ${work} and wants them in order.` }))),
  ...CHINESE.map((description, i) => ({ name: `chinese-${i}`, description })),
].map((doc) => ({ id: doc.name, ...doc })).toSorted((a, b) => (a.name < b.name ? -1 : 1));

it('skills search and bench:retrieval rank alike', async () => {
  const place = makePlace();
  const set = path.join(place.root, 'set');
  fs.mkdirSync(set);
  const gz = (rows: readonly unknown[]): Buffer => zlib.gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  fs.writeFileSync(path.join(set, 'docs.jsonl.gz'), gz(DOCS));
  fs.writeFileSync(path.join(set, 'queries.jsonl.gz'), gz(QUESTIONS.map((text, i) => ({ id: `q${i}`, text, relevant: ['x'] }))));
  for (const { name, description } of DOCS) {
    const folder = path.join(place.data, 'skills', name);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`);
  }
  const out = path.join(place.root, 'run');
  const bench = spawnSync(process.execPath, ['bench/retrieval.mjs', set, out], { encoding: 'utf8' });
  expect([bench.status, bench.stderr]).toEqual([0, '']);
  const ranked = fs.readFileSync(out, 'utf8').trim().split('\n').map((line) => line.split('\t'));
  for (const [i, question] of QUESTIONS.entries()) {
    const { stdout, code } = await run(place, ['skills', 'search', question, '--json', '-k', '12']);
    expect(code).toBe(0);
    const found: readonly { readonly id: string; readonly name: string }[] = JSON.parse(stdout);
    const names = found.filter(({ id }) => id.startsWith('user:')).map(({ name }) => name).slice(0, 10);
    expect(names.length, question).toBeGreaterThan(0);
    expect(names, question).toEqual(ranked.filter(([query]) => query === `q${i}`).map(([, doc]) => doc).slice(0, names.length));
  }
}, 120_000);
