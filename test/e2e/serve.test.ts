import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEvents, request, type Streamed } from '../server/open-server.ts';
import { makePlace, oneLineOf, run, withProvider } from './program.ts';
import { startServer, type Served } from './served.ts';

const ended = ({ data }: Streamed): boolean => data['type'] === 'turn.completed';
const BODY = { model: 'fake/m', mode: 'unrestricted' };

async function send({ ask }: Served, text: string): Promise<string> {
  const id = String((await ask('POST', '/api/sessions', { body: BODY })).json['id']);
  expect((await ask('POST', `/api/sessions/${id}/messages`, { body: { text } })).status).toBe(202);
  return id;
}

const follow = ({ port, token }: Served, id: string, until = ended): Promise<readonly Streamed[]> => readEvents({ port, server: { token } }, `/api/sessions/${id}/events`, { until });

describe('skillmint serve', () => {
  it('prints its token, keeps it for the next start, and ends with SIGTERM', async () => {
    const place = makePlace();
    const first = await startServer(place);
    expect(fs.statSync(path.join(place.data, 'serve-token')).mode & 0o777).toBe(0o600);
    first.running.child.kill('SIGTERM');
    expect(await first.running.ended).toMatchObject({ code: 0, stderr: '' });
    const second = await startServer(place);
    expect(second.token).toBe(first.token);
    expect((await second.ask('GET', '/health')).json).toMatchObject({ status: 'ok' });
  });

  it('takes the token of whoever starts it, and does not print that', async () => {
    const place = makePlace();
    const token = 'a-token-of-the-host-application';
    const served = await startServer(place, { env: { SKILLMINT_TOKEN: token } });
    expect(served.printed.join('\n')).not.toContain(token);
    expect((await served.ask('GET', '/api/sessions')).status).toBe(200);
    expect(fs.existsSync(path.join(place.data, 'serve-token'))).toBe(false);
  });

  it.each([
    [['--host', '0.0.0.0'], {}, 2, /--token-file/],
    [['--token-file', 'none'], {}, 2, /none cannot be read/],
    [[], { SKILLMINT_TOKEN: 'short' }, 2, /at least 16 characters/],
    [['--port', '70000'], {}, 2, /no port 70000/],
    [['--host', '192.0.2.1', '--token-file', 'token'], {}, 1, /no address 192\.0\.2\.1/],
  ])('does not start with %j %j', async (args, env, code, says) => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.project, 'token'), 'a-token-that-is-long-enough\n', { mode: 0o600 });
    expect(await run(place, ['serve', '--port', '0', ...args], { env })).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
  });

  it('names the port that is taken, and a token file that others can read', async () => {
    const place = makePlace();
    const other = net.createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await run(place, ['serve', '--port', `${port}`])).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} of 127.0.0.1 is taken`) });
    fs.writeFileSync(path.join(place.project, 'open'), 'a-token-that-is-long-enough\n', { mode: 0o644 });
    expect(await run(place, ['serve', '--token-file', 'open'])).toMatchObject({ code: 2, stderr: expect.stringContaining('chmod 600') });
  });

  it('that was killed goes on with its turns when it is started again, and a page that comes back misses nothing', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: [{ calls: [{ name: 'Bash', input: { command: 'echo once >> log; sleep 600' } }] }, 'went on'], settings: { sandbox: 'off' } });
    const first = await startServer(place);
    const id = await send(first, 'go');
    const seen = await follow(first, id, ({ data }) => data['type'] === 'tool.started');
    await expect.poll(() => fs.existsSync(path.join(place.project, 'log')), { timeout: 10_000 }).toBe(true);
    first.running.child.kill('SIGKILL');
    await first.running.ended;
    const second = await startServer(place, { port: first.port });
    const last = seen.at(-1)?.id ?? '0';
    const rest = await readEvents({ port: second.port, server: { token: second.token } }, `/api/sessions/${id}/events`, { headers: { 'last-event-id': last }, until: ended });
    expect(rest.at(-1)?.data).toMatchObject({ status: 'done', text: 'went on' });
    expect(rest.flatMap(({ data }) => (typeof data['seq'] === 'number' ? [data['seq']] : []))[0]).toBe(Number(last) + 1);
    expect(fs.readFileSync(path.join(place.project, 'log'), 'utf8')).toBe('once\n');
    expect(provider.requests).toHaveLength(2);
  });

  it('that is told to end while a turn runs ends soon, and the turn goes on with the next start', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [{ calls: [{ name: 'Bash', input: { command: 'touch begun; sleep 600' } }] }, 'went on'], settings: { sandbox: 'off' } });
    const first = await startServer(place);
    const id = await send(first, 'go');
    const stream = follow(first, id);
    await expect.poll(() => fs.existsSync(path.join(place.project, 'begun')), { timeout: 10_000 }).toBe(true);
    const began = performance.now();
    first.running.child.kill('SIGTERM');
    expect((await first.running.ended).code).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect((await stream).some(ended)).toBe(false);
    const second = await startServer(place);
    expect((await follow(second, id)).at(-1)?.data).toMatchObject({ status: 'done', text: 'went on' });
  });
});

describe('skillmint sidecar', () => {
  it('offers what helps a host application, and nothing else, to whoever has its token', async () => {
    const place = makePlace();
    const token = 'a-token-of-the-host-application';
    const served = await startServer(place, { command: 'sidecar', env: { SKILLMINT_TOKEN: token } });
    expect((await request(served.port, 'GET', '/health', {})).json).toMatchObject({ status: 'ok' });
    expect((await served.ask('POST', '/api/mcp/list-servers', { body: {} })).json).toEqual({ output: '[]' });
    expect((await served.ask('GET', '/api/sessions')).status).toBe(404);
    expect((await request(served.port, 'POST', '/api/mcp/list-servers', { body: {} })).status).toBe(401);
    served.running.child.kill('SIGTERM');
    expect(await served.running.ended).toMatchObject({ code: 0, stderr: '' });
    expect(fs.existsSync(path.join(place.data, 'skillmint.db'))).toBe(false);
  });
});

it('runs so many turns at the same time as there are workers; others are taken in, wait, and can be stopped', async () => {
  const place = makePlace();
  let running = 0;
  let most = 0;
  const step = async (): Promise<string> => {
    most = Math.max(most, (running += 1));
    await sleep(300);
    running -= 1;
    return 'done';
  };
  await withProvider(place, { steps: Array.from({ length: 8 }, () => step) });
  const served = await startServer(place, { args: ['--workers', '2'] });
  const ids = await Promise.all(Array.from({ length: 6 }, () => send(served, 'go')));
  const last = ids.at(-1) ?? '';
  expect((await served.ask('POST', `/api/sessions/${last}/cancel`)).status).toBe(200);
  const ends = await Promise.all(ids.map(async (id) => (await follow(served, id)).at(-1)?.data['status']));
  expect(ends.toSorted()).toEqual(['cancelled', 'done', 'done', 'done', 'done', 'done']);
  expect(most).toBe(2);
});

it('does not listen where another server works on the same data folder, and names it', async () => {
  const place = makePlace();
  const first = await startServer(place);
  const second = await run(place, ['serve', '--port', '0']);
  expect(second).toMatchObject({ code: 1, stdout: '' });
  expect(oneLineOf(second)).toMatch(new RegExp(`Process ${first.running.child.pid} works on the queue of turns already.*SKILLMINT_HOME`));
});

it('opens the interface in the browser of the machine, logged in; where there is none it says so and goes on', async () => {
  const place = makePlace();
  const bin = path.join(place.root, 'bin');
  fs.mkdirSync(bin);
  fs.symlinkSync(process.execPath, path.join(bin, 'node'));
  let said = '';
  const without = await startServer(place, { args: ['--open'], env: { PATH: bin }, onError: (text) => { said = text; } });
  await expect.poll(() => said, { timeout: 10_000 }).toMatch(/cannot be shown: xdg-open cannot be started on this machine/);
  expect((await without.ask('GET', '/health')).status).toBe(200);
  without.running.child.kill('SIGTERM');
  await without.running.ended;
  fs.writeFileSync(path.join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" > ${place.root}/opened\n`, { mode: 0o755 });
  const served = await startServer(place, { args: ['--open'], env: { PATH: bin } });
  const opened = path.join(place.root, 'opened');
  await expect.poll(() => (fs.existsSync(opened) ? fs.readFileSync(opened, 'utf8') : ''), { timeout: 10_000 }).toBe(`http://127.0.0.1:${served.port}/login#token=${served.token}\n`);
});
