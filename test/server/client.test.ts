import http from 'node:http';
import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import type { FollowedEvent } from '../../src/protocol/events.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { openServer, type TestServer } from './open-server.ts';
import { openUsers } from './open-users.ts';

const clientOf = ({ server }: TestServer, url = server.url) => createClient({ url, token: server.token });
const todo = (n: number) => ({ text: `Step ${n}.`, calls: [{ tool: 'TodoWrite', input: { todos: [{ subject: `step ${n}`, status: 'pending' }] } }] });

/** A way to the server that cuts each connection after so many bytes, most of them in the middle of an event. */
async function cuttingProxy(port: number, bytes: () => number): Promise<string> {
  const proxy = net.createServer((from) => {
    const to = net.connect(port, '127.0.0.1');
    let left = bytes();
    for (const socket of [from, to]) socket.on('error', () => undefined);
    from.pipe(to);
    to.on('data', (chunk: Buffer) => {
      from.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      from.destroy();
      to.destroy();
    });
    to.on('close', () => from.end());
    from.on('close', () => to.destroy());
  });
  onTestFinished(() => void proxy.close());
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

it('speaks of everything by name, with the types of the server', async () => {
  const server = await openServer(scriptedModel(['hello']));
  const client = clientOf(server);
  const { id } = await client.createSession({ body: {} });
  const { turn_id } = await client.sendMessage({ id, body: { text: 'hi' } });
  const events: FollowedEvent[] = [];
  const stop = new AbortController();
  for await (const event of client.follow(id, { signal: stop.signal })) {
    events.push(event);
    if (event.type === 'turn.completed') stop.abort();
  }
  expect(events.at(-1)).toMatchObject({ type: 'turn.completed', turn_id, text: 'hello' });
  expect((await client.showSession({ id })).turn).toMatchObject({ turn_id, status: 'done' });
  expect((await client.listSessions({ query: { limit: '1' } })).sessions).toHaveLength(1);
  expect(await (await client.exportSession({ id })).text()).toContain('"turn.completed"');
  const made = await client.createSkill({ body: { name: 'greeting', description: 'Greets people. Use when somebody arrives.', source: 'user' } });
  expect((await client.searchSkills({ body: { query: 'greet somebody' } })).skills[0]?.id).toBe(made.id);
  expect(await (await client.readSkillFile({ id: made.id, rest: 'SKILL.md' })).text()).toContain('Greets people');
  await client.changeSkill({ id: made.id, body: { enabled: false } });
  expect((await client.listSkills({})).skills.find((skill) => skill.id === made.id)).toMatchObject({ enabled: false, status: 'hidden' });
  expect((await client.usage({})).models).toMatchObject([{ turns: 1, steps: 1 }]);
  expect((await client.listModels({})).models.map(({ name }) => name)).toContain('demo/demo');
  await client.changeSetting({ body: { key: 'maxTurns', value: 7 } });
  expect((await client.listSettings({})).settings.find(({ key }) => key === 'maxTurns')).toMatchObject({ value: 7, layer: 'user' });
});

it('tells what the server refuses, and that there is none', async () => {
  const server = await openServer(scriptedModel([]));
  await expect(clientOf(server).showSession({ id: 'none' })).rejects.toMatchObject({ name: 'ServerError', status: 404, code: 'session_not_found' });
  await expect(createClient({ url: server.server.url }).listSessions({})).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  await expect(clientOf(server).follow('none').next()).rejects.toMatchObject({ status: 404 });
  await expect(createClient({ url: 'http://127.0.0.1:1' }).listSessions({})).rejects.toMatchObject({ status: 0, code: 'network_failed' });
  const other = http.createServer((_request, response) => response.writeHead(502).end('<html>')).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const address = other.address();
  await expect(createClient({ url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` }).listSessions({})).rejects.toMatchObject({ status: 502, message: 'The server answered with 502.' });
});

it('follows across connections that break anywhere: each event once, in order', { timeout: 60_000 }, async () => {
  const server = await openServer(scriptedModel([...Array.from({ length: 20 }, (_, n) => todo(n)), 'done']), { allowHosts: ['127.0.0.1'] });
  let cut = 200;
  const client = clientOf(server, await cuttingProxy(server.port, () => (cut = ((cut * 7) % 3_001) + 400)));
  const direct = clientOf(server);
  const { id } = await direct.createSession({ body: {} });
  const stop = new AbortController();
  const seen: number[] = [];
  let breaks = 0;
  let text = '';
  const following = (async () => {
    for await (const event of client.follow(id, { signal: stop.signal, onBreak: () => void (breaks += 1) })) {
      if (event.type === 'connected' || event.type === 'message.completed') text = '';
      if (event.type === 'text.delta') text += event.text;
      if ('seq' in event && event.seq !== undefined) seen.push(event.seq);
      if (event.type === 'turn.completed') stop.abort();
    }
  })();
  await direct.sendMessage({ id, body: { text: 'go' } });
  await following;
  expect(breaks).toBeGreaterThan(3);
  expect(seen).toEqual(seen.map((_, index) => index + 1));
  expect(text).toBe('');
});

/** A proxy as they stand before servers: it keeps connections, and answers 502 itself where the server is not there. */
async function proxyTo(port: () => number): Promise<string> {
  const agent = new http.Agent({ keepAlive: true });
  const proxy = http.createServer((request, response) => {
    const { method, url, headers } = request;
    const to = http.request({ agent, host: '127.0.0.1', port: port(), method, path: url, headers: { ...headers, host: `127.0.0.1:${port()}` } }, (answer) => answer.on('error', () => response.destroy()).pipe(response.writeHead(answer.statusCode ?? 500, answer.headers)));
    to.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end('<html>')));
    response.on('close', () => to.destroy());
    request.pipe(to);
  });
  proxy.listen(0, '127.0.0.1');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
    agent.destroy();
  });
  await new Promise((resolve) => proxy.once('listening', resolve));
  const address = proxy.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

it('follows across the end of a server with users and its next start, also behind a proxy', { timeout: 60_000 }, async () => {
  const first = await openUsers({ model: scriptedModel(['one']) });
  const { token } = await first.user('ada');
  let { port } = first;
  const client = createClient({ url: await proxyTo(() => port), token });
  const { id } = await client.createSession({ body: {} });
  const stop = new AbortController();
  const [seen, told]: [number[], string[]] = [[], []];
  let breaks = 0;
  const following = (async () => {
    for await (const event of client.follow(id, { signal: stop.signal, onBreak: () => void (breaks += 1) })) {
      if ('seq' in event && event.seq !== undefined) seen.push(event.seq);
      if (event.type === 'turn.completed') told.push(event.text ?? '');
    }
  })();
  await client.sendMessage({ id, body: { text: 'go' } });
  await expect.poll(() => told, { timeout: 20_000 }).toEqual(['one']);
  await first.close();
  await expect.poll(() => breaks, { timeout: 20_000 }).toBeGreaterThan(2);
  const second = await openUsers({ model: scriptedModel(['two']), place: first.place });
  ({ port } = second);
  await client.sendMessage({ id, body: { text: 'go on' } });
  await expect.poll(() => told, { timeout: 20_000 }).toEqual(['one', 'two']);
  expect(seen).toEqual(seen.map((_, index) => index + 1));
  stop.abort();
  await following;
});
