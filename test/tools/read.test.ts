import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeBench } from './context.ts';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test('lines are numbered from the offset on', async () => {
  const bench = makeBench();
  bench.write('a.txt', 'one\ntwo\r\nthree\nfour');
  expect((await bench.call('Read', { file_path: 'a.txt' })).text).toBe('     1\tone\n     2\ttwo\n     3\tthree\n     4\tfour');
  expect((await bench.call('Read', { file_path: 'a.txt', offset: 2, limit: 1 })).text).toBe('     2\ttwo\n[The file goes on: next offset 3]');
  expect((await bench.call('Read', { file_path: 'a.txt', offset: 4, limit: 9 })).text).toBe('     4\tfour');
  expect(await bench.call('Read', { file_path: 'a.txt', offset: 9 })).toMatchObject({ status: 'error', text: 'a.txt has 4 lines; offset 9 lies behind its end.' });
});

test('the stamp of what was read is told by real path', async () => {
  const bench = makeBench();
  const file = bench.write('real/a.txt', 'x');
  fs.symlinkSync('real', path.join(bench.cwd, 'link'));
  const { details } = await bench.call('Read', { path: 'link/a.txt' });
  expect(Object.keys(Object(details?.['stamps']))).toEqual([file]);
});

test('long files are cut between lines at 2,000 lines or the size of a result', async () => {
  const bench = makeBench();
  bench.write('lines', Array.from({ length: 5_000 }, (_, index) => `${index + 1}`).join('\n'));
  const lines = (await bench.call('Read', { file_path: 'lines' })).text.split('\n');
  expect(lines.length).toBe(2_001);
  expect(lines.at(-1)).toBe('[The file goes on: next offset 2001]');
  bench.write('wide', `${'w'.repeat(1_000)}\n`.repeat(100));
  const { text } = await bench.call('Read', { file_path: 'wide' });
  expect(text.length).toBeLessThanOrEqual(30_000);
  expect(text).toMatch(/\[The file goes on: next offset 29\]$/);
});

test('long lines are cut without splitting a character', async () => {
  const bench = makeBench();
  bench.write('f', `${'x'.repeat(1_999)}😀${'y'.repeat(10_000)}\nnext\n`);
  const { text } = await bench.call('Read', { file_path: 'f' });
  expect(text).toContain(`${'x'.repeat(1_999)}... [10004 more bytes in this line]\n     2\tnext`);
});

test('a file of 1 GB is read in ranges with bounded memory', async () => {
  const bench = makeBench();
  const file = bench.write('big.log', 'a line\n'.repeat(3_000));
  fs.truncateSync(file, 1_000_000_000);
  fs.appendFileSync(file, '\nlast\n');
  const before = process.memoryUsage.rss();
  expect((await bench.call('Read', { file_path: 'big.log', limit: 2 })).text).toBe('     1\ta line\n     2\ta line\n[The file goes on: next offset 3]');
  expect((await bench.call('Read', { file_path: 'big.log', offset: 3_000 })).text).toContain('Line 3001 is longer than 16 MiB');
  expect((await bench.call('Read', { file_path: 'big.log', offset: 3_002 })).text).toBe('  3002\tlast');
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 << 20);
});

test('a text of 300 MB is read at its end', async () => {
  const bench = makeBench();
  const file = path.join(bench.cwd, 'long.txt');
  execFileSync('bash', ['-c', `yes 'a line of text that is not short at all' | head -c 300000000 > ${file}; printf '\\nlast' >> ${file}`]);
  const lines = Number(execFileSync('wc', ['-l', file]).toString().split(' ')[0]);
  const before = process.memoryUsage.rss();
  expect((await bench.call('Read', { file_path: 'long.txt', offset: lines + 1 })).text).toBe(`${String(lines + 1).padStart(6)}\tlast`);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 << 20);
  fs.rmSync(file);
}, 60_000);

test('a line without end stops the reading', async () => {
  const bench = makeBench();
  const file = path.join(bench.cwd, 'endless');
  execFileSync('bash', ['-c', `printf 'head\\n' > ${file}; head -c 40000000 /dev/zero | tr '\\0' x >> ${file}`]);
  expect((await bench.call('Read', { file_path: 'endless' })).text).toBe('     1\thead\n[Line 2 is longer than 16 MiB: use a command to look into it]');
});

test('what is no text is refused with its kind and size', async () => {
  const bench = makeBench();
  bench.write('a.zip', Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(2_000)]));
  bench.write('b.bin', Buffer.from([1, 0, 2, 0]));
  bench.write('c.gz', Buffer.from('1f8b0801020304050607', 'hex'));
  bench.write('BMW.txt', 'BMW is a maker of cars\n');
  expect((await bench.call('Read', { file_path: 'a.zip' })).text).toBe('a.zip is a binary file (ZIP archive or office document, 2.0 kB) and cannot be read as text. Look into it with a command that knows the format.');
  expect((await bench.call('Read', { file_path: 'b.bin' })).text).toContain('(unknown type, 4 bytes)');
  expect((await bench.call('Read', { file_path: 'c.gz' })).text).toContain('gzip archive');
  expect((await bench.call('Read', { file_path: 'BMW.txt' })).status).toBe('ok');
});

test('encodings: BOM is not shown, invalid bytes are said, UTF-16 is read', async () => {
  const bench = makeBench();
  bench.write('bom.txt', '\uFEFFhello');
  bench.write('bad.txt', Buffer.from([0x61, 0xff, 0x62, 0x0a]));
  bench.write('replaced.txt', 'a\uFFFDb\n');
  bench.write('wide.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße\nzwei', 'utf16le')]));
  expect((await bench.call('Read', { file_path: 'bom.txt' })).text).toBe('     1\thello');
  expect((await bench.call('Read', { file_path: 'bad.txt' })).text).toContain('a\uFFFDb\n[Bytes that are not valid UTF-8');
  expect((await bench.call('Read', { file_path: 'replaced.txt' })).text).toBe('     1\ta\uFFFDb');
  expect((await bench.call('Read', { file_path: 'wide.txt' })).text).toBe('     1\tGrüße\n     2\tzwei\n[The file is UTF-16LE, not UTF-8]');
});

test('pictures and PDFs are parts where the model takes them', async () => {
  const bench = makeBench();
  bench.write('p.png', PNG);
  bench.write('fake.png', 'no picture');
  bench.write('d.pdf', '%PDF-1.7\nrest');
  bench.write('huge.png', Buffer.concat([PNG, Buffer.alloc(5_000_000)]));
  expect((await bench.call('Read', { file_path: 'p.png' })).content[1]).toEqual({ type: 'image', media_type: 'image/png', data: PNG.toString('base64') });
  expect((await bench.call('Read', { file_path: 'd.pdf' })).content[1]).toMatchObject({ type: 'document', media_type: 'application/pdf', name: 'd.pdf' });
  const nothing = { accepts: { images: false, documents: false } };
  expect(await bench.call('Read', { file_path: 'p.png' }, nothing)).toMatchObject({ status: 'error', text: expect.stringContaining('does not take any') });
  expect(await bench.call('Read', { file_path: 'd.pdf' }, nothing)).toMatchObject({ status: 'error', text: expect.stringContaining('pdftotext') });
  expect((await bench.call('Read', { file_path: 'fake.png' })).text).toBe('fake.png has the name of a PNG file, but its content is text.');
  expect((await bench.call('Read', { file_path: 'huge.png' })).text).toContain('at most 3.9 MB');
});

test('notebooks come as cells with their outputs', async () => {
  const bench = makeBench();
  const cells = [
    { cell_type: 'markdown', id: 'm', source: ['# Title\n', 'text'] },
    { cell_type: 'code', source: 'print(1)', outputs: [{ output_type: 'stream', text: ['1\n'] }, { output_type: 'display_data', data: { 'text/plain': '<Figure>', 'image/png': 'xx' } }, { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001b[31mboom\u001b[0m'] }] },
  ];
  bench.write('n.ipynb', JSON.stringify({ cells, nbformat: 4, nbformat_minor: 5 }));
  bench.write('bad.ipynb', '{');
  expect((await bench.call('Read', { file_path: 'n.ipynb' })).text).toBe(
    '<cell id="m" index="0" type="markdown">\n# Title\ntext\n</cell>\n<cell id="1" index="1" type="code">\nprint(1)\n<output>\n1\n\n<Figure>\n[image/png output not shown]\nboom\n</output>\n</cell>',
  );
  expect((await bench.call('Read', { file_path: 'bad.ipynb' })).text).toContain('is no valid notebook');
});

test('what is not there, is a folder, or is no file', async () => {
  const bench = makeBench();
  bench.write('src/parser.ts', '');
  execFileSync('mkfifo', [path.join(bench.cwd, 'pipe')]);
  expect((await bench.call('Read', { file_path: 'src/parsr.ts' })).text).toBe('src/parsr.ts does not exist. Did you mean parser.ts?');
  expect((await bench.call('Read', { file_path: 'none/x' })).text).toBe('none/x does not exist, nor does its folder.');
  expect((await bench.call('Read', { file_path: 'src' })).text).toBe('src is a folder, not a file. Use LS to list it.');
  expect((await bench.call('Read', { file_path: 'pipe' })).text).toContain('device, pipe or socket');
  expect((await bench.call('Read', { file_path: '/dev/zero' })).text).toContain('device, pipe or socket');
  expect((await bench.call('Read', { file_path: 'src/parser.ts' })).text).toBe('(the file is empty)');
  expect((await bench.call('Read', { file_path: 'a\0b' })).text).toContain('NUL');
  expect((await bench.call('Read', { file_path: 'src/parser.ts/x' })).status).toBe('error');
});
