import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { makePlace } from '../runtime/open.ts';
import { openServer, readEvents, type Answer, type Streamed, type TestServer } from './open-server.ts';

const ended = ({ data }: Streamed): boolean => data['type'] === 'turn.completed';
const seqs = (events: readonly Streamed[]): readonly number[] => events.flatMap(({ data }) => (typeof data['seq'] === 'number' ? [data['seq']] : []));

async function newSession({ ask }: Pick<TestServer, 'ask'>, body: object = {}): Promise<string> {
  const made = await ask('POST', '/api/sessions', { body });
  expect(made.status, made.text).toBe(201);
  return String(made.json['id']);
}

describe('a conversation over HTTP', () => {
  it('is followed from its start, and by a second one from where it had come', async () => {
    const server = await openServer(scriptedModel([{ text: 'I look.', calls: [{ tool: 'LS', input: { path: '.' } }] }, 'all is there']));
    const id = await newSession(server);
    const events = readEvents(server, `/api/sessions/${id}/events`, { until: ended });
    const sent = await server.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'look around' } });
    expect(sent.status).toBe(202);
    const all = await events;
    expect(all.at(-1)?.data).toMatchObject({ type: 'turn.completed', status: 'done', text: 'all is there', turn_id: sent.json['turn_id'] });
    expect(seqs(all)).toEqual(seqs(all).map((_, index) => index + 1));
    expect(all.filter(({ data }) => data['type'] === 'text.delta').map(({ data }) => data['text']).join('')).toBe('I look.all is there');
    expect(all.every(({ id: own, data }) => (data['seq'] === undefined ? own === undefined : own === JSON.stringify(data['seq'])))).toBe(true);
    const rest = await readEvents(server, `/api/sessions/${id}/events`, { headers: { 'last-event-id': '5' }, until: ended });
    expect(seqs(rest)).toEqual(seqs(all).slice(5));
    expect((await server.ask('GET', `/api/sessions/${id}`)).json).toMatchObject({ id, status: 'done', permission_mode: 'unrestricted', open: [] });
    const exported = await server.ask('GET', `/api/sessions/${id}/export`);
    expect(exported.text.trimEnd().split('\n')).toHaveLength(seqs(all).length);
  });

  it('takes a message once, however often it comes with its key, also after the server was started anew', async () => {
    const place = makePlace();
    const first = await openServer(scriptedModel(['one']), { place });
    const id = await newSession(first);
    const post = ({ ask }: TestServer, key: string) => ask('POST', `/api/sessions/${id}/messages`, { headers: { 'idempotency-key': key }, body: { text: 'hello' } });
    const both = await Promise.all([post(first, 'a'), post(first, 'a'), post(first, 'a')]);
    expect(new Set(both.map(({ json }) => json['turn_id'])).size).toBe(1);
    await readEvents(first, `/api/sessions/${id}/events`, { until: ended });
    await first.close();
    const second = await openServer(scriptedModel(['two']), { place });
    expect((await post(second, 'a')).json['turn_id']).toBe(both[0]?.json['turn_id']);
    expect((await post(second, 'b')).json['turn_id']).not.toBe(both[0]?.json['turn_id']);
    expect((await post(second, 'not ascii é')).status).toBe(400);
  });

  it('gives a message to the turn that runs', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const server = await openServer(scriptedModel([async () => { await held; return { text: 'first', calls: [{ tool: 'LS', input: { path: '.' } }] }; }, 'heard both']));
    const id = await newSession(server);
    const [one, two] = [await server.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'a' } }), await server.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'b' } })];
    release();
    expect(two.json['turn_id']).toBe(one.json['turn_id']);
    const events = await readEvents(server, `/api/sessions/${id}/events`, { until: ended });
    expect(events.filter(({ data }) => data['type'] === 'message.added').map(({ data }) => data['text'])).toEqual(['b']);
  });

  it('refuses what a turn that runs cannot take over, and takes it once the turn has ended', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const server = await openServer(scriptedModel([async () => { await held; return 'first'; }, 'second']));
    await server.ask('POST', '/api/skills', { body: { name: 'plans', description: 'Makes plans.', instructions: 'Plan.', source: 'user' } });
    const id = await newSession(server);
    const send = (body: object, key: string): Promise<Answer> => server.ask('POST', `/api/sessions/${id}/messages`, { headers: { 'idempotency-key': key }, body: { text: 'a', ...body } });
    const first = await send({ tools: 'all' }, 'one');
    expect(first.status).toBe(202);
    for (const body of [{ skill: 'plans' }, { model: 'scripted/other' }, { tools: 'none' }]) {
      const { status, json } = await send(body, 'two');
      expect([body, status, json['code']]).toEqual([body, 409, 'session_busy']);
    }
    // The one that has begun the turn is known again.
    expect((await send({ tools: 'all' }, 'one')).json).toEqual(first.json);
    release();
    await readEvents(server, `/api/sessions/${id}/events`, { until: ended });
    expect((await send({ skill: 'plans' }, 'two')).status).toBe(202);
    const events = await readEvents(server, `/api/sessions/${id}/events`, { until: (_event, all) => all.filter(({ data }) => data['type'] === 'turn.completed').length === 2 });
    expect(events.flatMap(({ data }) => (data['type'] === 'skill.activated' ? [data['skill_id']] : []))).toEqual(['user:plans']);
  });

  it('is stopped, and says when there was nothing to stop', async () => {
    const server = await openServer(scriptedModel([{ hang: true }]));
    const id = await newSession(server);
    await server.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'go' } });
    expect((await server.ask('POST', `/api/sessions/${id}/cancel`)).json).toEqual({ cancelled: true });
    const events = await readEvents(server, `/api/sessions/${id}/events`, { until: ended });
    expect(events.at(-1)?.data).toMatchObject({ status: 'cancelled' });
    expect((await server.ask('POST', `/api/sessions/${id}/cancel`)).json).toEqual({ cancelled: false });
  });

  it('asks, and goes on with the first of two answers', async () => {
    const server = await openServer(scriptedModel([{ calls: [{ tool: 'Write', input: { file_path: 'a.txt', content: 'x' } }] }, 'written']), { settings: { permissions: { mode: 'default' } } });
    const id = await newSession(server);
    await server.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'write' } });
    await readEvents(server, `/api/sessions/${id}/events`, { until: ended });
    const { open } = (await server.ask('GET', `/api/sessions/${id}`)).json;
    expect(open).toMatchObject([{ tool: 'Write', kind: 'permission' }]);
    const request_id = Array.isArray(open) ? String(open[0].request_id) : '';
    const answers = await Promise.all(['allow', 'deny'].map((decision) => server.ask('POST', `/api/sessions/${id}/answers`, { body: { request_id, decision } })));
    expect(answers.map(({ status }) => status)).toEqual([202, 409]);
    expect(answers[1]?.json).toMatchObject({ error: expect.any(String), code: expect.stringMatching(/request_not_open|nothing_to_answer/) });
    await expect.poll(() => fs.existsSync(path.join(server.place.project, 'a.txt')), { timeout: 5_000 }).toBe(true);
    expect((await server.ask('POST', `/api/sessions/${id}/answers`, { body: { request_id, decision: 'allow', answer: 'both' } })).status).toBe(400);
  });
});

describe('sessions', () => {
  it('are listed in pages, forked, changed and removed', async () => {
    const server = await openServer(scriptedModel([]));
    for (let i = 0; i < 5; i++) await newSession(server);
    const page = await server.ask('GET', '/api/sessions?limit=2');
    expect(page.json).toMatchObject({ sessions: [{ status: 'idle' }, { status: 'idle' }], next: 2 });
    const last = await server.ask('GET', '/api/sessions?limit=2&offset=4');
    expect(last.json['next']).toBeUndefined();
    const id = await newSession(server);
    expect((await server.ask('PATCH', `/api/sessions/${id}`, { body: { mode: 'plan' } })).status).toBe(200);
    const fork = await server.ask('POST', `/api/sessions/${id}/fork`, { body: {} });
    expect((await server.ask('GET', `/api/sessions/${String(fork.json['id'])}`)).json).toMatchObject({ permission_mode: 'plan', parent_id: id });
    expect((await server.ask('DELETE', `/api/sessions/${id}`)).json).toMatchObject({ removed: id });
    expect((await server.ask('GET', `/api/sessions/${id}`)).json).toMatchObject({ code: 'session_not_found' });
  });

  it('are taken back with their files, in part where that is wanted, and not while they work', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const write = (content: string) => ({ calls: [{ tool: 'Write', input: { file_path: 'a.txt', content } }] });
    const server = await openServer(scriptedModel(['Hello.', write('made'), 'Made.', async () => held.then(() => 'Waited.')]));
    const id = await newSession(server);
    const file = path.join(server.place.project, 'a.txt');
    const at = `/api/sessions/${id}/rewind`;
    const turns: unknown[] = [];
    const after = (): Promise<number> => server.ask('GET', `/api/sessions/${id}`).then(({ json }) => Number(json['last_seq']));
    for (const text of ['one', 'two']) {
      const from = await after();
      turns.push((await server.ask('POST', `/api/sessions/${id}/messages`, { body: { text } })).json['turn_id']);
      await readEvents(server, `/api/sessions/${id}/events?after=${from}`, { until: ended });
    }
    const plan = await server.ask('GET', `${at}?turn=${String(turns[1])}`);
    expect(plan.json).toMatchObject({ text: 'two', turn_id: turns[1], files: [{ path: file, change: 'remove', state: 'ready' }], commands: [] });
    const to_seq = Number(plan.json['seq']);
    for (const [body, status] of [[{}, 400], [{ to_seq, turn: 'x' }, 400], [{ to_seq: to_seq + 1 }, 404], [{ turn: 'none' }, 404], [{ to_seq, files: false, conversation: false }, 400], [{ to_seq, more: 1 }, 400]] as const) expect([body, (await server.ask('POST', at, { body })).status]).toEqual([body, status]);
    expect((await server.ask('GET', at)).status).toBe(400);
    expect((await server.ask('POST', '/api/sessions/ses_none/rewind', { body: { to_seq } })).json).toMatchObject({ code: 'session_not_found' });
    const alone = await server.ask('POST', at, { body: { to_seq, files: false } });
    expect([alone.status, fs.existsSync(file)]).toEqual([200, true]);
    const copy = String(alone.json['session_id']);
    expect((await server.ask('GET', `/api/sessions/${copy}`)).json).toMatchObject({ parent_id: id });
    expect((await server.ask('GET', `/api/sessions/${copy}/export`)).text).not.toContain('Made.');
    const files = await server.ask('POST', at, { body: { turn: turns[1], conversation: false } });
    expect(files.json).toMatchObject({ session_id: id, removed: [file], restored: [], left: [] });
    expect(fs.existsSync(file)).toBe(false);
    await server.ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'three' } });
    expect((await server.ask('POST', at, { body: { to_seq } })).json).toMatchObject({ code: 'session_busy' });
    release();
  });

  it('work in the folders that were named, and never in the data folder', async () => {
    const server = await openServer(scriptedModel([]));
    fs.mkdirSync(path.join(server.place.project, 'sub'));
    fs.symlinkSync('/etc', path.join(server.place.project, 'out'));
    expect((await server.ask('POST', '/api/sessions', { body: { cwd: path.join(server.place.project, 'sub') } })).status).toBe(201);
    for (const cwd of ['/', '/etc', server.place.home, server.place.data, path.join(server.place.project, 'out'), path.join(server.place.project, 'none'), `${server.place.project}-evil`, 'sub', `${server.place.project}/../..`]) {
      expect([cwd, (await server.ask('POST', '/api/sessions', { body: { cwd } })).status]).toEqual([cwd, 403]);
    }
  });
});

it('a root that is no folder keeps the server from starting, and is named', async () => {
  await expect(openServer(scriptedModel([]), { roots: ['/none/at/all'] })).rejects.toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('/none/at/all') });
});

describe('what is sent', () => {
  it.each([
    ['{"text":', 'application/json', 400, /no valid JSON/],
    ['[]', 'application/json', 400, /must be a JSON object/],
    ['{}', 'application/json', 400, /needs "text"/],
    ['{"text":5}', 'application/json', 400, /"text" must be a string/],
    ['{"text":""}', 'application/json', 400, /"text" must be a string/],
    ['{"text":"a","more":1}', 'application/json', 400, /"more" is no key of it/],
    ['{"text":"a","attachments":[{"media_type":"text/html","data":"aaaa"}]}', 'application/json', 400, /media_type/],
    ['{"text":"a"}', 'text/plain', 400, /application\/json/],
    [Buffer.from('{"text":"\xff"}', 'latin1'), 'application/json', 400, /UTF-8/],
  ])('is refused with one sentence where it is wrong: %s', async (body, type, status, says) => {
    const server = await openServer(scriptedModel([]));
    const id = await newSession(server);
    const answer = await server.ask('POST', `/api/sessions/${id}/messages`, { headers: { 'content-type': type }, body });
    expect([answer.status, answer.json]).toEqual([status, { error: expect.stringMatching(says), code: 'invalid_argument' }]);
  });

  it('is not read beyond its limit', async () => {
    const server = await openServer(scriptedModel([]));
    const id = await newSession(server);
    const huge = await server.ask('POST', `/api/sessions/${id}/fork`, { body: `{"at_seq":1${' '.repeat(2_000_000)}}`, headers: { 'content-type': 'application/json' } });
    expect([huge.status, huge.json]).toMatchObject([413, { code: 'output_limit' }]);
    expect((await server.ask('GET', `/api/sessions/${id}/events?after=x`)).status).toBe(400);
    expect((await server.ask('GET', '/api/sessions?limit=-1')).status).toBe(400);
    expect((await server.ask('GET', '/api/nothing')).json).toMatchObject({ code: 'not_found' });
  });
});
