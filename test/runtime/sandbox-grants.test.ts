import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEgressGuard } from '../../src/egress/egress-guard.ts';
import { parseAllowList } from '../../src/egress/allow-list.ts';
import { textOf } from '../../src/protocol/content.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { findNsenter } from '../../src/sandbox/network/nsenter.ts';
import { sessionNetwork } from '../../src/sandbox/network/session-network.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { BWRAP, makePlace as makeSandbox, withoutBubblewrap } from '../sandbox/helpers.ts';
import { makeBench } from '../tools/context.ts';
import { eventsOf, finish, makePlace, open, say, type Place } from './open.ts';

const bash = (command: string, more: object = {}) => ({ calls: [{ tool: 'Bash', input: { command, ...more } }] });
const outputs = (events: readonly SessionEvent[]): readonly string[] => eventsOf(events, 'tool.completed').map(({ output }) => textOf(output));
const FREE = { sandbox: 'required', permissions: { mode: 'unrestricted' } } as const;

async function listen(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** A registry with one package; resolves to its port. */
async function startRegistry(place: Place): Promise<number> {
  const folder = path.join(place.home, 'made');
  fs.mkdirSync(path.join(folder, 'package'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'package/package.json'), '{ "name": "tiny", "version": "1.0.0", "main": "index.js" }');
  fs.writeFileSync(path.join(folder, 'package/index.js'), 'module.exports = "from the registry";');
  const archive = execFileSync('tar', ['-cz', '-C', folder, 'package']);
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const server = http.createServer((request, response) => {
    const dist = { tarball: `http://${request.headers.host ?? ''}/tiny.tgz`, integrity };
    if (request.url === '/tiny') response.end(JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { name: 'tiny', version: '1.0.0', main: 'index.js', dist } } }));
    else if (request.url === '/tiny.tgz') response.end(archive);
    else response.writeHead(404).end('{}');
  });
  return listen(server);
}

describe.skipIf(withoutBubblewrap || findNsenter() === undefined)('daily work in the sandbox (needs bubblewrap and nsenter)', () => {
  it('npm install goes through a granted registry, and is refused without the grant', async () => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.project, 'package.json'), '{ "name": "mine", "version": "1.0.0" }');
    const port = await startRegistry(place);
    const command = `npm install --no-audit --no-fund --fetch-retries=0 --registry http://localhost:${port}/ tiny && node -p 'require("tiny")'`;
    const { runtime } = await open(scriptedModel([bash(command), 'done', bash(command), 'done']), { place, settings: FREE });
    const refused = await say(runtime, { text: 'go', cwd: place.project });
    expect(outputs(refused.events)[0]).toContain(`Network(localhost:${port})`);
    expect(fs.existsSync(path.join(place.project, 'node_modules'))).toBe(false);
    const granted = await say(runtime, { text: 'go', sessionId: refused.result.session_id, allow: [`Network(localhost:${port})`] });
    expect(outputs(granted.events)[0]).toContain('from the registry');
  }, 60_000);

  it('git commits with the identity of the person', async () => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.home, '.gitconfig'), '[user]\n\tname = Ada Example\n\temail = ada@example.com\n');
    execFileSync('git', ['init', '-q', place.project]);
    const { runtime } = await open(scriptedModel([bash(`echo x > a && git add a && git commit -qm first && git log --format='%an <%ae>'`), 'done']), { place, settings: FREE });
    const { events } = await say(runtime, { text: 'go', cwd: place.project });
    expect(outputs(events)).toEqual(['Ada Example <ada@example.com>']);
  }, 60_000);

  it('a server in the background is reached by later commands, and ends with the session', async () => {
    const place = makePlace();
    const server = `exec node -e "require('node:http').createServer((_, r) => r.end('of the session')).listen(8123)"`;
    const ask = 'for i in $(seq 50); do curl -sf http://localhost:8123/ && break; sleep 0.1; done';
    const { runtime } = await open(scriptedModel([bash(server, { run_in_background: true }), bash(ask), 'one', bash('curl -sf http://localhost:8123/'), 'two']), { place, settings: FREE });
    const first = await say(runtime, { text: 'go', cwd: place.project });
    expect(outputs(first.events)[1]).toBe('of the session');
    const second = await say(runtime, { text: 'again', sessionId: first.result.session_id });
    expect(outputs(second.events)).toEqual(['of the session']);
    await runtime.close();
    const { runtime: later } = await open(scriptedModel([bash('curl -sS http://localhost:8123/'), 'three']), { place, settings: FREE });
    expect(outputs((await say(later, { text: 'again', sessionId: first.result.session_id })).events)[0]).toContain('Failed to connect');
  }, 60_000);

  it('a page of a server in the background is fetched with a rule for its port, and of no other session', async () => {
    const place = makePlace();
    const server = `exec node -e "require('node:http').createServer((_, r) => r.end('of the session')).listen(8131)"`;
    const wait = 'for i in $(seq 50); do curl -sf http://localhost:8131/ && break; sleep 0.1; done';
    const page = (url: string) => ({ calls: [{ tool: 'CallTool', input: { tool: 'WebFetch', input: { url } } }] });
    const { runtime } = await open(scriptedModel([bash(server, { run_in_background: true }), bash(wait), page('http://localhost:8131/'), 'one', page('http://localhost:8131/'), page('http://127.0.0.1:8131/'), 'two', page('http://localhost:8131/'), 'three']), { place, settings: FREE });
    const first = await say(runtime, { text: 'go', cwd: place.project });
    expect(outputs(first.events)[2]).toContain('A person can also give the rule Network(localhost:8131).');
    const second = await say(runtime, { text: 'again', sessionId: first.result.session_id, allow: ['Network(localhost:8131)'] });
    expect(outputs(second.events).map((text) => text.includes('\nof the session\n'))).toEqual([true, true]);
    const other = await say(runtime, { text: 'go', cwd: place.project, allow: ['Network(localhost:8131)'] });
    expect(outputs(other.events)[0]).toContain('cannot be reached');
  }, 60_000);

  it('a command that was refused the network asks for it when it comes again, and "always" stores the rule', async () => {
    const place = makePlace();
    const port = await listen(http.createServer((_, response) => response.end('hello')));
    const command = `curl -sS http://localhost:${port}/`;
    const settings = { sandbox: 'required', permissions: { mode: 'default', allow: ['Bash(curl:*)'] } } as const;
    const { runtime } = await open(scriptedModel([bash(command), bash(command), 'done', bash(command), 'done']), { place, settings });
    const { events, result } = await say(runtime, { text: 'go', cwd: place.project });
    expect(result.status).toBe('waiting');
    expect(outputs(events)[0]).toContain('only the person can give it');
    expect(eventsOf(events, 'permission.requested')).toMatchObject([{ rules: [`Network(localhost:${port})`], reason: expect.stringContaining('kept this command from the network') }]);
    const after = await finish(await runtime.answer({ sessionId: result.session_id, answer: { kind: 'permission', decision: 'allow', scope: 'always' } }));
    expect(outputs(after.events)).toEqual(['hello']);
    // Stored for the folder, it holds for later sessions.
    expect(outputs((await say(runtime, { text: 'go', cwd: place.project })).events)).toEqual(['hello']);
  }, 60_000);

  it('a deny rule keeps a host from commands, whatever is granted', async () => {
    const place = makePlace();
    const port = await listen(http.createServer((_, response) => response.end('hello')));
    const { runtime } = await open(scriptedModel([bash(`curl -sS http://localhost:${port}/`), 'done']), { place, settings: FREE });
    const { events } = await say(runtime, { text: 'go', cwd: place.project, allow: [`Network(localhost:${port})`], deny: [`Network(localhost:${port})`] });
    expect(outputs(events)[0]).toContain('Failed to connect');
  });

  it('Env(NAME) gives commands one variable, and no other', async () => {
    const place = makePlace();
    const env = { REGISTRY_TOKEN: 'token-of-the-person', OTHER_TOKEN: 'another' };
    const { runtime } = await open(scriptedModel([bash('env | grep _TOKEN; true'), 'one', bash('env | grep _TOKEN; true'), 'two']), { place, settings: FREE, env });
    const without = await say(runtime, { text: 'go', cwd: place.project });
    expect(outputs(without.events)).toEqual(['(no output)']);
    const given = await say(runtime, { text: 'go', sessionId: without.result.session_id, allow: ['Env(REGISTRY_TOKEN)'] });
    expect(outputs(given.events)).toEqual(['REGISTRY_TOKEN=token-of-the-person']);
  });

  it.each(['Network(*)', 'Network(localhost)', 'Env(A=1)'])('%s is refused where it is typed, and grants nothing in settings', async (rule) => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel(['done']), { place, settings: { ...FREE, permissions: { mode: 'default', allow: [rule] } } });
    await expect(runtime.prompt({ text: 'go', cwd: place.project, allow: [rule] })).rejects.toMatchObject({ code: 'usage' });
    const { events } = await say(runtime, { text: 'go', cwd: place.project });
    const warned = eventsOf(events, 'warning').map(({ message }) => message).join();
    expect(warned).toContain(`"${rule}"`);
    expect(warned).toContain('it grants nothing');
  });

  it('one grant opens a server of the session to the own fetch of the guard, which is refused without it', async () => {
    const place = makeSandbox();
    onTestFinished(() => fs.rmSync(place.base, { recursive: true, force: true }));
    const network = sessionNetwork({ programs: { bubblewrap: BWRAP, nsenter: findNsenter() }, rules: () => ({ allow: parseAllowList([]), resolve: () => Promise.resolve([]), proxyOf: () => undefined }) });
    onTestFinished(() => network.close());
    const bench = makeBench({ host: place.host({}, { network: { open: () => network.open({ hosts: ['localhost:8127'], refused: [] }) } }), cwd: place.ws });
    await bench.call('Bash', { command: `exec node -e "require('node:http').createServer((_, r) => r.end('of the session')).listen(8127, () => console.log('ready'))"`, run_in_background: true });
    onTestFinished(() => bench.context.shells.stopAll());
    await expect.poll(async () => (await bench.call('BashOutput', { bash_id: 'bash_1' })).text, { timeout: 10_000 }).toMatch(/^ready/);
    const ask = async (allow: readonly string[]): Promise<string> => {
      const guard = createEgressGuard({ allow, env: {}, local: network.connect });
      const answer = await guard.fetch('http://localhost:8127/', { plainHttp: 'anywhere' });
      let text = '';
      for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
      return text;
    };
    expect(await ask(['localhost:8127'])).toBe('of the session');
    await expect(ask([])).rejects.toMatchObject({ code: 'egress_refused' });
    expect((await bench.call('Bash', { command: 'curl -sf http://localhost:8127/' })).text).toBe('of the session');
  }, 60_000);
});
