import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeBench } from './context.ts';

function project(): ReturnType<typeof makeBench> {
  const bench = makeBench();
  bench.write('src/a.ts', 'import x\nconst needle = 1;\nend\n');
  bench.write('src/deep/b.ts', 'needle\nneedle\n');
  bench.write('docs/c.md', 'Needle\n');
  bench.write('.gitignore', 'out/\n');
  bench.write('out/d.ts', 'needle\n');
  return bench;
}

test('Glob gives paths relative to the session folder', async () => {
  const bench = project();
  expect((await bench.call('Glob', { pattern: 'src/**/*.ts' })).text.split('\n').toSorted()).toEqual(['src/a.ts', 'src/deep/b.ts']);
  expect((await bench.call('Glob', { pattern: '**/b.*', base_dir: 'src' })).text).toBe('src/deep/b.ts');
  expect((await bench.call('Glob', { pattern: `${bench.cwd}/docs/*` })).text).toBe('docs/c.md');
  expect((await bench.call('Glob', { pattern: 'b.ts' })).text).toBe('No files match. To search all folders below, use "**/b.ts".');
  expect((await bench.call('Glob', { pattern: '*', path: 'none' })).text).toBe('The folder none does not exist.');
  expect((await bench.call('Glob', { pattern: '*', path: 'src/a.ts' })).text).toBe('src/a.ts is not a folder.');
  expect((await bench.call('Glob', { pattern: '*/../../*' })).text).toContain('".." behind a wildcard');
  expect((await bench.call('Glob', { pattern: '' })).status).toBe('error');
  const elsewhere = makeBench();
  expect((await elsewhere.call('Glob', { pattern: `${bench.cwd}/src/*.ts` })).text).toBe(`${bench.cwd}/src/a.ts`);
});

test('Glob through a symlink shows the path that was meant', async () => {
  const bench = project();
  fs.symlinkSync('src', path.join(bench.cwd, 'link'));
  expect((await bench.call('Glob', { pattern: '*.ts', path: 'link' })).text).toBe('link/a.ts');
  expect((await bench.call('Grep', { pattern: 'import', path: 'link' })).text).toBe('link/a.ts');
});

test('Glob says where it was cut', async () => {
  const bench = makeBench();
  for (let index = 0; index < 201; index++) bench.write(`f${index}`, '');
  const lines = (await bench.call('Glob', { pattern: '*' })).text.split('\n');
  expect(lines.length).toBe(201);
  expect(lines.at(-1)).toBe('[Only the first 200 files: narrow the pattern]');
});

test('Grep in its three modes, with the names and aliases of its arguments', async () => {
  const bench = project();
  expect((await bench.call('Grep', { pattern: 'needle' })).text).toBe('src/a.ts\nsrc/deep/b.ts');
  expect((await bench.call('Grep', { pattern: 'needle', case_insensitive: 'true' })).text).toBe('docs/c.md\nsrc/a.ts\nsrc/deep/b.ts');
  expect((await bench.call('Grep', { pattern: 'needle', output_mode: 'count' })).text).toBe('src/a.ts:1\nsrc/deep/b.ts:2');
  expect((await bench.call('Grep', { pattern: 'needle', output_mode: 'content', glob: 'a.*', '-C': 1 })).text).toBe('src/a.ts-1-import x\nsrc/a.ts:2:const needle = 1;\nsrc/a.ts-3-end');
  expect((await bench.call('Grep', { pattern: 'needle', output_mode: 'content', type: 'ts', '-n': false, path: 'src' })).text).toBe('src/a.ts:const needle = 1;\nsrc/deep/b.ts:needle\nsrc/deep/b.ts:needle');
  expect((await bench.call('Grep', { pattern: 'needle', output_mode: 'content', path: 'src/a.ts', '-B': 1 })).text).toBe('1-import x\n2:const needle = 1;');
  expect((await bench.call('Grep', { pattern: 'x.*end', multiline: true })).text).toBe('src/a.ts');
  expect((await bench.call('Grep', { pattern: 'needle', output_mode: 'content', head_limit: 1 })).text).toContain('[Only the first 1 lines');
  expect((await bench.call('Grep', { pattern: 'absent' })).text).toBe('No matches.');
});

test('Grep tells what was wrong', async () => {
  const bench = project();
  expect((await bench.call('Grep', { pattern: '(' })).text).toContain('The search failed: regex parse error');
  expect((await bench.call('Grep', { pattern: 'x', path: 'scr' })).text).toBe('scr does not exist. Did you mean src?');
});

test('searches of one folder run side by side', async () => {
  const bench = project();
  let inside = 0;
  let most = 0;
  const { search } = bench.context.host;
  const host = {
    ...bench.context.host,
    search: {
      ...search,
      grep: async (...args: Parameters<typeof search.grep>) => {
        most = Math.max(most, ++inside);
        const result = await search.grep(...args);
        inside--;
        return result;
      },
    },
  };
  await Promise.all([1, 2, 3].map(() => bench.call('Grep', { pattern: 'needle' }, { host })));
  expect(most).toBe(3);
});

test('LS lists folders first-hand', async () => {
  const bench = project();
  fs.symlinkSync('src', path.join(bench.cwd, 'link'));
  expect((await bench.call('LS', {})).text).toBe('.gitignore\ndocs/\nlink@\nout/\nsrc/');
  expect((await bench.call('LS', { dir_path: 'src', ignore: '*.ts' })).text).toBe('deep/');
  expect((await bench.call('LS', { path: 'src/a.ts' })).text).toBe('src/a.ts is not a folder. Use Read for files.');
  fs.mkdirSync(path.join(bench.cwd, 'empty'));
  expect((await bench.call('LS', { path: 'empty' })).text).toBe('(the folder is empty)');
});
