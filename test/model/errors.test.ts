import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../src/model/model.ts';
import { resolveModel } from '../../src/model/resolve.ts';
import { startFakeProvider, type FakeProvider } from '../../src/testing/index.ts';
import { APIS, collect, failureIn, fakeModel, KEY, options, replyIn } from './support.ts';

const waits = (events: readonly ModelEvent[]): readonly number[] => events.flatMap((event) => (event.type === 'retry' ? [event.waitMs] : []));

let provider: FakeProvider;
beforeEach(async () => { provider = await startFakeProvider(); });
afterEach(() => provider.close());

describe.each(APIS)('an error over %s', (api) => {
  it.each([408, 409, 429, 500, 502, 503, 504, 529])('tries again after %i', async (status) => {
    provider.push({ status, body: { error: { message: 'later' } } }, 'Now.');
    const events = await collect(fakeModel(api, provider.url));
    expect(events[0]).toMatchObject({ type: 'retry', attempt: 1, status: String(status) });
    expect(replyIn(events).content).toEqual([{ type: 'text', text: 'Now.' }]);
  });

  it('gives up after 5 tries', async () => {
    provider.push(...Array.from({ length: 9 }, () => ({ status: 503, body: { error: { message: 'down' } } })));
    const events = await collect(fakeModel(api, provider.url));
    expect(provider.requests).toHaveLength(5);
    expect(failureIn(events)).toMatchObject({ kind: 'http', status: 503 });
    expect(failureIn(events).message).toMatch(/down.*after 5 tries/);
  });

  it.each([[400, 'http'], [401, 'auth'], [402, 'http'], [403, 'auth'], [404, 'http'], [422, 'http']])('does not try again after %i', async (status, kind) => {
    provider.push({ status, body: { type: 'error', error: { type: 'some_error', message: `the cause, not ${KEY}` } } });
    const failure = failureIn(await collect(fakeModel(api, provider.url)));
    expect(failure).toMatchObject({ kind, status, retryable: false });
    expect(failure.message).toContain('the cause, not ***');
    expect(failure.message).not.toContain(KEY);
    expect(provider.requests).toHaveLength(1);
  });

  it('names the setting to check when the key is refused', async () => {
    provider.push({ status: 401, body: { error: { message: 'x'.repeat(2_000) } } });
    const { message } = failureIn(await collect(fakeModel(api, provider.url)));
    expect(message).toContain('providers.fake.apiKey');
    expect(message.length).toBeLessThanOrEqual(300);
  });

  it('masks what looks like a key, and drops control characters', async () => {
    provider.push({ status: 400, body: { error: { message: 'bad\u001b[31m\r\nkey sk-proj-abcdefghijkl, Bearer abcdefghijklmnop and AIzaSyA1234567890abcdefghijkl' } } });
    const { message } = failureIn(await collect(fakeModel(api, provider.url)));
    expect(message).toContain('bad [31m key ***, *** and ***');
  });

  it.each([
    [400, { error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' } }],
    [400, { error: { code: 'context_length_exceeded', message: 'Your input exceeds the limit.' } }],
    [400, { error: { message: "This model's maximum context length is 8192 tokens. However, you requested 9000." } }],
    [400, [{ error: { code: 400, status: 'INVALID_ARGUMENT', message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' } }]],
    [400, { error: { message: 'Range of input length should be [1, 129024]' } }],
    [400, { error: 'the request exceeds the available context size' }],
    [413, 'too large'],
  ])('knows an overflow: %i %j', async (status, body) => {
    provider.push({ status, body });
    expect(failureIn(await collect(fakeModel(api, provider.url)))).toMatchObject({ kind: 'overflow', retryable: false });
    expect(provider.requests).toHaveLength(1);
  });

  it('knows an overflow in the middle of a stream', async () => {
    provider.push({ text: 'x', fault: { kind: 'error_event', code: 'context_length_exceeded', message: 'Your input exceeds the context window.' } });
    expect(failureIn(await collect(fakeModel(api, provider.url)))).toMatchObject({ kind: 'overflow', retryable: false });
  });

  it('takes a limit on the rate for no overflow', async () => {
    provider.push({ status: 429, body: { error: { type: 'rate_limit_error', message: 'too many tokens per minute' } } }, 'ok');
    expect(replyIn(await collect(fakeModel(api, provider.url)))).toBeDefined();
  });

  it('tries an empty reply twice, then says so (C-V7)', async () => {
    provider.push({}, {}, 'never asked for');
    const events = await collect(fakeModel(api, provider.url));
    expect(events[0]).toMatchObject({ type: 'retry', status: 'empty' });
    expect(failureIn(events)).toMatchObject({ kind: 'empty' });
    expect(provider.requests).toHaveLength(2);
  });

  it('takes a reply of thinking alone for an empty one', async () => {
    provider.push({ reasoning: 'Hm.' }, { reasoning: 'Hm.', text: '  \n' });
    expect(failureIn(await collect(fakeModel(api, provider.url)))).toMatchObject({ kind: 'empty' });
  });
});

describe('waiting between tries', () => {
  it('grows, with jitter', async () => {
    provider.push(...Array.from({ length: 5 }, () => ({ status: 500 })));
    const retry = { firstWaitMs: 8, longestWaitMs: 40 };
    expect(waits(await collect(fakeModel('openai-chat', provider.url, { retry, random: () => 1 })))).toEqual([8, 16, 32, 40]);
    provider.push(...Array.from({ length: 5 }, () => ({ status: 500 })));
    expect(waits(await collect(fakeModel('openai-chat', provider.url, { retry, random: () => 0 })))).toEqual([4, 8, 16, 20]);
  });

  it('heeds what the provider asks for (C-V1)', async () => {
    const body = { error: { message: 'slow down' } };
    provider.push({ status: 429, body, headers: { 'retry-after-ms': '70' } }, { status: 429, body, headers: { 'retry-after': '1' } }, 'ok');
    const began = Date.now();
    expect(waits(await collect(fakeModel('openai-chat', provider.url)))).toEqual([70, 1_000]);
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_060);
  });

  it('reads a date', async () => {
    provider.push({ status: 503, headers: { 'retry-after': new Date(Date.now() + 1_500).toUTCString() } }, 'ok');
    const [wait = 0] = waits(await collect(fakeModel('openai-chat', provider.url)));
    expect(wait).toBeGreaterThan(100);
    expect(wait).toBeLessThanOrEqual(1_500);
  });

  it('does not wait longer than 5 minutes in all (C-V1)', async () => {
    provider.push({ status: 429, body: { error: { message: 'come back tomorrow' } }, headers: { 'retry-after': '86400' } });
    const events = await collect(fakeModel('openai-chat', provider.url));
    expect(events).toHaveLength(1);
    expect(failureIn(events).message).toMatch(/come back tomorrow.*asks to wait 86400 s/);
  });

  it('ends with an abort', async () => {
    provider.push({ status: 429, headers: { 'retry-after': '60' } });
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 60);
    expect(failureIn(await collect(fakeModel('openai-chat', provider.url), undefined, abort.signal))).toMatchObject({ kind: 'aborted', message: 'The model call was stopped.' });
  });

  it('does not try again when the account has no credit', async () => {
    provider.push({ status: 429, body: { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } } });
    expect(failureIn(await collect(fakeModel('openai-chat', provider.url)))).toMatchObject({ status: 429, retryable: false });
  });
});

it('masks the key and credentials in headers, whatever they look like (C-E2)', async () => {
  provider.push({ status: 400, body: { error: { message: 'neither plainwords nor gateway-credential-1 is shown' } } });
  const providers = { x: { api: 'openai-chat', baseUrl: provider.url, apiKey: 'plainwords', headers: { 'x-gateway': 'gateway-credential-1', 'x-mode': 'shown' } } } as const;
  expect(failureIn(await collect(resolveModel('x/m', options({ providers })))).message).toContain('neither *** nor *** is shown');
});

it('names the variable of a preset when its key is refused', async () => {
  provider.push({ status: 401, body: { type: 'error', error: { type: 'authentication_error', message: `invalid x-api-key ${KEY}` } } });
  const model = resolveModel('anthropic/claude-sonnet-5-5', options({ env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: provider.url } }));
  const { message } = failureIn(await collect(model));
  expect(message).toContain('ANTHROPIC_API_KEY');
  expect(message).not.toContain(KEY);
});
