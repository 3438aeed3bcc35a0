import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCalls } from '../../src/protocol/session-state.ts';
import { foldEvents } from '../../src/protocol/fold.ts';
import type { FakeFault, FakeReply } from '../../src/testing/index.ts';
import { eventsOf, exported, FREE, makePlace, oneLineOf, run, sessionOf, stored, withProvider, writeSettings, type Ended, type Place, type Printed } from './program.ts';

const APIS = ['anthropic', 'openai-chat', 'openai-responses'] as const;
const KEY = 'sk-fake-key';

async function turn(place: Place, text: string, session?: string): Promise<Ended & { readonly events: readonly Printed[]; readonly session: string; readonly ms: number }> {
  const began = performance.now();
  const ended = await run(place, ['run', text, ...FREE, ...(session === undefined ? [] : ['--session', session]), '--output', 'stream-json']);
  const events = eventsOf(ended.stdout);
  return { ...ended, events, session: sessionOf(events), ms: performance.now() - began };
}

const typed = (events: readonly Printed[], type: string): readonly Printed[] => events.filter((event) => event.type === type);
const last = (events: readonly Printed[]): unknown => events.at(-1);
const writing = (name: string): FakeReply => ({ text: 'I write it.', calls: [{ name: 'Write', input: { file_path: name, content: 'x'.repeat(400) } }] });

describe('a provider that is overloaded or gone (C-V1)', () => {
  const OVERLOADED = [429, 500, 503, 529];
  // They wait, so all do it at the same time.
  it(`with ${OVERLOADED.join(', ')} five times over is tried five times, shown, and the person goes on`, () => Promise.all(OVERLOADED.map(async (status) => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: Array.from({ length: 5 }, () => ({ status, body: { error: { message: 'come back later' } }, headers: { 'retry-after': '0' } })) });
    const failed = await turn(place, 'first');
    expect([status, failed.code, provider.requests.length]).toEqual([status, 1, 5]);
    expect(last(failed.events), `${status}`).toMatchObject({ type: 'turn.completed', status: 'failed', error: { message: expect.stringMatching(/come back later.*after 5 tries/) } });
    expect(oneLineOf(failed)).toContain('come back later');
    provider.push('here again');
    const next = await turn(place, 'second', failed.session);
    expect([status, next.code, last(next.events)]).toEqual([status, 0, expect.objectContaining({ status: 'done' })]);
    expect(provider.requests.at(-1)?.text).toMatch(/first[^]*second/);
  })), 60_000);

  it('says how long to wait, and that is waited', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [{ status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after': '3' } }, 'now'] });
    const waited = await turn(place, 'go');
    expect(waited.code).toBe(0);
    expect(waited.ms).toBeGreaterThan(3_000);
    expect(typed(waited.events, 'model.retried')[0]).toMatchObject({ attempt: 1, status: '429' });
  }, 30_000);

  it('is named when its connection is reset, and when its name is known to nobody', async () => {
    const [place, nowhere] = [makePlace(), makePlace()];
    await withProvider(place, { steps: Array.from({ length: 5 }, () => ({ text: 'never whole', fault: { kind: 'reset', afterBytes: 0 } as const })) });
    // No name has a label of 64 letters, so nobody is asked for it.
    const host = `${'a'.repeat(64)}.invalid`;
    writeSettings(nowhere, { providers: { fake: { api: 'openai-chat', baseUrl: `https://${host}/v1`, apiKey: KEY, models: [{ id: 'm', contextWindow: 200_000, maxOutput: 8_000 }] } } });
    const [reset, unknown] = await Promise.all([turn(place, 'go'), turn(nowhere, 'go')]);
    expect([reset.code, last(reset.events)]).toEqual([1, expect.objectContaining({ status: 'failed', error: expect.objectContaining({ message: expect.stringContaining('after 5 tries') }) })]);
    expect(unknown.code).toBe(1);
    expect(oneLineOf(unknown)).toMatch(/a\.invalid.*(?:ENOTFOUND|EAI_|EINVAL)/);
    expect(oneLineOf(unknown)).not.toContain(KEY);
  }, 90_000);
});

it.each([400, 401, 403, 404])('a request that is refused with %i is made once, and the message names the cause and no key (C-V2)', async (status) => {
  const place = makePlace();
  const provider = await withProvider(place, { steps: [{ status, body: { error: { message: `not with ${KEY} like that` } } }, 'later'] });
  const refused = await turn(place, 'go');
  expect([refused.code, provider.requests.length]).toEqual([1, 1]);
  expect(oneLineOf(refused)).toMatch(/not with \*\*\* like that/);
  expect(refused.stdout + refused.stderr + JSON.stringify(await exported(place, refused.session))).not.toContain(KEY);
  expect((await turn(place, 'again', refused.session)).code).toBe(0);
}, 20_000);

describe.each(APIS)('a stream of %s that breaks (C-V4)', (api) => {
  const FAULTS: readonly (readonly [string, FakeFault])[] = [
    ['in text', { kind: 'cut', afterBytes: 260 }],
    ['in the JSON of a call', { kind: 'cut', afterBytes: 1_100 }],
    ['before the end event', { kind: 'no_end_event' }],
    ['with two frames glued', { kind: 'glued' }],
    ['in invalid UTF-8', { kind: 'invalid_utf8' }],
  ];
  it(`${FAULTS.map(([name]) => name).join(', ')} has no effect, and its text is not there twice`, () => Promise.all(FAULTS.map(async ([name, fault]) => {
    const place = makePlace();
    const provider = await withProvider(place, { api, steps: [{ ...writing('evil.txt'), fault }, 'Whole now.'] });
    const { code, events, session } = await turn(place, 'go');
    expect([name, code, provider.requests.length]).toEqual([name, 0, 2]);
    expect(fs.existsSync(path.join(place.project, 'evil.txt')), name).toBe(false);
    expect(typed(events, 'tool.requested'), name).toEqual([]);
    expect(typed(await stored(place, session), 'message.completed').map(({ content }) => content), name).toEqual([[{ type: 'text', text: 'Whole now.' }]]);
  })), 60_000);
});

describe.each(APIS)('odd calls of %s (C-V6)', (api) => {
  it('each get a result: unknown tools, wrong arguments, one id for two, no id', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { api, steps: [{ calls: [{ name: 'NoSuchTool', input: {} }, { name: 'Write', input: { content: 5 } }, { name: 'Read', arguments: '{"file_path": ' }, { name: 'Glob', input: { pattern: '*.none' }, id: 'same' }, { name: 'Glob', input: { pattern: '*.nothing' }, id: 'same' }, { name: 'LS', input: {}, id: '' }] }, 'all answered'] });
    const { code, events } = await turn(place, 'go');
    expect(code).toBe(0);
    const requested = typed(events, 'tool.requested').map(({ call_id }) => call_id);
    expect(new Set(requested).size).toBe(6);
    expect(typed(events, 'tool.completed').map(({ status }) => status).sort()).toEqual(['error', 'error', 'error', 'ok', 'ok', 'ok']);
    // The provider refuses a request whose results do not fit its calls.
    expect(provider.requests).toHaveLength(2);
  }, 20_000);

  it('a hundred at once run a few at a time, and all are answered', async () => {
    const place = makePlace();
    const file = path.join(place.project, 'running');
    const command = (n: number) => `echo start ${n} >> ${file}; sleep 0.05; echo end ${n} >> ${file}`;
    const provider = await withProvider(place, { api, steps: [{ calls: Array.from({ length: 100 }, (_, n) => ({ name: 'Bash', input: { command: command(n) } })) }, 'all done'] });
    const { code, events } = await turn(place, 'go');
    expect([code, provider.requests.length]).toEqual([0, 2]);
    expect(typed(events, 'tool.completed').filter(({ status }) => status === 'ok')).toHaveLength(100);
    let running = 0;
    let most = 0;
    for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
      running += line.startsWith('start') ? 1 : line.startsWith('end') ? -1 : 0;
      most = Math.max(most, running);
    }
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(10);
  }, 60_000);
});

it.each<readonly [string, readonly FakeReply[], string]>([
  ['empty', [{}, {}, {}], 'without text and without tool calls'],
  ['nothing but thinking', [{ reasoning: 'Hm.' }, { reasoning: 'Hm.' }, { reasoning: 'Hm.' }], 'without text and without tool calls'],
])('a reply that is %s is asked for twice, then shown (C-V7)', async (_name, steps, says) => {
  const place = makePlace();
  const provider = await withProvider(place, { steps });
  const empty = await turn(place, 'go');
  expect([empty.code, provider.requests.length]).toEqual([1, 2]);
  expect(oneLineOf(empty)).toContain(says);
}, 20_000);

it('a reply that the output limit cuts runs nothing, and is given up after a few tries (C-V7)', async () => {
  const place = makePlace();
  const provider = await withProvider(place, { steps: Array.from({ length: 6 }, () => ({ ...writing('evil.txt'), stop: 'length' as const })) });
  const cut = await turn(place, 'go');
  expect(cut.code).not.toBe(0);
  expect(provider.requests.length).toBeLessThanOrEqual(3);
  expect(fs.existsSync(path.join(place.project, 'evil.txt'))).toBe(false);
}, 20_000);

it.each(APIS)('a context that overflows is compacted once with whole pairs; when it overflows again, that is said and the person goes on (C-V9): %s', async (api) => {
  const place = makePlace();
  const overflow = { status: 400, body: { error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } } };
  fs.writeFileSync(path.join(place.project, 'notes.txt'), 'some notes\n');
  const provider = await withProvider(place, { api, steps: [...Array.from({ length: 6 }, () => ({ calls: [{ name: 'Read', input: { file_path: 'notes.txt' } }, { name: 'LS', input: {} }] })), 'read it all', overflow, 'A SUMMARY', overflow] });
  const { session } = await turn(place, 'read the notes six times');
  const full = await turn(place, 'go on', session);
  expect(full.code).toBe(1);
  expect(last(full.events)).toMatchObject({ status: 'failed', error: { code: 'context_overflow', message: expect.stringContaining('even after compaction') } });
  expect(typed(full.events, 'context.compacted')).toHaveLength(1);
  // Pairs that are not whole are refused by the provider with 400 of another text.
  expect(oneLineOf(full)).toContain('even after compaction');
  expect(provider.requests).toHaveLength(10);
  provider.push('There is room again.');
  const next = await turn(place, 'and now?', session);
  expect([next.code, last(next.events)]).toEqual([0, expect.objectContaining({ status: 'done' })]);
  expect(openCalls(foldEvents(session, JSON.parse(`[${(await exported(place, session)).map((event) => JSON.stringify(event)).join(',')}]`)))).toEqual([]);
}, 30_000);

it('a page of a proxy with 200 is an error at once, with its title, and is not asked for again (C-V11)', async () => {
  const place = makePlace();
  const provider = await withProvider(place, { steps: [{ status: 200, body: '<html><head><title>Sign in to the hotel</title></head></html>', headers: { 'content-type': 'text/html' } }, 'later'] });
  const page = await turn(place, 'go');
  expect([page.code, provider.requests.length]).toEqual([1, 1]);
  expect(oneLineOf(page)).toContain('Sign in to the hotel');
  expect((await turn(place, 'again', page.session)).code).toBe(0);
}, 20_000);
