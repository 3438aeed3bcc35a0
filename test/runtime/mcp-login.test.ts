import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localHost } from '../../src/host/local-host.ts';
import type { SupervisedServer } from '../../src/mcp/supervised-server.ts';
import { superviseServer } from '../../src/mcp/supervisor.ts';
import { isObject } from '../../src/protocol/json.ts';
import { loginAt, loginFile } from '../../src/runtime/mcp/login-file.ts';
import { loginServer, type LoginServer } from '../mcp/login-server.ts';
import { makePlace, type Place } from './open.ts';

const host = localHost({ env: process.env });
const storeOf = (place: Place): ReturnType<typeof loginFile> => loginFile({ tree: host.tree, files: host.files, dataFolder: place.data });
const definitionOf = ({ url }: LoginServer) => ({ kind: 'http', url, headers: {}, legacy: false, callMs: 5_000, roots: false }) as const;

/** A browser that follows where it is sent. */
const browser = async (url: string): Promise<void> => {
  const sent = await fetch(url, { redirect: 'manual' });
  const page = await fetch(sent.headers.get('location') ?? '');
  expect(await page.text()).toContain('You are logged in');
};

const logIn = (server: LoginServer, place: Place, show: (url: string) => Promise<void> = browser, signal = new AbortController().signal): Promise<void> => loginAt({ definition: definitionOf(server), allow: [], env: process.env, store: storeOf(place), show, signal });

function connected(server: LoginServer, place: Place, clock = host.clock): SupervisedServer {
  const supervised = superviseServer({ host, clock, allow: [], shortName: 'locked', definition: definitionOf(server), logins: storeOf(place) });
  onTestFinished(() => supervised.close());
  supervised.begin();
  return supervised;
}

async function work(server: SupervisedServer): Promise<unknown> {
  const [tool] = server.tools();
  if (!tool) throw new Error('there is no tool');
  const { content } = await server.call({ tool, input: {}, signal: new AbortController().signal, onProgress: () => undefined });
  return content;
}

describe('a server that wants a login', () => {
  it('says so, is logged in at through the browser, and is used with the token', async () => {
    const [place, server] = [makePlace(), await loginServer()];
    const before = connected(server, place);
    await before.settled(5_000);
    expect(before.state()).toMatchObject({ state: 'failed', reason: 'it wants you to log in: skillmint mcp login locked' });
    expect(server.seen.registrations).toEqual([]);
    await logIn(server, place);
    const after = connected(server, place);
    await after.settled(5_000);
    expect(after.state()).toMatchObject({ state: 'ready', tools: 1 });
    expect(await work(after)).toEqual([{ type: 'text', text: 'done behind the door' }]);
    const file = path.join(place.data, 'mcp-logins.json');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, 'utf8')).toContain('token-2');
  });

  it.each([true, false])('renews a token that is no longer taken, once for several connections (the refresh token changes: %s)', async (rotate) => {
    const [place, server] = [makePlace(), await loginServer({ rotate })];
    await logIn(server, place);
    const both = [connected(server, place), connected(server, place)];
    for (const one of both) await one.settled(5_000);
    for (let round = 0; round < 2; round++) {
      server.valid.clear();
      for (const one of both) expect(await work(one)).toEqual([{ type: 'text', text: 'done behind the door' }]);
      expect(server.seen.tokenRequests.filter(({ grant_type }) => grant_type === 'refresh_token')).toHaveLength(round + 1);
    }
  });

  it('may say itself where it is described and what a login is for; a token is renewed where it is from', async () => {
    const [place, server] = [makePlace(), await loginServer({ away: true })];
    await logIn(server, place, async (url) => {
      expect(new URL(url).searchParams.get('scope')).toBe('tools:call');
      await browser(url);
    });
    const one = connected(server, place);
    await one.settled(5_000);
    server.valid.clear();
    for (const known of ['/about/me', '/.well-known/oauth-authorization-server/tenant']) server.silent.add(known);
    expect(await work(one)).toEqual([{ type: 'text', text: 'done behind the door' }]);
  });

  it('that no longer takes the refresh token asks for a login again', async () => {
    const [place, server] = [makePlace(), await loginServer()];
    await logIn(server, place);
    const store = storeOf(place);
    await store.change(server.url, async (kept) => (isObject(kept) && isObject(kept['tokens']) ? JSON.parse(JSON.stringify({ ...kept, tokens: { ...kept['tokens'], refresh_token: 'stale' } })) : undefined));
    server.valid.clear();
    const one = connected(server, place);
    await one.settled(5_000);
    expect(one.state()).toMatchObject({ state: 'failed', reason: expect.stringContaining('skillmint mcp login locked') });
  });
});

describe('a server of logins that does not answer', () => {
  it('can be given up by the person at any time', async () => {
    const [place, server] = [makePlace(), await loginServer()];
    server.silent.add('/.well-known/oauth-authorization-server');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    await expect(logIn(server, place, browser, stop.signal)).rejects.toThrow('was stopped');
  }, 5_000);

  it('keeps nobody from the file of logins for longer than a server may take to start', async () => {
    const [place, server] = [makePlace(), await loginServer()];
    await logIn(server, place);
    server.valid.clear();
    server.silent.add('/token');
    const one = connected(server, place, { ...host.clock, sleep: (ms, signal) => host.clock.sleep(ms === 10_000 ? 1_000 : ms, signal) });
    await one.settled(15_000);
    expect(one.state()).toMatchObject({ state: 'failed', reason: 'it did not answer in time' });
    expect(storeOf(place).read(server.url)).toMatchObject({ tokens: { access_token: 'token-2' } });
    const began = Date.now();
    await storeOf(place).change('https://other.example/mcp', async () => undefined);
    expect(Date.now() - began).toBeLessThan(1_000);
  }, 10_000);
});

describe('the answer of a login', () => {
  it('counts only with the state that was sent out, and only once', async () => {
    const [place, server] = [makePlace(), await loginServer()];
    await logIn(server, place, async (url) => {
      const asked = new URL(url);
      const back = asked.searchParams.get('redirect_uri') ?? '';
      expect(back).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
      expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
      for (const bad of [`${back}?code=evil`, `${back}?code=evil&state=guess`, back.replace('callback', 'other')]) expect((await fetch(bad)).status).toBe(404);
      expect((await fetch(`${back}?code=evil&state=${asked.searchParams.get('state') ?? ''}`, { method: 'POST' })).status).toBe(404);
      await browser(url);
    });
    expect(server.seen.tokenRequests.map(({ code }) => code)).toEqual(['code-1']);
  });

  it('may be no, and may not come', async () => {
    const [place, server] = [makePlace(), await loginServer()];
    const refuse = async (url: string): Promise<void> => {
      const asked = new URL(url);
      await fetch(`${asked.searchParams.get('redirect_uri') ?? ''}?error=access_denied&state=${asked.searchParams.get('state') ?? ''}`);
    };
    await expect(logIn(server, place, refuse)).rejects.toThrow('The login was refused: access_denied');
    const stop = new AbortController();
    await expect(logIn(server, place, async () => stop.abort(), stop.signal)).rejects.toThrow('Interrupted');
    expect(fs.existsSync(path.join(place.data, 'mcp-logins.json'))).toBe(false);
  });
});
