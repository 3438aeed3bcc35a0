import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, withoutPostgres, type Cluster } from '../helpers/postgres.ts';
import { generateHome } from './generated-home.ts';
import { makePlace, oneLineOf, run, start, withProvider, FREE, type Place } from './program.ts';

const USER_PASSWORD = 'correct horse battery';

describe.skipIf(withoutPostgres)('skillmint db import', { timeout: 120_000 }, () => {
  let cluster: Cluster;
  beforeAll(async () => { cluster = await startCluster(); });
  afterAll(() => cluster.dispose());

  const exportOf = async (place: Place, id: string, url?: string): Promise<string> => {
    const { code, stdout, stderr } = await run(place, ['sessions', 'export', id, ...(url === undefined ? [] : ['--database', url])]);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  const imported = async (place: Place, url: string, ...flags: readonly string[]) => {
    const { code, stdout, stderr } = await run(place, ['db', 'import', '--database', url, '--json', ...flags]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };

  it('moves all that a person has; every session is exported as before, and a worker with an empty folder has the skills', async () => {
    const place = makePlace();
    const ids = await generateHome(place.data, { sessions: 8, turns: 2, skills: 3 });
    const provider = await withProvider(place, { steps: ['Hello 潮汐.', 'And on.'], settings: { userPrompt: 'Answer in verse.' } });
    const real = JSON.parse((await run(place, ['run', ...FREE, '--output', 'json', 'hi'])).stdout);
    const all = [...ids.slice(0, 4), real.session_id];
    const before = await Promise.all(all.map((id) => exportOf(place, id)));
    const listed = JSON.parse((await run(place, ['sessions', 'list', '--all', '--agents', '--json'])).stdout);
    fs.mkdirSync(path.join(place.data, 'outputs', real.session_id), { recursive: true });
    fs.writeFileSync(path.join(place.data, 'outputs', real.session_id, 'call_1.txt'), 'all of it');
    const url = await cluster.database();
    const first = await imported(place, url);
    expect(first.homes).toMatchObject([{ tenant: '_server', sessions: { imported: 9, same: 0 }, files: { imported: 13, same: 0 }, rules: 2 }]);
    expect(first.homes[0].usage).toBe(17);
    const other = makePlace();
    expect(await Promise.all(all.map((id) => exportOf(other, id, url)))).toEqual(before);
    const env = { SKILLMINT_DATABASE: url };
    expect(JSON.parse((await run(other, ['sessions', 'list', '--all', '--agents', '--json'], { env })).stdout)).toEqual(listed);
    const skills = JSON.parse((await run(other, ['skills', 'list', '--json'], { env })).stdout).skills;
    expect(skills.filter(({ name }: { readonly name: string }) => /^skill-\d/.test(name))).toHaveLength(3);
    expect((await run(other, ['config', 'get', 'userPrompt'], { env })).stdout).toContain('Answer in verse.');
    expect((await run(other, ['skills', 'exec', 'skill-1'], { env })).stdout).toBe('1\n');
    const going = JSON.parse((await run(other, ['run', ...FREE, '--output', 'json', '--session', real.session_id, 'go on'], { env, cwd: place.project })).stdout);
    expect(going).toMatchObject({ session_id: real.session_id, status: 'done' });
    expect(fs.readFileSync(path.join(other.data, 'outputs', real.session_id, 'call_1.txt'), 'utf8')).toBe('all of it');
    expect(provider.requests.at(-1)?.text).toContain('go on');
  });

  it('changes nothing a second time, and refuses what the database has otherwise unless it may replace it', async () => {
    const place = makePlace();
    const [id = ''] = await generateHome(place.data, { sessions: 3, turns: 1, skills: 2 });
    const url = await cluster.database();
    await imported(place, url);
    expect((await imported(place, url)).homes).toMatchObject([{ sessions: { imported: 0, same: 3 }, files: { imported: 0, same: 8 }, usage: 0, rules: 0 }]);
    const env = { SKILLMINT_DATABASE: url };
    const other = makePlace();
    await run(other, ['sessions', 'fork', id], { env });
    fs.writeFileSync(path.join(place.data, 'skills/skill-0/SKILL.md'), '---\nname: skill-0\ndescription: Changed at home.\n---\n');
    const refused = await run(place, ['db', 'import', '--database', url]);
    expect(refused.code).toBe(2);
    expect(oneLineOf(refused)).toMatch(/has other data: 0 sessions and 1 files that are not as in this folder \(such as skills\/skill-0\/SKILL\.md\), and 1 sessions and 0 files that are not in it\. Nothing was imported\..*--replace/);
    expect((await imported(place, url, '--replace')).homes).toMatchObject([{ sessions: { imported: 0, same: 3 }, files: { imported: 1, same: 7 } }]);
    expect((await run(other, ['skills', 'show', 'skill-0'], { env })).stdout).toContain('Changed at home.');
  });

  it('goes on after it was killed', async () => {
    const place = makePlace();
    const ids = await generateHome(place.data, { sessions: 160, turns: 1, skills: 1 });
    const url = await cluster.database();
    const { child, ended } = start(place, ['db', 'import', '--database', url], { onError: (text) => { if (text.includes('100 of')) child.kill('SIGKILL'); } });
    expect((await ended).signal).toBe('SIGKILL');
    const [home] = (await imported(place, url)).homes;
    expect(home.sessions.same).toBeGreaterThanOrEqual(100);
    expect(home.sessions.imported).toBe(160 - home.sessions.same);
    const last = ids.at(-1) ?? '';
    expect(await exportOf(makePlace(), last, url)).toBe(await exportOf(place, last));
  });

  it('moves the users of a server with what is theirs, apart from each other', async () => {
    const place = makePlace();
    for (const name of ['ada', 'bert']) {
      expect((await run(place, ['users', 'add', name], { input: `${USER_PASSWORD}\n` })).code).toBe(0);
      const data = path.join(place.data, 'users', name);
      await generateHome(data, { sessions: 2, turns: 1, skills: 1 });
      fs.writeFileSync(path.join(data, 'skills/skill-0/SKILL.md'), `---\nname: skill-0\ndescription: Of ${name}.\n---\n`);
    }
    const url = await cluster.database();
    expect((await imported(place, url)).homes.map(({ tenant, sessions }: { readonly tenant: string; readonly sessions: object }) => [tenant, sessions])).toEqual([['_server', { imported: 0, same: 0 }], ['ada', { imported: 2, same: 0 }], ['bert', { imported: 2, same: 0 }]]);
    const list = await run(makePlace(), ['users', 'list', '--json'], { env: { SKILLMINT_DATABASE: url } });
    expect(JSON.parse(list.stdout).users.map(({ name }: { readonly name: string }) => name)).toEqual(['ada', 'bert']);
  });

  it.each([
    [['db', 'import'], 2, /Say into which database/],
    [['db', 'import', '--from', '/nowhere', '--database', 'postgres://x@127.0.0.1:1/y'], 5, /There is no data folder \/nowhere/],
    [['db', 'import', '--database', 'postgres://x:secret-word@127.0.0.1:1/y'], 1, /nothing answers there/],
    [['db', 'import', '--database', 'mysql://x'], 2, /not named by a URL of PostgreSQL/],
  ] as const)('says what is wrong with %j', async (args, code, says) => {
    const ended = await run(makePlace(), args);
    expect(ended.code).toBe(code);
    expect(oneLineOf(ended)).toMatch(says);
    expect(ended.stderr).not.toContain('secret-word');
  });
});
