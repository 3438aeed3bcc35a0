import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostGuard } from '../../src/server/guards/host-guard.ts';
import { inAddress } from '../../src/server/open-to-others.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { openServer, type TestServer } from './open-server.ts';

const ORIGINS = ['http://evil.test', 'null', 'http://localhost:1', 'https://127.0.0.1.nip.io'];

async function routesOf({ ask }: TestServer): Promise<readonly (readonly [string, string])[]> {
  const { json } = await ask('GET', '/openapi.json');
  const paths = Object.entries(json['paths'] ?? {});
  return paths.flatMap(([at, methods]) => Object.keys({ ...methods }).map((method): readonly [string, string] => [method.toUpperCase(), at.replaceAll(/\{\w+\}/g, 'user:none')]));
}

const cookieOf = (header: readonly string[] | undefined): string => header?.[0]?.split(';')[0] ?? '';

describe('without a credential', () => {
  it('every route answers 401, except health, readiness and the login (C-H1)', async () => {
    const server = await openServer(scriptedModel([]));
    const routes = await routesOf(server);
    expect(routes.length).toBeGreaterThan(20);
    const wrong: string[] = [];
    const closed = routes.filter(([, at]) => at !== '/api/login' && at !== '/api/logout');
    for (const [method, at] of [...closed, ['GET', '/api/nothing'] as const, ['POST', '/'] as const]) {
      for (const headers of [{}, { authorization: 'Bearer wrong-token-0123456789' }, { cookie: `skillmint-${server.port}=b3duZXI.9999999999.forged` }]) {
        const { status } = await server.bare(method, at, { headers, ...(method === 'GET' ? {} : { body: {} }) });
        if (status !== (at === '/health' || at === '/ready' ? 200 : 401)) wrong.push(`${method} ${at} ${JSON.stringify(headers)}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect((await server.bare('GET', '/health')).json).toMatchObject({ status: 'ok' });
    expect((await server.bare('GET', '/api/sessions', { headers: { upgrade: 'websocket', connection: 'upgrade' } })).status).toBe(401);
  });

  it('a server for other machines does not start (C-H5)', async () => {
    const { serve } = await import('../../src/server/serve.ts');
    const { runtime, place } = await openServer(scriptedModel([]));
    await expect(serve({ runtime, offers: 'everything', dataFolder: place.data, env: {}, host: '0.0.0.0', port: 0, allowHosts: [], roots: [place.project], workers: 1, log: () => undefined })).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('--token-file') });
  });
});

describe('an address other than that of this machine for itself', () => {
  it('is where the server says that it is, and a name that it answers for', async () => {
    const { serve } = await import('../../src/server/serve.ts');
    const { runtime, place } = await openServer(scriptedModel([]));
    const tokenFile = path.join(place.home, 'token');
    fs.writeFileSync(tokenFile, 'a-token-of-my-own-0123456789', { mode: 0o600 });
    const served = async (host: string): Promise<string> => {
      const server = await serve({ runtime, offers: 'everything', dataFolder: place.data, env: {}, host, port: 0, tokenFile, allowHosts: [], roots: [place.project], workers: 0, log: () => undefined });
      onTestFinished(() => server.close());
      return server.url;
    };
    const one = await served('127.0.0.2');
    expect(new URL(one).hostname).toBe('127.0.0.2');
    expect((await fetch(`${one}/health`)).status).toBe(200);
    const all = await served('0.0.0.0');
    expect(new URL(all).hostname).toBe('127.0.0.1');
    expect((await fetch(`${all}/health`)).status).toBe(200);
  });

  it.each([['fd00::1', '[fd00::1]'], ['192.168.7.7', '192.168.7.7'], ['agents.lan', 'agents.lan']])('stands in addresses as browsers send it: %s', (host, sent) => {
    const guard = hostGuard({ port: () => 8765, allowed: [inAddress(host)] });
    expect(guard.refuse(`${sent}:8765`)).toBeUndefined();
    expect(guard.refuse('[fd00::2]:8765')?.status).toBe(421);
  });
});

describe('a request for another host', () => {
  it.each(['evil.test', 'localhost.evil.test', '127.0.0.1.nip.io', 'localhost:1', '127.0.0.1'])('is refused before it is looked at: %s (C-H2)', async (host) => {
    const { ask } = await openServer(scriptedModel([]));
    for (const at of ['/api/sessions', '/health', '/']) expect((await ask('GET', at, { headers: { host } })).status).toBe(421);
  });

  it.each(['', '[::1', 'localhost:99999999', 'user@127.0.0.1'])('is refused where it is none: %j (C-H2)', async (host) => {
    const { ask } = await openServer(scriptedModel([]));
    expect([400, 421]).toContain((await ask('GET', '/api/sessions', { headers: { host } })).status);
  });

  it('is taken for names that were allowed, and for those of this machine with the port', async () => {
    const { ask, port } = await openServer(scriptedModel([]), { allowHosts: ['agent.example', 'other.example:8443'] });
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'agent.example', 'AGENT.example:444', 'other.example:8443']) expect([host, (await ask('GET', '/api/sessions', { headers: { host } })).status]).toEqual([host, 200]);
    expect((await ask('GET', '/api/sessions', { headers: { host: 'other.example' } })).status).toBe(421);
  });
});

describe('a page of somebody else', () => {
  it.each(ORIGINS)('changes nothing: Origin %s (C-H3)', async (origin) => {
    const server = await openServer(scriptedModel([]));
    expect((await server.ask('POST', '/api/sessions', { headers: { origin }, body: {} })).status).toBe(403);
    expect((await server.bare('POST', '/api/sessions', { headers: { origin, 'content-type': 'text/plain' }, body: '{}' })).status).toBe(403);
    expect((await server.ask('GET', '/api/sessions')).json['sessions']).toEqual([]);
  });

  it('gets no leave by CORS (C-H6)', async () => {
    const { bare, ask } = await openServer(scriptedModel([]));
    for (const origin of ORIGINS) {
      const { headers } = await bare('OPTIONS', '/api/sessions', { headers: { origin, 'access-control-request-method': 'POST' } });
      const { headers: of } = await ask('GET', '/api/sessions', { headers: { origin: 'http://evil.test' } });
      expect([...Object.keys(headers), ...Object.keys(of)].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('cannot use the cookie; the own page can (C-H3)', async () => {
    const server = await openServer(scriptedModel([]));
    const origin = `http://127.0.0.1:${server.port}`;
    const login = await server.bare('POST', '/api/login', { headers: { origin }, body: { token: server.server.token } });
    expect(login.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict/);
    const cookie = cookieOf(login.headers['set-cookie']);
    expect((await server.bare('GET', '/api/sessions', { headers: { cookie } })).status).toBe(200);
    expect((await server.bare('POST', '/api/sessions', { headers: { cookie }, body: {} })).status).toBe(403);
    expect((await server.bare('POST', '/api/sessions', { headers: { cookie, origin, 'sec-fetch-site': 'cross-site' }, body: {} })).status).toBe(403);
    expect((await server.bare('POST', '/api/sessions', { headers: { cookie, origin }, body: {} })).status).toBe(201);
  });
});

describe('logging in', () => {
  it('is limited from the tenth failure in a minute, and says the same of every wrong token (C-H12)', async () => {
    const server = await openServer(scriptedModel([]));
    const attempts = [];
    for (let i = 0; i < 100; i++) attempts.push(await server.bare('POST', '/api/login', { body: { token: `wrong-${i}` } }));
    expect(attempts.slice(0, 10).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 401));
    expect(attempts.slice(10).every(({ status, headers }) => status === 429 && Number(headers['retry-after']) > 0)).toBe(true);
    expect(new Set(attempts.slice(0, 10).map(({ text }) => text)).size).toBe(1);
    expect((await server.bare('POST', '/api/login', { body: { token: server.server.token } })).status).toBe(429);
    expect((await server.ask('GET', '/api/sessions')).status).toBe(200);
  });

  it('ends with a cookie that is too old, was changed, or is of another server', async () => {
    const [one, two] = [await openServer(scriptedModel([])), await openServer(scriptedModel([]))];
    const cookie = cookieOf((await one.bare('POST', '/api/login', { body: { token: one.server.token } })).headers['set-cookie']);
    const [name = '', value = ''] = cookie.split('=');
    const [person = '', until = '', signature = ''] = value.split('.');
    const tried = [`${name}=${person}.${Number(until) + 1}.${signature}`, `${name}=${person}.1.${signature}`, `${name}=`, `${name}=..`, `other=${value}`];
    for (const each of tried) expect((await one.bare('GET', '/api/sessions', { headers: { cookie: each } })).status).toBe(401);
    expect((await two.bare('GET', '/api/sessions', { headers: { cookie: cookie.replace(String(one.port), String(two.port)) } })).status).toBe(401);
    expect((await one.bare('GET', '/api/sessions', { headers: { cookie: `a=b; ${cookie}` } })).status).toBe(200);
  });
});

describe('what every answer says to browsers', () => {
  it('keeps it out of frames, and pages from scripts within them (C-H10)', async () => {
    const { bare, ask } = await openServer(scriptedModel([]));
    for (const { headers } of [await bare('GET', '/'), await bare('GET', '/health'), await ask('GET', '/api/sessions'), await bare('GET', '/api/sessions')]) {
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });
});
