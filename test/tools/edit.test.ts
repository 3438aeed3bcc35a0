import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { backgroundShells } from '../../src/tools/background-shells.ts';
import { makeBench } from './context.ts';

function diffOf(details: JsonObject | undefined): string {
  const diff = details?.['diff'];
  return typeof diff === 'string' ? diff : 'no diff';
}

test('an edit replaces one place and tells the change', async () => {
  const bench = makeBench();
  bench.write('a.ts', 'const a = 1;\nconst b = 2;\n');
  await bench.call('Read', { file_path: 'a.ts' });
  const result = await bench.call('Edit', { file_path: 'a.ts', old_string: 'b = 2', new_string: 'b = 3;\nconst c = 4' });
  expect(result.text).toBe('Edited a.ts at line 2 (+2 -1 lines).');
  expect(bench.read('a.ts')).toBe('const a = 1;\nconst b = 3;\nconst c = 4;\n');
  expect(result.details).toMatchObject({ path: path.join(bench.cwd, 'a.ts'), added: 2, removed: 1 });
  expect(result.details?.['diff']).toBe('--- a.ts\n+++ a.ts\n@@ -1,2 +1,3 @@\n const a = 1;\n-const b = 2;\n+const b = 3;\n+const c = 4;\n');
  // The stamp of the write is known, so the next edit needs no new read.
  expect((await bench.call('Edit', { file_path: 'a.ts', old_string: 'a = 1', new_string: 'a = 9' })).status).toBe('ok');
});

test('a file must have been read, and not have changed since', async () => {
  const bench = makeBench();
  const file = bench.write('a', 'one');
  expect((await bench.call('Edit', { file_path: 'a', old_string: 'one', new_string: 'two' })).text).toContain('has not been read');
  expect((await bench.call('Write', { file_path: 'a', content: 'two' })).text).toContain('has not been read');
  await bench.call('Read', { file_path: 'a' });
  fs.writeFileSync(file, 'one more');
  expect((await bench.call('Edit', { file_path: 'a', old_string: 'one', new_string: 'two' })).text).toContain('has changed since it was read');
  expect((await bench.call('Write', { file_path: 'a', content: 'two' })).text).toContain('has changed since it was read');
  await bench.call('Read', { file_path: 'a' });
  expect((await bench.call('Write', { file_path: 'a', content: 'two' })).status).toBe('ok');
  expect(bench.read('a')).toBe('two');
  // What one session has read, another has not.
  expect((await bench.call('Edit', { file_path: 'a', old_string: 'two', new_string: 'x' }, { fileStamps: new Map(), shells: backgroundShells() })).text).toContain('has not been read');
});

test('several places need replace_all or more text', async () => {
  const bench = makeBench();
  bench.write('a', 'x\ny\nx\n');
  await bench.call('Read', { file_path: 'a' });
  expect((await bench.call('Edit', { file_path: 'a', old_string: 'x', new_string: 'z' })).text).toContain('stands 2 times in a (lines 1, 3)');
  const all = await bench.call('Edit', { file_path: 'a', old_string: 'x', new_string: 'z', replace_all: true });
  expect(all.text).toBe('Edited a in 2 places (+2 -2 lines).');
  expect(bench.read('a')).toBe('z\ny\nz\n');
});

test('CRLF and the byte order mark are kept', async () => {
  const bench = makeBench();
  bench.write('dos.txt', '\uFEFFone\r\ntwo\r\nthree\r\n');
  await bench.call('Read', { file_path: 'dos.txt' });
  await bench.call('Edit', { file_path: 'dos.txt', old_string: 'one\ntwo', new_string: '1\n2\n2b' });
  expect(bench.read('dos.txt')).toBe('\uFEFF1\r\n2\r\n2b\r\nthree\r\n');
  await bench.call('Edit', { file_path: 'dos.txt', old_string: 'three', new_string: '3\n4' });
  expect(bench.read('dos.txt')).toBe('\uFEFF1\r\n2\r\n2b\r\n3\r\n4\r\n');
  await bench.call('Edit', { file_path: 'dos.txt', old_string: '3\r\n4\r\n', new_string: 'end\r\n' });
  expect(bench.read('dos.txt')).toBe('\uFEFF1\r\n2\r\n2b\r\nend\r\n');
});

test('mixed line ends stay as they are around the change', async () => {
  const bench = makeBench();
  bench.write('m', 'a\nb\r\nc\nd\n');
  await bench.call('Read', { file_path: 'm' });
  await bench.call('Edit', { file_path: 'm', old_string: 'b\nc', new_string: 'B\nC' });
  expect(bench.read('m')).toBe('a\nB\r\nC\nd\n');
  await bench.call('Edit', { file_path: 'm', old_string: 'C\nd', new_string: 'c\nD' });
  expect(bench.read('m')).toBe('a\nB\r\nc\nD\n');
});

test('replacement text is taken as it is', async () => {
  const bench = makeBench();
  bench.write('a', 'x $& y');
  await bench.call('Read', { file_path: 'a' });
  await bench.call('Edit', { file_path: 'a', old_string: 'x', new_string: '$& $1 $$' });
  expect(bench.read('a')).toBe('$& $1 $$ $& y');
});

test('a text that is not there comes with a hint', async () => {
  const bench = makeBench();
  bench.write('a.py', 'def f():\n\treturn total\n\ndef g():\n    pass\n');
  await bench.call('Read', { file_path: 'a.py' });
  const edit = async (text: string): Promise<string> => (await bench.call('Edit', { file_path: 'a.py', old_string: text, new_string: 'x' })).text;
  expect(await edit('def f():\n    return total')).toContain('differs only in white space from line 1-2');
  expect(await edit('def f():\n    return total')).toContain('     2\t\\treturn total');
  expect(await edit('return totals')).toContain('The most similar line is:\n     2\t\\treturn total');
  expect(await edit('     1\tdef f():')).toContain('leave out the numbers');
  expect(await edit('qqqqqqqqqqq')).toContain('No line looks like it');
  expect(bench.read('a.py')).toContain('return total');
});

test('nothing to change, empty old text, missing and unsuitable files', async () => {
  const bench = makeBench();
  bench.write('a', 'x');
  bench.write('bad', Buffer.from([0x61, 0xff]));
  for (const name of ['a', 'bad']) await bench.call('Read', { file_path: name });
  expect((await bench.call('Edit', { file_path: 'a', old_string: 'x', new_string: 'x' })).text).toContain('the same');
  expect((await bench.call('Edit', { file_path: 'a', old_string: '', new_string: 'y' })).text).toContain('only creates new files');
  expect((await bench.call('Edit', { file_path: 'new/b', old_string: '', new_string: 'y\n' })).text).toBe('Created new/b (+1 -0 lines).');
  expect(bench.read('new/b')).toBe('y\n');
  expect((await bench.call('Edit', { file_path: 'none', old_string: 'x', new_string: 'y' })).text).toContain('does not exist');
  expect((await bench.call('Edit', { file_path: 'bad', old_string: 'a', new_string: 'y' })).text).toContain('not valid UTF-8');
  expect((await bench.call('Edit', { file_path: '.', old_string: 'a', new_string: 'y' })).text).toContain('is a folder');
});

test('edits of one file in one batch run one after the other', async () => {
  const bench = makeBench();
  bench.write('n', Array.from({ length: 20 }, (_, index) => `<${index}>`).join('\n'));
  await bench.call('Read', { file_path: 'n' });
  fs.symlinkSync('n', path.join(bench.cwd, 'alias'));
  const frozen = { fileStamps: new Map(bench.stamps) };
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => bench.call('Edit', { file_path: index % 2 ? 'n' : 'alias', old_string: `<${index}>`, new_string: `[${index}]` }, frozen)),
  );
  expect(results.map((result) => result.status)).toEqual(Array.from({ length: 20 }, () => 'ok'));
  expect(bench.read('n')).toBe(Array.from({ length: 20 }, (_, index) => `[${index}]`).join('\n'));
});

test('writing makes folders, keeps modes, and shows what changed', async () => {
  const bench = makeBench();
  expect((await bench.call('Write', { file_path: 'deep/er/f.sh', content: 'a\nb\n' })).text).toBe('Created deep/er/f.sh (+2 -0 lines).');
  fs.chmodSync(path.join(bench.cwd, 'deep/er/f.sh'), 0o755);
  await bench.call('Read', { file_path: 'deep/er/f.sh' });
  const second = await bench.call('Write', { file_path: 'deep/er/f.sh', content: 'a\nc\n' });
  expect(second.text).toBe('Wrote deep/er/f.sh (+1 -1 lines).');
  expect(second.details?.['diff']).toContain('-b\n+c');
  expect(fs.statSync(path.join(bench.cwd, 'deep/er/f.sh')).mode & 0o777).toBe(0o755);
  expect((await bench.call('Write', { file_path: 'deep/er/f.sh/x', content: '' })).status).toBe('error');
  expect((await bench.call('Write', { file_path: 'deep', content: '' })).text).toContain('is a folder');
});

test('diffs for faces are bounded', async () => {
  const bench = makeBench();
  const { details } = await bench.call('Write', { file_path: 'big', content: 'line\n'.repeat(50_000) });
  expect(diffOf(details).length).toBeLessThanOrEqual(20_000);
  expect(details?.['diff']).toMatch(/\.\.\. \d+ more lines$/);
  expect(details?.['added']).toBe(50_000);
  await bench.call('Read', { file_path: 'big' });
  const other = Array.from({ length: 50_000 }, (_, index) => `other ${index}`).join('\n');
  const rewritten = await bench.call('Write', { file_path: 'big', content: other });
  expect(rewritten.details).toMatchObject({ added: 50_000, removed: 50_000 });
  const oneLine = await bench.call('Write', { file_path: 'line', content: 'x'.repeat(100_000) });
  expect(diffOf(oneLine.details)).toMatch(/^--- line\n[^]{1,19900}$/);
});

test('a folder that takes no files is one clear line', async () => {
  const bench = makeBench();
  const result = await bench.call('Write', { file_path: '/proc/nothing/here', content: '' });
  expect(result.status).toBe('error');
  expect(result.text).toContain('/proc/nothing/here');
});
