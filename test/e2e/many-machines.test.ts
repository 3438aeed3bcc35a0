import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { request } from '../server/open-server.ts';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';
import { makePlace, oneLineOf, run, start, type Place } from './program.ts';
import { startServer } from './served.ts';

const PASSWORD = 'correct horse battery';
/** A machine whose program works with that database. */
function placeOn(url: string): Place {
  const place = makePlace();
  return { ...place, env: { ...place.env, SKILLMINT_DATABASE: url } };
}

/** A worker looks once a second. */
const SOON = { timeout: 15_000, interval: 100 };

describe.skipIf(withoutPostgres)('machines with one database', { timeout: 120_000 }, () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  const namesOf = (text: string): readonly string[] => JSON.parse(text).skills.map(({ name }: { readonly name: string }) => name);

  it('have one token, and what is made through the server of one is there on the other, also after the first was killed', async () => {
    const url = await cluster.database();
    const [a, b] = await Promise.all([startServer(placeOn(url)), startServer(placeOn(url))]);
    expect(a.token).toBe(b.token);
    const made = await a.ask('POST', '/api/skills', { body: { name: 'tides', description: 'Computes tides.', instructions: 'Look at the moon.', source: 'user' } });
    expect(made.status, made.text).toBeLessThan(300);
    a.running.child.kill('SIGKILL');
    expect(namesOf((await b.ask('GET', '/api/skills')).text)).toContain('tides');
    expect((await b.ask('GET', '/api/skills/tides')).json).toMatchObject({ id: 'user:tides', trust: { trusted: true } });
    expect((await b.ask('PUT', '/api/settings', { body: { key: 'userPrompt', value: 'In verse.' } })).status).toBeLessThan(300);
    const c = await startServer(placeOn(url));
    expect(c.token).toBe(b.token);
    expect((await c.ask('GET', '/api/settings')).text).toContain('In verse.');
    expect((await c.ask('DELETE', '/api/skills/tides')).status).toBeLessThan(300);
    expect(namesOf((await b.ask('GET', '/api/skills')).text)).not.toContain('tides');
  });

  it('have what a command on any of them has installed, switched, set and trusted', async () => {
    const url = await cluster.database();
    const [one, two] = [placeOn(url), placeOn(url)];
    const source = path.join(one.root, 'source');
    fs.mkdirSync(path.join(source, 'scripts'), { recursive: true });
    fs.writeFileSync(path.join(source, 'SKILL.md'), '---\nname: foreign\ndescription: Of somebody else.\n---\nRun scripts/main.sh\n');
    fs.writeFileSync(path.join(source, 'scripts/main.sh'), '#!/bin/sh\necho hello $1\n', { mode: 0o755 });
    const server = await startServer(placeOn(url));
    const does = async (place: Place, ...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(place, args);
      expect(code, stderr).toBe(0);
      return stdout;
    };
    await does(one, 'skills', 'install', source);
    expect(namesOf(await does(two, 'skills', 'list', '--json'))).toContain('foreign');
    expect(await does(two, 'skills', 'exec', 'foreign', '--', 'you')).toBe('hello you\n');
    await does(two, 'config', 'set', 'effort', 'low');
    expect(await does(one, 'config', 'get', 'effort')).toContain('low');
    await does(two, 'skills', 'trust', 'foreign', '--yes');
    const shown = async (): Promise<unknown> => (await server.ask('GET', '/api/skills/foreign')).json['trust'];
    expect(await shown()).toMatchObject({ trusted: true });
    await does(one, 'skills', 'disable', 'foreign');
    expect(JSON.parse(await does(two, 'skills', 'list', '--json')).skills.find(({ name }: { readonly name: string }) => name === 'foreign').enabled).toBe(false);
    // Through the other machine, from where the first one has it.
    fs.writeFileSync(path.join(source, 'scripts/main.sh'), '#!/bin/sh\necho good day $1\n', { mode: 0o755 });
    await does(two, 'skills', 'update', 'foreign', '--yes');
    expect(await shown()).toMatchObject({ trusted: false, why: 'changed since it was trusted' });
    await does(two, 'skills', 'enable', 'foreign');
    expect(await does(one, 'skills', 'exec', 'foreign', '--', 'you')).toBe('good day you\n');
    await does(two, 'skills', 'trust', 'foreign', '--yes');
    // By hand, on one machine.
    fs.appendFileSync(path.join(two.data, 'skills/foreign/SKILL.md'), '\nMore.\n');
    await does(two, 'skills', 'list');
    expect(await shown()).toMatchObject({ trusted: false, why: 'changed since it was trusted' });
    await does(one, 'skills', 'remove', 'foreign', '--yes');
    expect(namesOf(await does(two, 'skills', 'list', '--json'))).not.toContain('foreign');
    expect(fs.existsSync(path.join(two.data, 'skills/foreign'))).toBe(false);
  });

  it('know the same users; what is theirs is on all machines, and no other user sees it', async () => {
    const url = await cluster.database();
    const places = [placeOn(url), placeOn(url)];
    const third = placeOn(url);
    for (const name of ['ada', 'bert']) expect(await run(third, ['users', 'add', name], { input: `${PASSWORD}\n` })).toMatchObject({ code: 0, stderr: '' });
    const [a, b] = await Promise.all(places.map((place) => startServer(place, { args: ['--users', '--workspaces', path.join(place.root, 'work'), '--members-unsandboxed'] })));
    if (!a || !b) throw new Error('no servers');
    const logIn = async (name: string, port: number): Promise<string> => {
      const login = await request(port, 'POST', '/api/login', { headers: { origin: `http://127.0.0.1:${port}` }, body: { name, password: PASSWORD } });
      expect(login.status, login.text).toBe(200);
      return login.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    };
    const tokenOf = async (name: string): Promise<Record<string, string>> => ({ authorization: `Bearer ${(await run(third, ['users', 'token', name])).stdout.trim()}` });
    const [ada, bert] = [await tokenOf('ada'), await tokenOf('bert')];
    await expect.poll(async () => (await request(a.port, 'GET', '/api/me', { headers: ada })).status, SOON).toBe(200);
    const made = await request(a.port, 'POST', '/api/skills', { headers: ada, body: { name: 'of-ada', description: 'Of Ada.', instructions: 'x', source: 'user' } });
    expect(made.status, made.text).toBeLessThan(300);
    await expect.poll(async () => (await request(b.port, 'GET', '/api/me', { headers: ada })).status, SOON).toBe(200);
    expect(namesOf((await request(b.port, 'GET', '/api/skills', { headers: ada })).text)).toContain('of-ada');
    await expect.poll(async () => (await request(b.port, 'GET', '/api/me', { headers: bert })).status, SOON).toBe(200);
    expect(namesOf((await request(b.port, 'GET', '/api/skills', { headers: bert })).text)).not.toContain('of-ada');
    expect(fs.existsSync(path.join(places[1]?.data ?? '', 'users/bert/skills/of-ada'))).toBe(false);
    const cookie = await logIn('ada', b.port);
    expect((await request(b.port, 'GET', '/api/me', { headers: { cookie } })).status).toBe(200);
    expect((await run(third, ['users', 'remove', 'ada'])).code).toBe(0);
    for (const { port } of [a, b]) await expect.poll(async () => (await request(port, 'GET', '/api/me', { headers: ada })).status, SOON).toBe(401);
    expect((await request(b.port, 'GET', '/api/me', { headers: { cookie } })).status).toBe(401);
  });

  it('are not ready, and say so, while the database of their users is away', async () => {
    const own = await startCluster();
    onTestFinished(() => own.dispose());
    const place = placeOn(await own.database());
    expect((await run(place, ['users', 'add', 'ada', '--admin'], { input: `${PASSWORD}\n` })).code).toBe(0);
    const server = await startServer(place, { args: ['--users', '--workspaces', path.join(place.root, 'work'), '--members-unsandboxed'] });
    const ready = async (): Promise<number> => (await request(server.port, 'GET', '/ready', {})).status;
    expect(await ready()).toBe(200);
    await own.stop('SIGKILL');
    await expect.poll(ready, SOON).toBe(503);
    await own.start();
    await expect.poll(ready, SOON).toBe(200);
  });

  it('have whole skills only, however often one is killed while it takes them over', async () => {
    const url = await cluster.database();
    const [one, two] = [placeOn(url), placeOn(url)];
    const put = (text: string): void => {
      fs.mkdirSync(path.join(one.data, 'skills/big'), { recursive: true });
      for (let n = 0; n < 60; n += 1) fs.writeFileSync(path.join(one.data, 'skills/big', n === 0 ? 'SKILL.md' : `${n}.md`), `---\nname: big\ndescription: ${text}\n---\n`);
    };
    const textsOf = (place: Place): readonly string[] => {
      const folder = path.join(place.data, 'skills/big');
      return fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8')) : [];
    };
    put('first');
    expect((await run(one, ['skills', 'list'])).code).toBe(0);
    expect((await run(two, ['skills', 'list'])).code).toBe(0);
    let killed = 0;
    for (let round = 0; round < 8; round += 1) {
      put(`round ${round}`);
      await run(one, ['skills', 'list']);
      const { child, ended } = start(two, ['skills', 'list']);
      const began = performance.now();
      // From when it can have asked the database until it has ended.
      while (performance.now() - began < 150 + round * 40) await new Promise((resolve) => { setTimeout(resolve, 5); });
      child.kill('SIGKILL');
      if ((await ended).signal === 'SIGKILL') killed += 1;
      const texts = textsOf(two);
      expect([[0, 60].includes(texts.length), new Set(texts).size <= 1]).toEqual([true, true]);
    }
    expect(killed).toBeGreaterThan(0);
    expect((await run(two, ['skills', 'list'])).stderr).toBe('');
    expect(textsOf(two)).toEqual(textsOf(one));
  });

  it('refuse a data folder that has files of its own, and say what to do', async () => {
    const url = await cluster.database();
    const [one, two] = [placeOn(url), placeOn(url)];
    expect((await run(one, ['config', 'set', 'effort', 'low'])).code).toBe(0);
    fs.writeFileSync(path.join(two.data, 'config.json'), '{"effort":"high"}');
    for (const args of [['skills', 'list'], ['serve', '--port', '0']]) {
      const refused = await run(two, args);
      expect(refused.code).toBe(2);
      expect(oneLineOf(refused)).toMatch(/has 1 files that the database .* does not have like this \(config\.json\).*db import --from/);
    }
    expect(fs.readFileSync(path.join(two.data, 'config.json'), 'utf8')).toBe('{"effort":"high"}');
  });
});
