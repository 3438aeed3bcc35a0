import { MEMORY_BOUND } from '../helpers/memory-bound.ts';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { builtinTools } from '../../src/tools/tool-set.ts';
import { memoryHost } from '../../src/testing/memory-host.ts';
import { makeBench } from './context.ts';
import { processesWith } from '../helpers/processes-with.ts';

test('output of both streams in order, exit status and duration', async () => {
  const bench = makeBench();
  const good = await bench.call('Bash', { command: 'echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three; pwd' });
  expect(good).toMatchObject({ status: 'ok', text: `one\ntwo\nthree\n${bench.cwd}`, details: { exit_code: 0, timed_out: false } });
  expect(good.details?.['duration_ms']).toBeGreaterThanOrEqual(150);
  expect(bench.emitted.join('')).toBe(`one\ntwo\nthree\n${bench.cwd}\n`);
  expect(await bench.call('Bash', { command: 'echo no; exit 7' })).toMatchObject({ status: 'error', text: 'no\n[Exit code 7]', details: { exit_code: 7 } });
  expect((await bench.call('Bash', { command: 'true' })).text).toBe('(no output)');
  expect((await bench.call('Bash', { command: 'kill -9 $$' })).text).toBe('[Ended by signal SIGKILL]');
  expect((await bench.call('Bash', { command: '[[ a == a ]] && read -r x; echo "got:$x"' })).text).toBe('got:');
});

test('impossible commands are told', async () => {
  const bench = makeBench();
  expect((await bench.call('Bash', { command: '  ' })).text).toBe('The command is empty.');
  expect((await bench.call('Bash', { command: 'a\0b' })).text).toContain('NUL');
  expect((await makeBench({ cwd: '/no/such/folder' }).call('Bash', { command: 'true' })).text).toContain('the folder /no/such/folder does not exist');
  expect((await bench.call('Bash', { command: `echo ${'x'.repeat(3_000_000)}` })).text).toContain('could not be started');
});

test('a command ends at its limit with all its processes', async () => {
  const bench = makeBench();
  const began = Date.now();
  const result = await bench.call('Bash', {
    command: 'echo begun; trap "" TERM; nohup sleep 98701 >/dev/null 2>&1 & (setsid bash -c "trap \'\' TERM; while :; do sleep 98701; done" &); while :; do sleep 98701; done',
    timeout_ms: '700',
  });
  expect(result).toMatchObject({ status: 'error', details: { exit_code: null, timed_out: true } });
  expect(result.text).toMatch(/^begun\n\[Ended after its limit of 700 ms/);
  expect(Date.now() - began).toBeLessThan(6_000);
  expect(processesWith('98701')).toEqual([]);
});

test('an abort ends the command', async () => {
  const bench = makeBench();
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 200);
  const result = await bench.call('Bash', { command: 'echo x; sleep 98702' }, { signal: abort.signal });
  expect(result).toMatchObject({ status: 'error', text: expect.stringContaining('x\n[Cancelled') });
  expect(processesWith('98702')).toEqual([]);
});

test.each([
  ['stdout without line ends', 'head -c 1000000000 /dev/zero | tr "\\0" x'],
  ['stderr', 'yes 0123456789 | head -c 300000000 >&2'],
  ['bytes that are no UTF-8', 'head -c 300000000 /dev/zero | tr "\\0" "\\377"'],
])('much output is kept as head and tail in bounded memory: %s', async (_, command) => {
  const bench = makeBench();
  const before = process.memoryUsage.rss();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() - before)), 20);
  onTestFinished(() => clearInterval(watch));
  const result = await bench.call('Bash', { command: `printf 'first\\n'; ${command}; printf '\\nlast\\n'` });
  clearInterval(watch);
  expect(result.status).toBe('ok');
  expect(result.text.startsWith('first')).toBe(true);
  expect(result.text.endsWith('\nlast')).toBe(true);
  expect(result.text).toMatch(/\[\.\.\. \d+ bytes of output were dropped \.\.\.\]/);
  expect(result.text.length).toBeLessThanOrEqual(10 * 1024 * 1024 + 100);
  expect(bench.emitted.join('').length).toBeLessThan(300 * 1024);
  console.log(`most memory: ${(most / 1e6).toFixed(0)} MB`);
  expect(most).toBeLessThan(MEMORY_BOUND);
}, 60_000);

test('10 MB of output is complete, and characters that come in pieces stay whole', async () => {
  const bench = makeBench();
  const { text } = await bench.call('Bash', { command: 'yes äöü€😀 | head -c 9999990' });
  expect(Buffer.byteLength(text)).toBeGreaterThan(9_999_970);
  expect(text.replace(/.{0,8}$/, '')).not.toContain('\uFFFD');
  const parts = await bench.call('Bash', { command: "printf '\\303'; sleep 0.1; echo -n x >&2; sleep 0.1; printf '\\244\\n'" });
  expect(parts.text).toBe('xä');
});

test('a background command is read piece by piece and ended', async () => {
  const bench = makeBench();
  const started = await bench.call('Bash', { command: 'echo ready; while read -t 0.05 x || true; do echo tick; sleep 0.1; done', background: true });
  expect(started).toMatchObject({ status: 'ok', details: { bash_id: 'bash_1' } });
  await expect.poll(async () => (await bench.call('BashOutput', { bash_id: 'bash_1' })).text, { timeout: 5_000 }).toContain('tick');
  expect((await bench.call('BashOutput', { bash_id: 'bash_1', filter: 'nothing' })).text).toBe('(no new output)\n[still running]');
  expect((await bench.call('BashOutput', { bash_id: 'bash_1', filter: '(' })).text).toContain('filter cannot be used');
  expect(bench.context.shells.running()).toEqual(['bash_1']);
  expect((await bench.call('KillShell', { bash_id: 'bash_1' })).text).toBe('bash_1 was ended.');
  expect((await bench.call('KillShell', { shell_id: 'bash_1' })).text).toBe('bash_1 had ended before.');
  expect((await bench.call('BashOutput', { bash_id: 'bash_1' })).text).toContain('[ended by KillShell]');
  expect((await bench.call('BashOutput', { bash_id: 'bash_9' })).text).toBe('There is no background command bash_9. Known: bash_1.');
});

test('a background command that ends by itself tells its exit', async () => {
  const bench = makeBench();
  await bench.call('Bash', { command: 'echo out; exit 4', run_in_background: true });
  await expect.poll(() => bench.context.shells.running(), { timeout: 5_000 }).toEqual([]);
  expect((await bench.call('BashOutput', { bash_id: 'bash_1' })).text).toBe('out\n[ended with exit code 4]');
});

test('unread output of a background command is bounded, and the loss is told', async () => {
  const bench = makeBench();
  await bench.call('Bash', { command: 'yes 0123456789 | head -c 50000000; echo last', run_in_background: true });
  await expect.poll(() => bench.context.shells.running(), { timeout: 20_000 }).toEqual([]);
  const { text } = await bench.call('BashOutput', { bash_id: 'bash_1' });
  expect(text.length).toBeLessThan((1 << 20) + 200);
  expect(text).toMatch(/^\[\d+ characters were dropped before this\]/);
  expect(text).toContain('last\n[ended with exit code 0]');
}, 40_000);

test('a filter that would run for ever is stopped', async () => {
  const bench = makeBench();
  await bench.call('Bash', { command: `echo ${'a'.repeat(40)}b`, run_in_background: true });
  await expect.poll(() => bench.context.shells.running()).toEqual([]);
  expect((await bench.call('BashOutput', { bash_id: 'bash_1', filter: '^(a+)+$' })).text).toContain('filter cannot be used');
});

test('20 background commands end together in 2 s', async () => {
  const bench = makeBench();
  for (let index = 0; index < 20; index++) await bench.call('Bash', { command: 'trap "" TERM; while :; do sleep 98703; done', run_in_background: true });
  await expect.poll(() => processesWith('sleep\u000098703').length, { timeout: 10_000 }).toBe(20);
  const began = Date.now();
  await bench.context.shells.stopAll();
  console.log(`20 shells ended in ${Date.now() - began} ms`);
  // One after another they would take 20 s.
  expect(Date.now() - began).toBeLessThan(10_000);
  expect(processesWith('98703')).toEqual([]);
  expect(bench.context.shells.ids()).toEqual([]);
}, 40_000);

test('Windows runs PowerShell, a system without bash runs sh', async () => {
  const host = memoryHost({ command: () => ({ stdout: 'done' }) });
  const windows = makeBench({ host, cwd: '/w', tools: builtinTools({ platform: 'win32' }) });
  expect((await windows.call('Bash', { command: 'Get-ChildItem' })).text).toBe('done');
  const plain = makeBench({ host, cwd: '/w' });
  await plain.call('Bash', { command: 'ls' });
  expect(host.commands.map((command) => command.argv)).toEqual([
    ['powershell', '-NoProfile', '-NonInteractive', '-Command', 'Get-ChildItem'],
    ['sh', '-c', 'ls'],
  ]);
});

test('the time limit is the host clock\'s', async () => {
  const host = memoryHost({ command: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))) });
  const bench = makeBench({ host, cwd: '/w' });
  const call = bench.call('Bash', { command: 'sleep 999' });
  await new Promise((resolve) => setImmediate(resolve));
  await host.clock.advance(120_000);
  expect((await call).details).toMatchObject({ timed_out: true, duration_ms: 120_000 });
});

test('commands see no secrets of the process', async () => {
  process.env['TEST_API_KEY'] = 'sentinel-7f3a';
  onTestFinished(() => {
    delete process.env['TEST_API_KEY'];
  });
  const { text } = await makeBench().call('Bash', { command: 'env; cat /proc/$$/environ' });
  expect(text).not.toContain('sentinel');
  expect(text).toContain(path.dirname(process.env['HOME'] ?? ''));
});
