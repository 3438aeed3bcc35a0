import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { GrepQuery } from '../../src/host/host.ts';
import { localSearch } from '../../src/host/local-search.ts';
import { temporaryFolder } from './temporary-folder.ts';

const search = localSearch();
const signal = new AbortController().signal;

/** A project without a repository, with ignore files at two levels, hidden files and a `.git`. */
function project(): string {
  const root = temporaryFolder();
  const files: Record<string, string> = {
    '.gitignore': 'dist/\n*.log\n!sub/keep.log\n',
    'sub/.gitignore': 'z.ts\n',
    '.git/config': 'needle\n',
    '.env.example': 'needle hidden\n',
    'a.ts': 'first\nneedle one\nlast\n',
    'b.log': 'needle ignored\n',
    'dist/out.ts': 'needle built\n',
    'sub/keep.log': 'needle kept\n',
    'sub/x.ts': 'nothing\nNeedle two\n',
    'sub/z.ts': 'needle ignored below\n',
    'sub/deep/y.md': 'needle\r\nthree\r\n',
  };
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
  return root;
}

async function grep(root: string, query: Partial<GrepQuery>): Promise<readonly string[]> {
  const result = await search.grep({ pattern: 'needle', path: root, ignoreCase: false, multiline: false, mode: 'files_with_matches', before: 0, after: 0, lineNumbers: true, limit: 100, ...query }, signal);
  expect(result.error).toBeUndefined();
  return result.lines.map((line) => line.replace(`${root}/`, ''));
}

async function glob(root: string, pattern: string, limit = 100): Promise<readonly string[]> {
  const result = await search.glob({ pattern, path: root, limit }, signal);
  expect(result.error).toBeUndefined();
  return result.lines.map((line) => line.replace(`${root}/`, '')).toSorted();
}

test('grep honours ignore files outside a repository, sees hidden files and never enters .git', async () => {
  expect(await grep(project(), {})).toEqual(['.env.example', 'a.ts', 'sub/deep/y.md', 'sub/keep.log']);
});

test('globs and types narrow without bringing ignored files back', async () => {
  const root = project();
  expect(await grep(root, { glob: '*.ts' })).toEqual(['a.ts']);
  expect(await grep(root, { glob: '**/*.{ts,md}' })).toEqual(['a.ts', 'sub/deep/y.md']);
  expect(await grep(root, { glob: 'sub/**' })).toEqual(['sub/deep/y.md', 'sub/keep.log']);
  expect(await grep(root, { glob: '!*.md' })).toEqual(['.env.example', 'a.ts', 'sub/keep.log']);
  expect(await grep(root, { glob: '*.md *.log,!y*' })).toEqual(['sub/keep.log']);
  expect(await grep(root, { type: 'ts' })).toEqual(['a.ts']);
  expect(await grep(root, { type: 'ts', glob: '*.md' })).toEqual([]);
  expect(await grep(root, { glob: '+(a|b).ts' })).toEqual(['a.ts']);
  expect(await grep(root, { glob: 'sub/*.log,sub/deep/*.md' })).toEqual(['sub/deep/y.md', 'sub/keep.log']);
  expect(await grep(root, { glob: 'sub/*' })).toEqual(['sub/keep.log']);
  expect(await grep(root, { glob: '!sub/*' })).toEqual(['.env.example', 'a.ts', 'sub/deep/y.md']);
});

test('content comes with line numbers and context, files in order of their paths', async () => {
  const root = project();
  expect(await grep(root, { mode: 'content', glob: '*.ts', before: 1, after: 1, ignoreCase: true })).toEqual([
    'a.ts-1-first', 'a.ts:2:needle one', 'a.ts-3-last', 'sub/x.ts-1-nothing', 'sub/x.ts:2:Needle two',
  ]);
  expect(await grep(root, { mode: 'content', glob: '*.ts', lineNumbers: false })).toEqual(['a.ts:needle one']);
  expect(await grep(root, { mode: 'count' })).toEqual(['.env.example:1', 'a.ts:1', 'sub/deep/y.md:1', 'sub/keep.log:1']);
  expect(await grep(path.join(root, 'a.ts'), { mode: 'content' })).toEqual([`${root}/a.ts:2:needle one`]);
});

test('CRLF, several lines, look-around and patterns that begin with a dash', async () => {
  const root = project();
  expect(await grep(root, { mode: 'content', pattern: 'needle$', glob: '*.md' })).toEqual(['sub/deep/y.md:1:needle']);
  expect(await grep(root, { mode: 'content', pattern: 'needle one.last', multiline: true })).toEqual(['a.ts:2:needle one', 'a.ts:3:last']);
  expect(await grep(root, { pattern: 'needle(?= one)' })).toEqual(['a.ts']);
  expect(await grep(root, { pattern: '--needle' })).toEqual([]);
});

test('gaps within a file are marked, and the limit ends the search', async () => {
  const root = temporaryFolder();
  fs.writeFileSync(path.join(root, 'f'), 'hit\n\n\n\nhit\n');
  expect(await grep(root, { mode: 'content', pattern: 'hit', after: 1 })).toEqual(['f:1:hit', 'f-2-', '--', 'f:5:hit']);
  fs.writeFileSync(path.join(root, 'many'), 'hit\n'.repeat(500_000));
  const result = await search.grep({ pattern: 'hit', path: root, ignoreCase: false, multiline: false, mode: 'content', before: 0, after: 0, lineNumbers: true, limit: 3 }, signal);
  expect(result.lines.length).toBe(3);
  expect(result.truncated).toBe(true);
});

test('very long lines are cut', async () => {
  const root = temporaryFolder();
  fs.writeFileSync(path.join(root, 'f'), `needle ${'x'.repeat(2_000_000)}\n`);
  const [line] = await grep(root, { mode: 'content' });
  expect(line?.length).toBeLessThan(1_200);
  expect(line).toContain('f:1:needle');
});

test('bad patterns, types, programs and an abort are errors; unreadable files are a warning', async () => {
  const root = project();
  const query = { pattern: 'needle', path: root, ignoreCase: false, multiline: false, mode: 'content' as const, before: 0, after: 0, lineNumbers: true, limit: 9 };
  expect((await search.grep({ ...query, pattern: '(' }, signal)).error).toContain('regex parse error');
  expect((await search.grep({ ...query, type: 'nonsense' }, signal)).error).toContain('nonsense');
  expect((await search.grep({ ...query, path: `${root}/none` }, signal)).warning).toContain('No such file');
  const aborted = AbortSignal.abort();
  expect((await search.grep(query, aborted)).error).toBe('the search was cancelled');
  const missing = localSearch({ ripgrep: () => Promise.reject(new Error('the search program ripgrep is not installed')) });
  expect((await missing.grep(query, signal)).error).toContain('not installed');
  expect((await missing.glob({ pattern: '*', path: root, limit: 1 }, signal)).error).toContain('not installed');
  const broken = localSearch({ ripgrep: () => Promise.resolve('/no/such/rg') });
  expect((await broken.grep(query, signal)).error).toContain('could not be started');
});

test('an abort ends a running search', async () => {
  const root = temporaryFolder();
  const abort = new AbortController();
  const slow = path.join(root, 'slow-rg');
  fs.writeFileSync(slow, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const running = localSearch({ ripgrep: () => Promise.resolve(slow) }).glob({ pattern: '*', path: root, limit: 1 }, abort.signal);
  setTimeout(() => abort.abort(), 100);
  expect((await running).error).toBe('the search was cancelled');
});

test('globs are relative to their folder and match as in a shell', async () => {
  const root = project();
  expect(await glob(root, '**/*.ts')).toEqual(['a.ts', 'sub/x.ts']);
  expect(await glob(root, '*.ts')).toEqual(['a.ts']);
  expect(await glob(root, 'sub/*')).toEqual(['sub/.gitignore', 'sub/keep.log', 'sub/x.ts']);
  expect(await glob(root, 'sub/**/*.{md,ts}')).toEqual(['sub/deep/y.md', 'sub/x.ts']);
  expect(await glob(root, '**/.env*')).toEqual(['.env.example']);
  expect(await glob(root, '**/config')).toEqual([]);
  expect(await glob(root, '{a,b}.ts')).toEqual(['a.ts']);
  expect(await glob(root, '{sub/x,a}.ts')).toEqual(['a.ts', 'sub/x.ts']);
  expect(await glob(root, '**/[ax].ts')).toEqual(['a.ts', 'sub/x.ts']);
});

test('the newest file comes first, and the limit is said', async () => {
  const root = temporaryFolder();
  ['old', 'new', 'middle'].forEach((name) => fs.writeFileSync(path.join(root, name), ''));
  fs.utimesSync(path.join(root, 'old'), 1, 1);
  fs.utimesSync(path.join(root, 'middle'), 2, 2);
  const result = await search.glob({ pattern: '**/*', path: root, limit: 2 }, signal);
  expect(result).toEqual({ lines: [path.join(root, 'new'), path.join(root, 'middle')], truncated: true });
});

test('names with blanks, line ends, quotes and other scripts come out as they are', async () => {
  const root = temporaryFolder();
  const names = ['a b.txt', 'line\nend.txt', '"quoted".txt', 'ünï.txt', '-rf.txt', '日本.txt'];
  for (const name of names) fs.writeFileSync(path.join(root, name), 'needle\n');
  expect(await glob(root, '*.txt')).toEqual(names.toSorted());
  expect((await grep(root, {})).toSorted()).toEqual(names.toSorted());
});
