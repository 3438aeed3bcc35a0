import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { request } from '../server/open-server.ts';
import { makePlace, run, start, type Place, type Running } from './program.ts';

const PASSWORD = 'correct horse battery';

async function add(place: Place, ...args: readonly string[]): Promise<void> {
  expect(await run(place, ['users', 'add', ...args], { input: `${PASSWORD}\n` })).toMatchObject({ code: 0, stderr: '' });
}

/** Starts the server with these flags; resolves with the port when it listens. */
function served(place: Place, ...args: readonly string[]): Promise<{ readonly running: Running; readonly port: number; readonly printed: readonly string[] }> {
  return new Promise((resolve, reject) => {
    const printed: string[] = [];
    const running = start(place, ['serve', '--port', '0', ...args], { onLine: (line) => {
      printed.push(line);
      const [, port] = /Open in a browser: http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
      if (port !== undefined) resolve({ running, printed, port: Number(port) });
    } });
    running.ended.then(({ code, stderr }) => reject(new Error(`serve ended with ${code}: ${stderr}`)), reject);
  });
}

describe('skillmint users', () => {
  it('adds, lists, changes and removes; a password comes on standard input and is shown nowhere', async () => {
    const place = makePlace();
    await add(place, 'ada', '--admin');
    await add(place, 'bert', '--json');
    const token = await run(place, ['users', 'token', 'bert']);
    expect(token).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/) });
    const list = await run(place, ['users', 'list', '--json']);
    expect(JSON.parse(list.stdout)).toMatchObject({ users: [{ name: 'ada', role: 'admin', password: true, tokens: [] }, { name: 'bert', role: 'member', tokens: [{ id: expect.any(String) }] }] });
    expect(await run(place, ['users', 'role', 'bert', 'admin'])).toMatchObject({ code: 0 });
    expect(await run(place, ['users', 'password', 'bert'], { input: 'another long password\n' })).toMatchObject({ code: 0 });
    expect((await run(place, ['users', 'list'])).stdout).toMatch(/^ada +admin +password\nbert +admin +password\n$/);
    expect(await run(place, ['users', 'remove', 'bert'])).toMatchObject({ code: 0, stdout: expect.stringContaining('users/bert') });
    const users = fs.readFileSync(path.join(place.data, 'users.json'), 'utf8');
    const audit = fs.readFileSync(path.join(place.data, 'logs', 'audit.jsonl'), 'utf8');
    for (const text of [users, audit]) for (const secret of [PASSWORD, 'another long password', token.stdout.trim()]) expect(text).not.toContain(secret);
    expect(audit.trim().split('\n').map((line): unknown => JSON.parse(line))).toMatchObject([{ what: 'user added', id: 'ada', detail: 'admin' }, { what: 'user added', id: 'bert' }, { what: 'token made' }, { what: 'role changed' }, { what: 'password changed' }, { what: 'user removed', id: 'bert' }]);
  });

  it.each([
    [['add', '../x'], PASSWORD, 2, /cannot be the name/], [['add', 'ada'], 'short', 2, /10 to 1000 characters/], [['add', 'ada'], '', 2, /standard input/], [['remove', 'nobody'], '', 5, /no user "nobody"/],
    [['role', 'root', 'owner'], '', 2, /admin, member/], [['add', 'root'], PASSWORD, 2, /a user root already/], [['token', 'root', '--revoke', 'x'], '', 5, /no token "x"/],
  ])('refuses %j in a sentence', async (args, input, code, says) => {
    const place = makePlace();
    await add(place, 'root');
    expect(await run(place, ['users', ...args], { input })).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
  });
});

describe('skillmint serve with users', () => {
  it('prints no token, lets in by password, and follows changes of the users while it runs', async () => {
    const place = makePlace();
    await add(place, 'ada');
    const { running, port, printed } = await served(place, '--users', '--workspaces', path.join(place.root, 'work'));
    expect(printed.join('\n')).not.toMatch(/token|Bearer/i);
    const login = await request(port, 'POST', '/api/login', { headers: { origin: `http://127.0.0.1:${port}` }, body: { name: 'ada', password: PASSWORD } });
    const cookie = login.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect((await request(port, 'GET', '/api/me', { headers: { cookie } })).json).toMatchObject({ name: 'ada', role: 'member', roots: [path.join(place.root, 'work', 'ada')] });
    await run(place, ['users', 'password', 'ada'], { input: 'another long password\n' });
    expect((await request(port, 'GET', '/api/me', { headers: { cookie } })).status).toBe(401);
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
    expect(fs.existsSync(path.join(place.data, 'skillmint.db'))).toBe(false);
  });

  it('takes the name from the header of a proxy', async () => {
    const place = makePlace();
    const { running, port } = await served(place, '--user-header', 'X-Remote-User', '--trusted-proxy', 'loopback', '--new-members');
    expect((await request(port, 'GET', '/api/me', { headers: { 'x-remote-user': 'ada' } })).json).toMatchObject({ name: 'ada', role: 'member' });
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  it.each([
    [['--users'], /no users yet/], [['--users', '--token-file', 'token'], /leave --token-file out/], [['--user-header', 'X-Remote-User'], /--trusted-proxy/], [['--user-header', 'Cookie', '--trusted-proxy', 'loopback'], /cannot be the header/],
    [['--user-header', 'X-Remote-User', '--trusted-proxy', '0.0.0.0/0'], /every address/], [['--new-members'], /for a server with users/], [['--users', '--new-members'], /--user-header/], [['--workspaces', 'x'], /for a server with users/],
  ])('does not start with %j', async (args, says) => {
    const place = makePlace();
    expect(await run(place, ['serve', '--port', '0', ...args])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) });
  });
});
