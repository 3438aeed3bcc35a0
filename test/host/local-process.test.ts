import { MEMORY_BOUND } from '../helpers/memory-bound.ts';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { CommandRequest } from '../../src/host/host.ts';
import { localCommands } from '../../src/host/local-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { processesWith } from '../helpers/processes-with.ts';

const start = localCommands();
const PATH = process.env['PATH'] ?? '';

async function run(script: string, more: Partial<CommandRequest> = {}): Promise<{ code: number | null; signal: string | null; error?: string; out: string; err: string }> {
  let out = '';
  let err = '';
  const running = start({
    argv: ['bash', '-c', script],
    cwd: '/',
    env: { PATH },
    onOutput: (chunk, stream) => {
      if (stream === 'stdout') out += Buffer.from(chunk).toString();
      else err += Buffer.from(chunk).toString();
    },
    ...more,
  });
  return { ...(await running.exit), out, err };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !condition(); tries++) await new Promise((resolve) => setTimeout(resolve, 25));
  expect(condition()).toBe(true);
}

test('exit status, both streams, folder, environment and nothing inherited', async () => {
  const cwd = temporaryFolder();
  const result = await run('pwd; echo "$ONLY"; env | grep -c HOME; echo oops >&2; exit 3', { cwd, env: { PATH, ONLY: 'this' } });
  expect(result).toMatchObject({ code: 3, signal: null, out: `${cwd}\nthis\n0\n`, err: 'oops\n' });
});

test('standard input is written as it comes and ends when nothing more does', async () => {
  const pieces = async function* (): AsyncGenerator<string> {
    for (const piece of ['one\n', 'two\n']) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield piece;
    }
  };
  expect(await run('while read -r line; do echo "got $line"; done; echo end', { stdin: pieces() })).toMatchObject({ code: 0, out: 'got one\ngot two\nend\n' });
  expect(await run('exec <&-; exit 4', { stdin: pieces() })).toMatchObject({ code: 4 });
});

test('standard input is empty unless given, and need not be read', async () => {
  expect((await run('cat; echo end')).out).toBe('end\n');
  expect((await run('cat', { stdin: 'hello' })).out).toBe('hello');
  expect(await run('exit 0', { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ code: 0 });
});

test('what cannot be started is said', async () => {
  expect(await run('', { argv: ['no-such-program-here'] })).toMatchObject({ code: null, error: 'the program no-such-program-here was not found' });
  expect(await run('true', { cwd: '/no/such/folder' })).toMatchObject({ error: 'the folder /no/such/folder does not exist' });
  expect((await run('', { argv: [] })).error).toBe('the command is empty');
  expect((await run('a\0b')).error).toBeTruthy();
});

test('the output of the last moment is complete', async () => {
  const { out } = await run('head -c 3000000 /dev/zero | tr "\\0" x');
  expect(out.length).toBe(3_000_000);
});

test.each([
  ['a plain sleep', 'sleep 987001'],
  ['a process that ignores SIGTERM', 'trap "" TERM; while :; do sleep 987002; done'],
  ['children with a session of their own and without a parent', '(setsid sh -c "sleep 987003 & sleep 987003 & wait" &) ; sleep 987003'],
  ['nohup in the background', 'nohup sleep 987004 >/dev/null 2>&1 & sleep 987004'],
  ['a double fork with setsid that ignores SIGTERM', 'setsid -f bash -c "trap \'\' TERM; while :; do sleep 987005; done"; sleep 987005'],
])('stop ends the whole tree: %s', async (_, script) => {
  const mark = /98700\d/.exec(script)?.[0] ?? '';
  const running = start({ argv: ['bash', '-c', script], cwd: '/', env: { PATH } });
  await until(() => processesWith(`sleep\0${mark}`).length > 0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const began = Date.now();
  await running.stop(500);
  await running.exit;
  expect(Date.now() - began).toBeLessThan(5_000);
  expect(processesWith(mark)).toEqual([]);
});

test('what a command leaves in its group ends with it', async () => {
  const began = Date.now();
  const { code, out } = await run('sleep 987006 & (trap "" TERM; sleep 987006) & echo started');
  expect({ code, out }).toEqual({ code: 0, out: 'started\n' });
  expect(Date.now() - began).toBeLessThan(5_000);
  expect(processesWith('987006')).toEqual([]);
});

test('somebody outside the group who holds the pipe does not hold up the end', async () => {
  const began = Date.now();
  const { out } = await run('setsid -f sleep 12.987007; echo started');
  expect(out).toBe('started\n');
  expect(Date.now() - began).toBeLessThan(8_000);
});

test('a stop after the end is harmless', async () => {
  const running = start({ argv: ['true'], cwd: '/', env: { PATH } });
  expect(await running.exit).toEqual({ code: 0, signal: null });
  await running.stop();
});

test('1 GB of output passes through in bounded memory', async () => {
  let bytes = 0;
  const before = process.memoryUsage.rss();
  let most = 0;
  const result = await run('head -c 1000000000 /dev/zero', {
    onOutput: (chunk) => {
      bytes += chunk.length;
      most = Math.max(most, process.memoryUsage.rss() - before);
    },
  });
  expect(result.code).toBe(0);
  expect(bytes).toBe(1_000_000_000);
  expect(most).toBeLessThan(MEMORY_BOUND);
}, 60_000);

test('the folder of a command may hold odd characters', async () => {
  const cwd = path.join(temporaryFolder(), 'a "b" $c ünï');
  fs.mkdirSync(cwd);
  expect((await run('pwd', { cwd })).out).toBe(`${cwd}\n`);
});
