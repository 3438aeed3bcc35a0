import { expect, test } from 'vitest';
import { memoryHost } from '../../src/testing/memory-host.ts';

const signal = new AbortController().signal;
const query = { pattern: 'needle', path: '/w', ignoreCase: false, multiline: false, mode: 'content' as const, before: 0, after: 0, lineNumbers: true, limit: 10 };

test('files, folders and errors are as on a disk', async () => {
  const { files, tree, memory } = memoryHost({ files: { '/w/a.txt': 'one', '/w/sub/b.bin': new Uint8Array([1, 2]) } });
  expect(Buffer.from(await files.read('/w/a.txt')).toString()).toBe('one');
  expect(await files.list('/w')).toEqual([{ name: 'sub', kind: 'directory' }, { name: 'a.txt', kind: 'file' }]);
  const before = await files.stat('/w/a.txt');
  await files.write('/w/a.txt', 'two', { mode: 0o600 });
  const after = await files.stat('/w/a.txt');
  expect(after.mtimeMs).toBeGreaterThan(before.mtimeMs);
  expect(after.mode).toBe(0o600);
  await expect(files.read('/w')).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(files.write('/w/a.txt/x', '')).rejects.toMatchObject({ code: 'ENOTDIR' });
  expect(() => tree.read('/none')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  expect(['/w/sub', '/w/a.txt', '/none'].map(tree.isFolder)).toEqual([true, false, false]);
  await files.remove('/w/sub');
  expect(memory.paths()).toEqual(['/w/a.txt']);
});

test('it can be searched', async () => {
  const { search } = memoryHost({ files: { '/w/a.ts': 'x\nneedle\ny\n', '/w/sub/b.md': 'Needle\n' } });
  expect((await search.glob({ pattern: '**/*.ts', path: '/w', limit: 5 }, signal)).lines).toEqual(['/w/a.ts']);
  expect((await search.grep({ ...query, before: 1 }, signal)).lines).toEqual(['/w/a.ts-1-x', '/w/a.ts:2:needle']);
  expect((await search.grep({ ...query, ignoreCase: true, mode: 'files_with_matches', glob: '*.md' }, signal)).lines).toEqual(['/w/sub/b.md']);
  expect((await search.grep({ ...query, pattern: 'needle.y', multiline: true }, signal)).lines).toEqual(['/w/a.ts:2:needle', '/w/a.ts:3:y']);
  expect((await search.grep({ ...query, pattern: '(' }, signal)).error).toBeTruthy();
});

test('commands go to the handler; without one there is none', async () => {
  const host = memoryHost({ command: async ({ argv }, stop) => (argv[0] === 'wait' ? new Promise((resolve) => stop.addEventListener('abort', () => resolve({}))) : { stdout: 'hi', code: 2 }) });
  let out = '';
  const first = host.start({ argv: ['x'], cwd: '/', env: {}, onOutput: (chunk) => (out += Buffer.from(chunk).toString()) });
  expect(await first.exit).toEqual({ code: 2, signal: null });
  expect(out).toBe('hi');
  const second = host.start({ argv: ['wait'], cwd: '/', env: {} });
  await second.stop();
  expect((await second.exit).signal).toBe('SIGTERM');
  expect(host.commands.map((command) => command.argv[0])).toEqual(['x', 'wait']);
  expect((await memoryHost().start({ argv: ['x'], cwd: '/', env: {} }).exit).error).toContain('not found');
});

test('the clock moves only when told', async () => {
  const { clock } = memoryHost({ now: 1_000 });
  const woken: string[] = [];
  const sleepers = [clock.sleep(20).then(() => woken.push('late')), clock.sleep(10).then(() => woken.push('early'))];
  await clock.advance(15);
  expect(woken).toEqual(['early']);
  await clock.advance(5);
  await Promise.all(sleepers);
  expect(woken).toEqual(['early', 'late']);
  expect(clock.now()).toBe(1_020);
  await clock.sleep(1_000, AbortSignal.abort());
});
