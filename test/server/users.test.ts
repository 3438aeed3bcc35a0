import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/config/settings.ts';
import { refuseOpen } from '../../src/server/open-to-others.ts';
import { removeUser, setPassword, setRole } from '../../src/server/users/change-user.ts';
import { readUsers } from '../../src/server/users/users-file.ts';
import { trustedProxies } from '../../src/server/users/trusted-proxies.ts';
import { isUserName } from '../../src/server/users/user-name.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { makePlace } from '../runtime/open.ts';
import { openUsers, PASSWORD, type UsersServer } from './open-users.ts';

const cookieOf = (header: readonly string[] | undefined): string => header?.[0]?.split(';')[0] ?? '';
const logIn = async ({ bare, port }: UsersServer, name: string, password = PASSWORD) => bare('POST', '/api/login', { headers: { origin: `http://127.0.0.1:${port}` }, body: { name, password } });

describe('an account', () => {
  it('lets in by name and password for a cookie, and programs by a token', async () => {
    const server = await openUsers({ model: scriptedModel([]) });
    const ada = await server.user('ada');
    expect((await server.bare('GET', '/api/login')).json).toEqual({ kind: 'password' });
    const login = await logIn(server, 'ada');
    expect(login.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict/);
    const cookie = cookieOf(login.headers['set-cookie']);
    expect((await server.bare('GET', '/api/me', { headers: { cookie } })).json).toMatchObject({ name: 'ada', role: 'member', roots: [ada.workspace] });
    expect((await ada.ask('GET', '/api/me')).json).toMatchObject({ name: 'ada' });
    expect((await server.root.ask('GET', '/api/me')).json).toMatchObject({ name: 'root', role: 'admin', roots: [server.place.project] });
    expect((await server.bare('GET', '/api/me', { headers: { authorization: `Bearer ${server.server.token}` } })).status).toBe(401);
    expect((await server.bare('POST', '/api/login', { body: { token: server.server.token } })).status).toBe(400);
  });

  it.each([
    ['the password', 401, (data: string) => setPassword(data, 'ada', 'another password')],
    ['the role', 200, (data: string) => setRole(data, 'ada', 'admin')],
    ['the user', 401, (data: string) => removeUser(data, 'ada')],
  ])('ends its logins when %s changes, and its tokens but for a role: %i', async (_what, ofToken, change) => {
    const server = await openUsers({ model: scriptedModel([]) });
    const ada = await server.user('ada');
    const cookie = cookieOf((await logIn(server, 'ada')).headers['set-cookie']);
    expect((await server.bare('GET', '/api/me', { headers: { cookie } })).status).toBe(200);
    await change(server.place.data);
    expect((await ada.ask('GET', '/api/me')).status).toBe(ofToken);
    expect((await server.bare('GET', '/api/me', { headers: { cookie } })).status).toBe(401);
    expect((await server.root.ask('GET', '/api/me')).status).toBe(200);
  });

  it('is told apart from none by neither answer nor work, and is limited by address and by name (C-H12)', async () => {
    const server = await openUsers({ model: scriptedModel([]) });
    await server.user('ada');
    const attempts = await Promise.all(Array.from({ length: 40 }, (_, i) => logIn(server, i % 2 === 0 ? 'ada' : 'nobody', `wrong password ${i}`)));
    const refused = attempts.filter(({ status }) => status === 401);
    expect(refused).toHaveLength(10);
    expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
    expect(attempts.every(({ status, headers }) => status === 401 || (status === 429 && Number(headers['retry-after']) > 0))).toBe(true);
    expect((await logIn(server, 'ada')).status).toBe(429);
  });

  it('takes about as long to refuse where there is no such user', async () => {
    const server = await openUsers({ model: scriptedModel([]) });
    await server.user('ada');
    const timed = async (name: string): Promise<number> => {
      const began = performance.now();
      await logIn(server, name, 'wrong password');
      return performance.now() - began;
    };
    await timed('ada');
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let i = 0; i < 4; i++) {
      times.known.push(await timed('ada'));
      times.unknown.push(await timed('nobody'));
    }
    expect(Math.min(...times.unknown) / Math.min(...times.known)).toBeGreaterThan(0.5);
  });

  it('has a name that is no path', () => {
    for (const name of ['ada', 'a', 'ada-1_b', 'a'.repeat(32)]) expect(isUserName(name)).toBe(true);
    for (const name of ['', '.', '..', '../ada', 'a/b', 'a\\b', 'Ada', '1a', 'a b', 'a\0', 'ä', 'a'.repeat(33), 'con', 'owner', 'lpt1', '-a', 'a\n']) expect([name, isUserName(name)]).toEqual([name, false]);
  });

  it('is kept in a file for the server alone, without password or token, and a broken one is named', async () => {
    const server = await openUsers({ model: scriptedModel([]) });
    const ada = await server.user('ada');
    const file = path.join(server.place.data, 'users.json');
    const text = fs.readFileSync(file, 'utf8');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(ada.token);
    for (const [broken, says] of [['{', 'no JSON object'], ['{"version":2,"users":[]}', 'its version is 2'], ['{"version":1,"users":[{"name":"../x","role":"admin","tokens":[],"stamp":"s"}]}', 'entry 1'], ['{"version":1}', 'no list']] as const) {
      fs.writeFileSync(file, broken);
      expect(() => readUsers(server.place.data)).toThrow(says);
      expect((await ada.ask('GET', '/api/me')).status).toBe(401);
    }
    expect(server.log.filter((line) => line.startsWith('nobody is let in'))).toHaveLength(4);
    fs.writeFileSync(file, text);
    expect((await ada.ask('GET', '/api/me')).status).toBe(200);
    fs.chmodSync(file, 0o644);
    expect(() => readUsers(server.place.data)).toThrow('chmod 600');
  });

  it('opens the server to other machines, which a token that was made for this one does not', async () => {
    const runtime = { kind: 'users', login: { kind: 'accounts' }, proxies: [], unsandboxed: false, workspaces: '/none', home: '/none', settings: DEFAULT_SETTINGS } as const;
    expect(() => refuseOpen({ host: '0.0.0.0', runtime })).not.toThrow();
    expect(() => refuseOpen({ host: '0.0.0.0', runtime, tokenFile: 'token' })).toThrow('leave --token-file out');
  });

  it('is needed before the server starts', async () => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.data, 'users.json'), '{"version":1,"users":[]}', { mode: 0o600 });
    await expect(openUsers({ place })).rejects.toThrow('skillmint users add');
  });
});

describe('a user whom a proxy names', () => {
  const header = { kind: 'header', header: 'X-Remote-User', makesMembers: false } as const;

  it('comes in from the address of the proxy alone', async () => {
    const server = await openUsers({ model: scriptedModel([]), login: header, proxies: ['127.0.0.1'] });
    await server.user('ada');
    expect((await server.bare('GET', '/api/login')).json).toEqual({ kind: 'proxy' });
    expect((await server.bare('GET', '/api/me', { headers: { 'x-remote-user': 'ada' } })).json).toMatchObject({ name: 'ada' });
    for (const name of ['nobody', '../ada', '', 'ada, root', 'owner']) expect((await server.bare('GET', '/api/me', { headers: { 'x-remote-user': name } })).status).toBe(401);
    // As with a cookie: a page of somebody else makes the browser send what lets it in.
    expect((await server.bare('POST', '/api/sessions', { headers: { 'x-remote-user': 'ada' }, body: {} })).status).toBe(403);
    const elsewhere = await openUsers({ model: scriptedModel([]), login: header, proxies: ['10.0.0.0/8', '::1'] });
    await elsewhere.user('ada');
    expect((await elsewhere.bare('GET', '/api/me', { headers: { 'x-remote-user': 'ada', 'x-forwarded-for': '10.0.0.1' } })).status).toBe(401);
  });

  it('is a member without having been added where that was said', async () => {
    const server = await openUsers({ model: scriptedModel([]), login: { ...header, makesMembers: true }, proxies: ['loopback'] });
    expect((await server.bare('GET', '/api/me', { headers: { 'x-remote-user': 'Newcomer' } })).json).toMatchObject({ name: 'newcomer', role: 'member' });
    expect((await server.bare('GET', '/api/me', { headers: { 'x-remote-user': 'root' } })).json).toMatchObject({ name: 'root', role: 'admin' });
  });

  it('has a proxy that is an address or a network', () => {
    const { has, addressOf } = trustedProxies(['127.0.0.1', '10.1.0.0/16', 'fd00::/8']);
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', 'fd12::1']) expect([address, has(address)]).toEqual([address, true]);
    for (const address of ['127.0.0.2', '10.2.0.1', 'fe80::1', '', 'x']) expect([address, has(address)]).toEqual([address, false]);
    expect(addressOf(new Headers({ 'x-forwarded-for': '1.1.1.1, 9.9.9.9' }), '127.0.0.1')).toBe('9.9.9.9');
    expect(addressOf(new Headers({ 'x-forwarded-for': '9.9.9.9' }), '192.0.2.1')).toBe('192.0.2.1');
    for (const wrong of ['0.0.0.0/0', '::/0', 'proxy.local', '10.0.0.0/33', '1.2.3', '10.0.0.0/8/8', '']) expect(() => trustedProxies([wrong])).toThrow(/no address|every address/);
  });
});
