import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { API } from '../../src/api/api.ts';
import type { AnyEndpoint } from '../../src/api/endpoint.ts';
import { isObject, type JsonObject } from '../../src/protocol/json.ts';
import { startFakeProvider } from '../../src/testing/fake-provider/server.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { withoutBubblewrap } from '../e2e/program.ts';
import { removeUser, setRole } from '../../src/server/users/change-user.ts';
import { readEvents } from './open-server.ts';
import { openUsers, type TestUser } from './open-users.ts';

const ENDPOINTS: readonly AnyEndpoint[] = Object.values(API);
/** What the endpoints take that would refuse an empty body before they look for the id. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /api/sessions/:id/messages': { text: 'hello' }, 'POST /api/sessions/:id/answers': { decision: 'allow' }, 'PATCH /api/sessions/:id': { mode: 'plan' },
  'PATCH /api/skills/:id': { enabled: false }, 'POST /api/skills/:id/trust': { digest: 'sha256:0' }, 'PUT /api/memory/:key': { text: 'x' }, 'POST /api/sessions/:id/rewind': { to_seq: 2 },
};
const QUERIES: Readonly<Record<string, string>> = { 'GET /api/sessions/:id/rewind': '?to_seq=2' };
const KEY = 'sk-of-the-server-0123456789';

const skillOf = async ({ ask }: TestUser, name: string): Promise<string> => String((await ask('POST', '/api/skills', { body: { name, description: 'Tells of secret plans.', instructions: 'The secret plan of ada.', source: 'user' } })).json['id']);
const sessionOf = async ({ ask }: TestUser, body: object = {}): Promise<string> => String((await ask('POST', '/api/sessions', { body })).json['id']);
const settled = async ({ ask }: TestUser, id: string, status: string): Promise<void> => {
  await expect.poll(async () => (await ask('GET', `/api/sessions/${id}`)).json['status'], { timeout: 10_000 }).toBe(status);
};

/** What is for administrators alone. */
const REFUSED = [
  ['PUT', '/api/settings', { key: 'hooks', value: { Stop: [] } }], ['PUT', '/api/settings', { key: 'mcpServers', value: {} }], ['PUT', '/api/settings', { key: 'sandbox', value: 'off' }],
  ['PUT', '/api/settings', { key: 'network.allow', value: ['10.0.0.1'] }], ['PUT', '/api/settings', { key: 'maxCost', value: 1000 }], ['PUT', '/api/settings', { key: 'permissions', value: { mode: 'unrestricted' } }],
  ['PUT', '/api/settings', { key: 'permissions.mode', value: 'unrestricted' }], ['PUT', '/api/settings', { key: 'permissions.mode', value: 'bypassPermissions' }], ['PUT', '/api/settings', { key: 'permissions.allow', value: ['Network(10.0.0.1)'] }],
  ['PUT', '/api/settings', { key: 'permissions.allow', value: ['Network(localhost:5432)'] }], ['PUT', '/api/settings', { key: 'skills.paths', value: ['/etc'] }], ['PUT', '/api/settings', { key: 'skills.interpreters', value: { md: ['/bin/sh'] } }],
  ['PUT', '/api/settings', { key: 'addDirs', value: ['/etc'] }], ['PUT', '/api/settings', { key: 'browser.executable', value: '/bin/sh' }],
  ['POST', '/api/sessions', { mode: 'unrestricted' }], ['POST', '/api/skills/install', { source: './somewhere' }], ['POST', '/api/skills/install', { source: '/etc' }],
  ['POST', '/api/mcp/servers', { name: 'x', command: 'sh' }], ['DELETE', '/api/mcp/servers/x', {}], ['POST', '/api/mcp/servers/x/approval', { digest: 'x' }], ['DELETE', '/api/mcp/servers/x/approval', {}],
  ['POST', '/api/mcp/add-server', { name: 'x', command: 'sh' }], ['POST', '/api/mcp/call-tool', { server_name: 'x', tool_name: 'y' }], ['POST', '/api/browser/snapshot', {}], ['POST', '/api/web/search', { query: 'x' }],
  ['POST', '/api/skills/none/open', {}], ['GET', '/api/audit', undefined],
] as const;

describe('what belongs to one user', () => {
  it('is not there for another, by none of its ids, nor for an administrator (C-H8)', async () => {
    const server = await openUsers({ model: scriptedModel([{ calls: [{ tool: 'Write', input: { file_path: 'plan.txt', content: 'secret' } }] }]) });
    const [ada, bert] = [await server.user('ada'), await server.user('bert')];
    const skill = await skillOf(ada, 'plans');
    const session = await sessionOf(ada);
    await ada.ask('POST', `/api/sessions/${session}/messages`, { body: { text: 'write the plan' } });
    await settled(ada, session, 'waiting');
    await ada.ask('PUT', '/api/memory/plan', { body: { text: 'a secret' } });
    const request = (await ada.ask('GET', `/api/sessions/${session}`)).json['open'];
    expect(request).toHaveLength(1);
    const wrong: string[] = [];
    let asked = 0;
    for (const user of [bert, server.root]) {
      for (const { method, path: at, admin } of ENDPOINTS.filter((each) => /:(?:id|key)/.test(each.path))) {
        const ids = at.includes('/skills/:id') ? [skill, 'plans'] : [session];
        for (const id of ids) {
          const to = at.replace(':id', encodeURIComponent(id)).replace(':key', 'plan').replace(':skill', encodeURIComponent(skill)).replace('*', 'SKILL.md');
          if (`${method} ${at}` === 'PUT /api/memory/:key') continue;
          asked += 1;
          const answer = await user.ask(method, `${to}${QUERIES[`${method} ${at}`] ?? ''}`, method === 'GET' ? {} : { body: BODIES[`${method} ${at}`] ?? {} });
          const wanted = admin && user === bert ? 403 : 404;
          if (answer.status !== wanted || /secret|plan of ada/.test(answer.text)) wrong.push(`${user.name}: ${method} ${to}: ${answer.status} ${answer.text.slice(0, 200)}`);
        }
      }
    }
    expect(asked).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
    const own = await sessionOf(bert);
    expect((await bert.ask('POST', `/api/sessions/${own}/answers`, { body: { request_id: Array.isArray(request) ? request[0].request_id : '', decision: 'allow' } })).status).toBe(409);
    expect((await bert.ask('GET', '/api/sessions')).json['sessions']).toMatchObject([{ id: own }]);
    for (const list of ['/api/skills', '/api/skills?query=secret+plans', '/api/memory', '/api/usage', '/api/settings']) expect((await bert.ask('GET', list)).text).not.toMatch(/secret|plans|ada/);
    // All that is ada's is as it was.
    expect((await ada.ask('GET', `/api/skills/${encodeURIComponent(skill)}`)).json).toMatchObject({ enabled: true });
    expect((await ada.ask('GET', `/api/sessions/${session}`)).json).toMatchObject({ status: 'waiting' });
    expect((await ada.ask('GET', '/api/memory/plan')).json).toMatchObject({ text: 'a secret' });
  });

  it('lies in folders for the server alone, and no folder of others can be worked in', async () => {
    const server = await openUsers({ model: scriptedModel([]) });
    const [ada, bert] = [await server.user('ada'), await server.user('bert')];
    for (const user of [ada, bert]) await sessionOf(user);
    for (const folder of [ada.data, ada.workspace]) expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    expect(fs.statSync(path.join(ada.data, 'skillmint.db')).mode & 0o777).toBe(0o600);
    fs.symlinkSync(ada.workspace, path.join(bert.workspace, 'link'));
    for (const cwd of [ada.workspace, server.workspaces, ada.data, bert.data, server.place.data, server.place.project, server.place.home, '/', `${bert.workspace}/../ada`, path.join(bert.workspace, 'link')]) {
      expect([cwd, (await bert.ask('POST', '/api/sessions', { body: { cwd } })).status]).toEqual([cwd, 403]);
      expect([cwd, (await bert.ask('GET', `/api/skills?cwd=${encodeURIComponent(cwd)}`)).status]).toEqual([cwd, 403]);
    }
    expect((await bert.ask('POST', '/api/sessions', { body: { cwd: bert.workspace } })).status).toBe(201);
    expect((await bert.ask('POST', '/api/sessions', { body: { cwd: path.join(server.place.data, 'users', 'bert') } })).status).toBe(403);
    expect((await server.root.ask('POST', '/api/sessions', { body: { cwd: server.place.data } })).status).toBe(403);
  });

  it('stays closed to the file tools of others, whatever they allow', async () => {
    const reads: string[] = [];
    const model = scriptedModel([
      (request) => { reads.push(JSON.stringify(request.messages)); return { calls: [...FILES.map((file_path) => ({ tool: 'Read', input: { file_path } })), ...OTHERS, { tool: 'Read', input: { file_path: 'own.txt' } }] }; },
      (request) => { reads.push(JSON.stringify(request.messages)); return 'done'; },
    ]);
    const FILES: string[] = [];
    const OTHERS: { readonly tool: string; readonly input: JsonObject }[] = [];
    const server = await openUsers({ model, settings: { permissions: { mode: 'unrestricted' } } });
    const [ada, bert] = [await server.user('ada'), await server.user('bert')];
    for (const user of [ada, bert]) await sessionOf(user);
    fs.writeFileSync(path.join(ada.workspace, 'notes.txt'), 'the secret of ada');
    fs.writeFileSync(path.join(bert.workspace, 'own.txt'), 'what is of bert');
    fs.symlinkSync(path.join(ada.workspace, 'notes.txt'), path.join(bert.workspace, 'link.txt'));
    FILES.push(path.join(ada.workspace, 'notes.txt'), path.join(bert.workspace, 'link.txt'), path.join(server.place.data, 'users.json'), path.join(bert.data, 'config.json'), '/etc/passwd');
    for (const at of [ada.workspace, server.workspaces, server.place.data]) for (const tool of ['Grep', 'Glob', 'LS']) OTHERS.push({ tool, input: { path: at, ...(tool === 'LS' ? {} : { pattern: tool === 'Grep' ? 'secret' : '**/*' }) } });
    OTHERS.push({ tool: 'Write', input: { file_path: path.join(ada.workspace, 'evil.txt'), content: 'x' } });
    await bert.ask('PUT', '/api/settings', { body: { key: 'permissions.allow', value: ['Read(//**)', 'Read', 'Write', 'Edit(//**)'] } });
    const id = await sessionOf(bert, { mode: 'unrestricted' });
    await bert.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'read' } });
    await settled(bert, id, 'done');
    expect(reads).toHaveLength(2);
    expect(reads[1]).toContain('what is of bert');
    expect(reads[1]).not.toMatch(/secret of ada|scrypt|stamp|root:/);
    expect(reads[1]?.match(/lies outside the workspace, and users/g)).toHaveLength(FILES.length + OTHERS.length);
    expect(fs.readdirSync(ada.workspace)).toEqual(['notes.txt']);
  });
});

describe.skipIf(withoutBubblewrap)('commands of a member (needs bubblewrap)', () => {
  it('see nothing of others, of the data, of the keys', async () => {
    let seen = '';
    const FILES: string[] = [];
    const model = scriptedModel([
      () => ({ calls: [{ tool: 'Bash', input: { command: `cat ${FILES.join(' ')}; env; echo ran` } }] }),
      (request) => { seen = JSON.stringify(request.messages.slice(1)); return 'done'; },
    ]);
    const server = await openUsers({ model, unsandboxed: false, env: { ANTHROPIC_API_KEY: KEY }, settings: { permissions: { mode: 'unrestricted' } } });
    const [ada, bert] = [await server.user('ada'), await server.user('bert')];
    await sessionOf(ada);
    fs.writeFileSync(path.join(ada.workspace, 'notes.txt'), 'the secret of ada');
    FILES.push(path.join(ada.workspace, 'notes.txt'), path.join(server.place.data, 'users.json'), path.join(bert.data, 'skillmint.db'));
    await bert.ask('PUT', '/api/settings', { body: { key: 'permissions.allow', value: ['Env(ANTHROPIC_API_KEY)'] } });
    const id = await sessionOf(bert, { mode: 'unrestricted' });
    expect((await bert.ask('GET', `/api/sessions/${id}`)).json).toMatchObject({ sandbox: 'isolated' });
    await bert.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'look' } });
    await settled(bert, id, 'done');
    expect(seen).toContain('ran');
    expect(seen.match(/No such file/g)).toHaveLength(3);
    expect(seen).not.toContain(KEY);
    expect(seen).not.toMatch(/secret of ada|"stamp/);
  });
});

describe('the keys of the server', () => {
  it('serve members, who can neither read them nor send them elsewhere', async () => {
    const [provider, thief] = [await startFakeProvider({ steps: ['hello ada'] }), await startFakeProvider({ steps: ['got it'] })];
    for (const each of [provider, thief]) onTestFinished(() => each.close());
    const server = await openUsers({
      env: { FAKE_KEY: KEY, OPENAI_API_KEY: 'sk-openai-of-the-server' },
      settings: { model: 'fake/m', providers: { fake: { api: 'openai-chat', baseUrl: provider.url, apiKey: { env: 'FAKE_KEY' }, headers: { 'x-team': 'header-secret' }, models: [{ id: 'm', contextWindow: 100_000, maxOutput: 1_000 }] } } },
    });
    const ada = await server.user('ada');
    const id = await sessionOf(ada);
    await ada.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'hello' } });
    await settled(ada, id, 'done');
    expect(provider.requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`);
    const settings = (await ada.ask('GET', '/api/settings')).text;
    expect(settings).toContain('providers.fake.apiKey');
    for (const hidden of [KEY, 'sk-openai-of-the-server', 'header-secret']) expect(settings).not.toContain(hidden);
    expect((await ada.ask('GET', '/api/models')).text).not.toContain(KEY);
    for (const [key, value] of [['providers.fake.baseUrl', thief.url], ['providers.fake', { baseUrl: thief.url }], ['providers', { fake: { api: 'openai-chat', baseUrl: thief.url } }], ['providers.fake.apiKey', { env: 'FAKE_KEY' }], ['providers.openai.baseUrl', thief.url], ['search', { engine: 'searxng', baseUrl: thief.url }]] as const) {
      const answer = await ada.ask('PUT', '/api/settings', { body: { key, value } });
      expect([key, answer.status, answer.json['code']]).toEqual([key, 403, 'permission_denied']);
    }
    // A project of hers is not trusted, and cannot become so.
    fs.mkdirSync(path.join(ada.workspace, '.skillmint'));
    fs.writeFileSync(path.join(ada.workspace, '.skillmint', 'config.json'), JSON.stringify({ providers: { fake: { api: 'openai-chat', baseUrl: thief.url, models: [{ id: 'm' }] } }, hooks: { Stop: [{ hooks: [{ type: 'command', command: 'touch hooked' }] }] } }));
    expect((await ada.ask('PUT', '/api/settings', { body: { key: 'trustedFolders', value: [ada.workspace] } })).status).toBe(403);
    // Even in her own file, where only an administrator can write it, an address of hers gets no key.
    fs.writeFileSync(path.join(ada.data, 'config.json'), JSON.stringify({ providers: { openai: { baseUrl: thief.url, apiKey: { env: 'OPENAI_API_KEY' } } } }), { mode: 0o600 });
    const other = await ada.ask('POST', '/api/sessions', { body: { model: 'openai/gpt-5' } });
    expect([other.status, other.json['code']]).not.toEqual([201, undefined]);
    expect(thief.requests).toEqual([]);
  });
});

describe('what a member may not do, and an administrator may', () => {
  it('each is refused with a sentence', async () => {
    const server = await openUsers({ model: scriptedModel([]) });
    const ada = await server.user('ada');
    const wrong: string[] = [];
    for (const [method, at, body] of REFUSED) {
      const asked = body === undefined ? {} : { body };
      const { status, json, text } = await ada.ask(method, at, asked);
      if (status !== 403 || json['code'] !== 'permission_denied' || !/administrator/.test(text)) wrong.push(`member: ${method} ${at}: ${status} ${text}`);
      // An administrator starts programs with these.
      if (/^\/api\/(?:browser|web|mcp\/add-server)/.test(at)) continue;
      const answer = await server.root.ask(method, at, asked);
      if (answer.json['code'] === 'permission_denied') wrong.push(`administrator: ${method} ${at}: ${answer.text}`);
    }
    expect(wrong).toEqual([]);
  });

  it('a session is not bound to a skill of any folder, nor made unrestricted later', async () => {
    const server = await openUsers({ model: scriptedModel([]) });
    const [ada, bert] = [await server.user('ada'), await server.user('bert')];
    await skillOf(ada, 'plans');
    for (const skill of [path.join(ada.data, 'skills', 'plans'), '../ada/skills', '~/x', '.']) expect((await bert.ask('POST', '/api/sessions', { body: { skill } })).status).toBe(404);
    const id = await sessionOf(bert);
    expect((await bert.ask('PATCH', `/api/sessions/${id}`, { body: { mode: 'unrestricted' } })).status).toBe(403);
    expect((await bert.ask('PATCH', `/api/sessions/${id}`, { body: { mode: 'acceptEdits' } })).status).toBe(200);
  });

  it('whoever is a member now does not go on where they worked as an administrator', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'AskUserQuestion', input: { question: 'Which one?' } }] }, { hang: true }]);
    const server = await openUsers({ model });
    const ada = await server.user('ada', 'admin');
    const [idle, waiting, running] = [await sessionOf(ada), await sessionOf(ada), await sessionOf(ada)];
    await ada.ask('POST', `/api/sessions/${waiting}/messages`, { body: { text: 'ask me' } });
    await settled(ada, waiting, 'waiting');
    await ada.ask('POST', `/api/sessions/${running}/messages`, { body: { text: 'go' } });
    await settled(ada, running, 'running');
    await setRole(server.place.data, 'ada', 'member');
    expect((await ada.ask('GET', '/api/me')).json).toMatchObject({ role: 'member', roots: [ada.workspace] });
    const fork = String((await ada.ask('POST', `/api/sessions/${idle}/fork`, { body: {} })).json['id']);
    for (const [at, body] of [[`${idle}/messages`, { text: 'go on' }], [`${fork}/messages`, { text: 'go on' }], [`${waiting}/answers`, { answer: 'this one' }], [`${waiting}/rewind`, { to_seq: 2 }], [`${running}/resume`, {}]] as const) {
      // The server itself looks at what was cut off, and holds it for a moment.
      await expect.poll(async () => {
        const { status, text } = await ada.ask('POST', `/api/sessions/${at}`, { body });
        return [at, status, text];
      }).toEqual([at, 403, expect.stringContaining('work in theirs alone')]);
    }
    expect(model.requests).toHaveLength(2);
    expect((await ada.ask('GET', `/api/sessions/${waiting}`)).json).toMatchObject({ status: 'waiting' });
  });

  it('settings that only an administrator changes are marked, and those of their own are not', async () => {
    const server = await openUsers({ model: scriptedModel([]) });
    const ada = await server.user('ada');
    const fixed = async (ask: TestUser['ask']): Promise<readonly string[]> => {
      const { known } = (await ask('GET', '/api/settings')).json;
      return (Array.isArray(known) ? known : []).filter(isObject).flatMap((one) => (one['fixed'] === true ? [String(one['key'])] : []));
    };
    expect(await fixed(ada.ask)).toEqual(expect.arrayContaining(['providers', 'mcpServers', 'sandbox', 'hooks']));
    expect(await fixed(ada.ask)).not.toEqual(expect.arrayContaining(['model']));
    expect(await fixed(server.root.ask)).toEqual([]);
  });

  it('keeps model and rules of their own', async () => {
    const server = await openUsers({ model: scriptedModel([]) });
    const ada = await server.user('ada');
    for (const [key, value] of [['model', 'demo/demo'], ['permissions.allow', ['Bash(ls *)', 'Network(example.com)']], ['permissions.mode', 'acceptEdits'], ['userPrompt', 'Be brief.']] as const) expect([key, (await ada.ask('PUT', '/api/settings', { body: { key, value } })).status]).toEqual([key, 200]);
    expect(JSON.parse(fs.readFileSync(path.join(ada.data, 'config.json'), 'utf8'))).toMatchObject({ permissions: { mode: 'acceptEdits' } });
  });
});

describe('the runtime of a user', () => {
  it('is closed when nobody uses it, and opened again', async () => {
    const server = await openUsers({ model: scriptedModel(['one']), idleMs: 50 });
    const ada = await server.user('ada');
    const id = await sessionOf(ada);
    const isOpen = (): boolean => fs.readdirSync(ada.data).some((name) => name.startsWith('skillmint.db-open-'));
    expect(isOpen()).toBe(true);
    await expect.poll(isOpen, { timeout: 10_000 }).toBe(false);
    expect((await ada.ask('GET', `/api/sessions/${id}`)).status).toBe(200);
    expect((await ada.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'go' } })).status).toBe(202);
    await settled(ada, id, 'done');
  });

  it('ends with the user: whoever reads events is cut off, and nothing of theirs stays open', async () => {
    const server = await openUsers({ model: scriptedModel([{ hang: true }]) });
    const ada = await server.user('ada');
    const id = await sessionOf(ada);
    await ada.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'go' } });
    const events = readEvents({ port: server.port, server: { token: ada.token } }, `/api/sessions/${id}/events`, { until: () => false });
    await settled(ada, id, 'running');
    await removeUser(server.place.data, 'ada');
    expect((await events).length).toBeGreaterThan(0);
    await expect.poll(() => fs.readdirSync(ada.data).some((name) => name.startsWith('skillmint.db-open-')), { timeout: 10_000 }).toBe(false);
  });

  it('works on with what a stop has cut off, before the user comes back', async () => {
    const first = await openUsers({ model: scriptedModel([{ hang: true }]) });
    const ada = await first.user('ada');
    const id = await sessionOf(ada);
    await ada.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'go' } });
    await settled(ada, id, 'running');
    await first.close();
    const model = scriptedModel(['went on']);
    await openUsers({ model, place: first.place });
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
  });
});

describe('folders that would show what belongs to others', () => {
  it.each([
    ['in the data folder', (data: string) => path.join(data, 'work')],
    ['around it', (data: string) => path.dirname(data)],
  ])('keep the server from starting: workspaces %s', async (_what, place) => {
    const { checkPlaces } = await import('../../src/server/users/member-places.ts');
    const { place: { data }, workspaces } = await openUsers({ model: scriptedModel([]) });
    expect(() => checkPlaces({ dataFolder: data, workspaces: place(data) })).toThrow('must not lie in one another');
    fs.mkdirSync(path.join(workspaces, '.git'));
    expect(() => checkPlaces({ dataFolder: data, workspaces })).toThrow('git repository');
  });
});

it('a member cannot hide a rule that opens the machine in a text', async () => {
  const server = await openUsers({ model: scriptedModel([]) });
  const ada = await server.user('ada');
  for (const value of ['["Network(localhost:5432)"]', '["Network\\u0028localhost:5432)"]', 'Network(localhost:5432)', 'Read,Network(10.0.0.1)', [' Network(127.0.0.1:80) '], ['Network([::1]:80)'], ['Network(0x7f.1:80)'], ['Network(0xa.1)']]) {
    const { status } = await ada.ask('PUT', '/api/settings', { body: { key: 'permissions.allow', value } });
    expect([value, status === 400 || status === 403]).toEqual([value, true]);
  }
  expect(fs.existsSync(path.join(ada.data, 'config.json'))).toBe(false);
});
