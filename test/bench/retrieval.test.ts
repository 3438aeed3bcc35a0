import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-retrieval-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function bench(...args: readonly string[]): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [path.join(ROOT, 'bench', 'retrieval.mjs'), ...args], { cwd: folder, encoding: 'utf8' });
}

function lines(...rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

const QUERIES = lines({ id: 'q1', text: 'fill a pdf form', relevant: ['a'] }, { id: 'q2', text: '画图表', relevant: ['b'] }, { id: 'q3', text: 'sign with hidden words', relevant: ['b'] });

function makeSet(): string {
  const set = path.join(folder, 'set');
  fs.mkdirSync(set);
  fs.writeFileSync(path.join(set, 'queries.jsonl.gz'), zlib.gzipSync(QUERIES));
  fs.writeFileSync(path.join(folder, 'docs.jsonl.gz'), zlib.gzipSync(lines({ id: 'a', name: 'pdf-forms', description: 'Fills forms.' }, { id: 'b', name: 'charts', description: 'Draws charts.', tags: ['plot'] })));
  // As a checkout without symbolic links leaves one.
  fs.writeFileSync(path.join(set, 'docs.jsonl.gz'), '../docs.jsonl.gz');
  return set;
}

function best(run: string): Record<string, string> {
  const rows = fs.readFileSync(run, 'utf8').trim().split('\n').map((line) => line.split('\t'));
  return Object.fromEntries(rows.reverse().map(([query = '', doc = '']) => [query, doc]));
}

test('wrong arguments: usage and exit 2', () => {
  for (const args of [[], ['set'], ['a', 'b', 'c'], ['a', 'b', '--bodys', 'c'], ['a', 'b', '--bodies']]) {
    const { status, stderr } = bench(...args);
    expect(stderr).toContain('usage: npm run bench:retrieval -- SET_DIR RUN_FILE');
    expect(status).toBe(2);
  }
});

test('a missing set, a broken archive and a broken line are named; no run is written', () => {
  const run = path.join(folder, 'x.run');
  const missing = bench(path.join(folder, 'none'), run);
  expect(missing.stderr).toMatch(/there is no .*none.*docs\.jsonl/);
  const set = makeSet();
  fs.writeFileSync(path.join(set, 'queries.jsonl.gz'), zlib.gzipSync(QUERIES).subarray(0, 40));
  const cut = bench(set, run);
  expect(cut.stderr).toMatch(/queries\.jsonl\.gz cannot be unpacked/);
  fs.writeFileSync(path.join(set, 'queries.jsonl.gz'), zlib.gzipSync('{"id":1}\n{"id"'));
  const broken = bench(set, run);
  expect(broken.stderr).toMatch(/queries\.jsonl\.gz, line 2/);
  expect([missing, cut, broken].map(({ status }) => status)).toEqual([1, 1, 1]);
  expect([missing, cut, broken].every(({ stderr }) => stderr.trim().split('\n').length === 1)).toBe(true);
  expect(fs.existsSync(run)).toBe(false);
});

test('a run for a set; bodies are found by the document\'s id, with tags of the frontmatter', () => {
  const set = makeSet();
  const run = path.join(folder, 'set.run');
  expect(bench(set, run)).toMatchObject({ status: 0, stderr: '' });
  expect(best(run)).toEqual({ q1: 'a', q2: 'b' });
  const bodies = path.join(folder, 'skills.jsonl.gz');
  fs.writeFileSync(bodies, zlib.gzipSync(lines({ id: 'a', body: 'Sign here.' }, { id: 'b', frontmatter: 'name: charts\ntags: [hidden, words]', body: 'Sign.' }, { id: 'c' })));
  expect(bench(set, run, '--bodies', bodies).status).toBe(0);
  expect(best(run)).toEqual({ q1: 'a', q2: 'b', q3: 'b' });
});
