import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/model/model.ts';
import { isObject, parseJson } from '../../src/protocol/json.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { makeRequest, operationsOf, type FuzzRequest, type Known } from './fuzz/make-request.ts';
import { seeded } from './fuzz/random.ts';
import { RAW, send, sendRaw, type FuzzAnswer } from './fuzz/send.ts';
import { openServer, type TestServer } from './open-server.ts';

const REQUESTS = process.env['WHOLE'] === '1' ? 10_000 : 1_500;
const SEED = Number(process.env['FUZZ_SEED'] ?? 6);
const AT_ONCE = 4;
const CANARY = 'canary-outside-of-everything';
/** MiB that the process may grow by: requests of megabytes come and go. */
const MOST_GROWTH = 700;
const PAGES = new Set(['/', '/login', '/chat/{id}', '/skills', '/sessions', '/usage', '/settings']);
const OPEN = new Set(['/health', '/ready', '/api/login', '/api/logout']);

/** Always answers, and keeps nothing. */
const model: Model = { ...scriptedModel([]), stream: async function* (request, signal) { yield* scriptedModel(['done']).stream(request, signal); } };

/** So often what requests are about is made anew: some of them remove it. */
const RENEWED_AFTER = 40;

async function cookieOf(server: TestServer): Promise<string> {
  const login = await server.bare('POST', '/api/login', { body: { token: server.server.token } });
  return login.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

async function knownOf(server: TestServer, cookie: string): Promise<Known> {
  const sessions = await Promise.all([1, 2, 3].map(async () => String((await server.ask('POST', '/api/sessions', { body: {} })).json['id'])));
  const skill = await server.ask('POST', '/api/skills', { body: { name: 'plans', description: 'Plans things.', instructions: 'Plan.', source: 'user' } });
  await server.ask('PUT', '/api/memory/notes', { body: { text: 'noted' } });
  return { token: server.server.token, port: server.port, cookie, folder: server.place.project, ids: { session: sessions, skill: [skill.status === 201 ? String(skill.json['id']) : 'user:plans', 'plans', 'user:none'], key: ['notes', 'none'], name: ['none', 'other'], path: ['SKILL.md', 'none.md'] } };
}

/** The JSON behind the head of an answer. */
const objectIn = (text: string): unknown => parseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));

/** What is wrong with an answer; undefined where nothing is. */
function wrongWith({ operation, method, path: at, isLet }: FuzzRequest, { status, type, text }: FuzzAnswer): string | undefined {
  if (text.includes(CANARY)) return 'it shows a file from outside';
  if (status === 0) return method === 'GET' ? 'there is no answer' : undefined;
  const said = parseJson(text);
  const error = isObject(said) ? said : {};
  if (status >= 500) return `it fails: ${text.slice(0, 300)}`;
  if (status >= 400 && method !== 'HEAD' && (typeof error['error'] !== 'string' || error['error'] === '' || typeof error['code'] !== 'string')) return `its error has another form: ${text.slice(0, 300)}`;
  const isOpen = OPEN.has(operation.path) || (type.startsWith('text/html') && PAGES.has(operation.path)) || at.split('?')[0]?.startsWith('/login');
  return !isLet && !isOpen && status < 400 ? `it answers without a credential: ${text.slice(0, 300)}` : undefined;
}

describe('requests made of the document', () => {
  it(`${REQUESTS} of them, right, nearly right and broken, are answered or refused as they should be`, { timeout: 1_800_000 }, async () => {
    const server = await openServer(model, { settings: { permissions: { mode: 'default' }, browser: { executable: '/none/chromium' }, search: { engine: 'searxng', baseUrl: 'http://127.0.0.1:1/' } } });
    fs.writeFileSync(path.join(path.dirname(server.place.project), 'outside.txt'), CANARY);
    fs.symlinkSync(path.join(path.dirname(server.place.project), 'outside.txt'), path.join(server.place.project, 'link.txt'));
    const operations = operationsOf((await server.ask('GET', '/openapi.json')).json);
    const cookie = await cookieOf(server);
    let known = await knownOf(server, cookie);
    const random = seeded(SEED);
    const [before, began] = [process.memoryUsage().rss, performance.now()];
    const [wrong, statuses, seen]: readonly [string[], Map<number, number>, Set<string>] = [[], new Map(), new Set()];
    const one = async (): Promise<void> => {
      const request = makeRequest(random.one(operations), known, random);
      const answer = await send(server.port, request);
      const problem = wrongWith(request, answer);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status < 300) seen.add(`${request.operation.method} ${request.operation.path}`);
      if (problem !== undefined) wrong.push(`${request.method} ${request.path.slice(0, 200)} ${JSON.stringify(request.headers).slice(0, 200)} ${String(request.body).slice(0, 200)}\n  ${answer.status}: ${problem}`);
    };
    let left = REQUESTS;
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) {
        if (left % RENEWED_AFTER === 0) known = await knownOf(server, cookie);
        await one();
      }
    }));
    const table = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`).join(', ');
    process.stdout.write(`seed ${SEED}: ${REQUESTS} requests to ${operations.length} operations in ${Math.round((performance.now() - began) / 1_000)} s; ${table}; done by ${seen.size} operations; ${Math.round((process.memoryUsage().rss - before) / 1_048_576)} MiB more\n`);
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(server.log.filter((line) => !line.startsWith('session '))).toEqual([]);
    expect((process.memoryUsage().rss - before) / 1_048_576).toBeLessThan(MOST_GROWTH);
    expect((await server.bare('GET', '/health')).json).toMatchObject({ status: 'ok' });
    const id = String((await server.ask('POST', '/api/sessions', { body: { model: 'demo/demo' } })).json['id']);
    expect((await server.ask('GET', `/api/sessions/${id}`)).json).toMatchObject({ id });
    // Enough of it has to be more than a refusal; without a browser and the network not all can be done.
    expect(seen.size).toBeGreaterThan(operations.length * 0.4);
  });

  it('bytes that are none are refused, each by an answer or the end of the connection', async () => {
    const server = await openServer(model);
    for (const bytes of RAW) {
      const text = await sendRaw(server.port, bytes);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 400);
      if (status >= 400 && text !== '') expect([bytes.slice(0, 60), objectIn(text)]).toEqual([bytes.slice(0, 60), { error: expect.stringMatching(/\.$/), code: expect.any(String) }]);
      const isHealth = /^[^\r]*\/health/.test(bytes) && status === 200;
      expect([bytes.slice(0, 60), status >= 400 && status < 500 ? 'refused' : isHealth ? 'health' : text.slice(0, 200)]).toEqual([bytes.slice(0, 60), isHealth ? 'health' : 'refused']);
    }
    expect((await server.bare('GET', '/health')).status).toBe(200);
    expect(server.log).toEqual([]);
  });
});
