import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeProvider, type FakeFault, type FakeProvider, type FakeReply } from '../../src/testing/index.ts';
import { APIS, collect, deltas, failureIn, fakeModel, HELLO, KEY, replyIn } from './support.ts';

const ONE_TRY = { retry: { tries: 1 } };
const CALLING: FakeReply = { text: 'I write the file now.', calls: [{ name: 'Write', input: { path: 'a', content: 'b'.repeat(300) } }] };

/** Connections that were closed; the runtime opens another one by itself after an abort. */
function closed(provider: FakeProvider): number {
  const { open, total } = provider.connections();
  return total - open;
}

describe.each(APIS)('a fault over %s', (api) => {
  let provider: FakeProvider;
  beforeEach(async () => { provider = await startFakeProvider(); });
  afterEach(() => provider.close());

  it('gives no reply when the stream is cut anywhere before its end (C-V4)', async () => {
    provider.push(CALLING);
    await collect(fakeModel(api, provider.url));
    const whole = await (await fetch(`${provider.url}${{ 'anthropic': '/messages', 'openai-chat': '/chat/completions', 'openai-responses': '/responses' }[api]}`, (provider.push(CALLING), { method: 'POST', body: '{}' }))).text();
    const end = Buffer.byteLength(whole.trimEnd());
    const model = fakeModel(api, provider.url, ONE_TRY);
    for (let afterBytes = 0; afterBytes < end; afterBytes += 37) {
      provider.push({ ...CALLING, fault: { kind: 'cut', afterBytes } });
      const failure = failureIn(await collect(model));
      expect(failure, `cut after ${afterBytes} of ${end}`).toMatchObject({ kind: 'stream', retryable: true });
    }
  });

  const CASES: readonly (readonly [string, FakeFault])[] = [
    ['the end event is missing', { kind: 'no_end_event' }],
    ['frames are glued', { kind: 'glued' }],
    ['there is invalid UTF-8', { kind: 'invalid_utf8' }],
    ['the connection is reset', { kind: 'reset', afterBytes: 700 }],
  ];
  it.each(CASES)('gives no reply when %s, and tries again', async (_name, fault) => {
    provider.push({ ...CALLING, fault }, { text: 'Now whole.' });
    const events = await collect(fakeModel(api, provider.url));
    const retry = events.findIndex((event) => event.type === 'retry');
    expect(events[retry]).toMatchObject({ attempt: 1, status: 'stream' });
    expect(events.filter((event) => event.type === 'done')).toHaveLength(1);
    expect(deltas(events.slice(retry), 'text.delta')).toBe('Now whole.');
    expect(replyIn(events).content).toEqual([{ type: 'text', text: 'Now whole.' }]);
    expect(provider.requests[1]?.text).toBe(provider.requests[0]?.text);
  });

  it('tries again after an overload in the middle of the stream', async () => {
    provider.push({ text: 'Half', fault: { kind: 'error_event', code: 'overloaded_error', message: 'Overloaded' } }, 'Whole');
    const events = await collect(fakeModel(api, provider.url));
    expect(events).toContainEqual(expect.objectContaining({ type: 'retry', status: '529' }));
    expect(replyIn(events).content).toEqual([{ type: 'text', text: 'Whole' }]);
  });

  it('does not try again after a refused request in the middle of the stream', async () => {
    provider.push({ text: 'Half', fault: { kind: 'error_event', code: 'invalid_request_error', message: 'no' } });
    expect(failureIn(await collect(fakeModel(api, provider.url)))).toMatchObject({ kind: 'http', status: 400, retryable: false });
  });

  it.each([0, 300])('gives up on a provider that sends nothing more after %i bytes, having tried twice (C-V3)', async (afterBytes) => {
    provider.push(...Array.from({ length: 3 }, () => ({ ...CALLING, fault: { kind: 'hang', afterBytes } as const })));
    const events = await collect(fakeModel(api, provider.url, { limits: { idleMs: 150 } }));
    expect(failureIn(events)).toMatchObject({ kind: 'stream', idle: true });
    expect(failureIn(events).message).toContain('sent nothing for 150 ms');
    expect(provider.requests).toHaveLength(2);
  });

  it.each(['comment', 'ping'] as const)('gives up on an endless drip of %ss (C-V3)', async (as) => {
    provider.push(...Array.from({ length: 3 }, () => ({ ...CALLING, fault: { kind: 'drip', as, everyMs: 10, afterBytes: 0 } as const })));
    const events = await collect(fakeModel(api, provider.url, { limits: { idleMs: 5_000, pingsMs: 150 } }));
    expect(failureIn(events).message).toContain('nothing but pings');
    expect(provider.requests).toHaveLength(2);
  });

  it('waits through pings as long as their own limit lasts', async () => {
    provider.push({ ...CALLING, fault: { kind: 'drip', as: 'comment', everyMs: 10, afterBytes: 0 } });
    const began = Date.now();
    await collect(fakeModel(api, provider.url, { ...ONE_TRY, limits: { idleMs: 400, pingsMs: 1_500 } }));
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_490);
  });

  it('ends a reply that takes longer than the whole limit', async () => {
    provider.push({ text: 'x'.repeat(2_000), fragment: 1, chunkBytes: 40, fault: { kind: 'drip', as: 'comment', everyMs: 10, afterBytes: 400 } });
    const failure = failureIn(await collect(fakeModel(api, provider.url, { ...ONE_TRY, limits: { totalMs: 200 } })));
    expect(failure.message).toContain('took longer than 200 ms');
  });

  it('ends a reply that is larger than the limit, and does not ask for it again', async () => {
    provider.push({ text: 'x'.repeat(5_000) });
    const failure = failureIn(await collect(fakeModel(api, provider.url, { limits: { maxBytes: 4_000 } })));
    expect(failure).toMatchObject({ kind: 'stream', retryable: false });
    expect(provider.requests).toHaveLength(1);
  });

  it('takes a page of a proxy for what it is', async () => {
    provider.push({ status: 200, body: '<html><head><title>Sign in</title></head></html>' });
    const failure = failureIn(await collect(fakeModel(api, provider.url)));
    expect(failure).toMatchObject({ kind: 'bad_response', retryable: false });
    expect(failure.message).toContain('Sign in');
    expect(provider.requests).toHaveLength(1);
  });

  it('takes a page under the name of a stream for what it is', async () => {
    provider.push({ status: 200, body: '<html>no</html>', headers: { 'content-type': 'text/event-stream' } });
    expect(failureIn(await collect(fakeModel(api, provider.url)))).toMatchObject({ kind: 'bad_response', retryable: false });
  });

  it.each(['application/json', 'text/event-stream'])('reads an error that comes with 200 as %s', async (type) => {
    provider.push({ status: 200, body: { error: { type: 'invalid_request_error', message: 'the model is asleep' } }, headers: { 'content-type': type } });
    const failure = failureIn(await collect(fakeModel(api, provider.url)));
    expect(failure).toMatchObject({ retryable: false });
    expect(failure.message).toContain('the model is asleep');
    expect(provider.requests).toHaveLength(1);
  });

  it('says so when the reply is not streamed', async () => {
    provider.push({ status: 200, body: { id: 'x', choices: [{ message: { content: 'hi' } }] } });
    expect(failureIn(await collect(fakeModel(api, provider.url)))).toMatchObject({ kind: 'bad_response' });
  });

  it('does not take the key to where a redirect points', async () => {
    const seen: string[] = [];
    const other = createServer((request, response) => { seen.push(request.url ?? ''); response.end(); });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port always has an address with one.
    const { port } = other.address() as AddressInfo;
    provider.push({ status: 307, headers: { location: `http://127.0.0.1:${port}/steal` } });
    const failure = failureIn(await collect(fakeModel(api, provider.url)));
    other.close();
    expect(failure).toMatchObject({ kind: 'bad_response', status: 307, retryable: false });
    expect(failure.message).toContain('/steal');
    expect(seen).toEqual([]);
  });

  it('ends at once when it is aborted, and closes the connection', async () => {
    provider.push({ text: 'one two three', fault: { kind: 'hang', afterBytes: 600 } });
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    const began = Date.now();
    expect(failureIn(await collect(fakeModel(api, provider.url), HELLO, abort.signal))).toMatchObject({ kind: 'aborted', retryable: false });
    expect(Date.now() - began).toBeLessThan(10_000);
    await sleep(50);
    expect(closed(provider)).toBe(1);
  });

  it('asks nobody when it is aborted before', async () => {
    expect(failureIn(await collect(fakeModel(api, provider.url), HELLO, AbortSignal.abort()))).toMatchObject({ kind: 'aborted' });
    expect(provider.requests).toHaveLength(0);
  });

  it('closes the connection when nobody listens any more', async () => {
    provider.push({ text: 'a long text that is streamed', fault: { kind: 'hang', afterBytes: 900 } });
    for await (const event of fakeModel(api, provider.url).stream(HELLO, new AbortController().signal)) if (event.type === 'text.delta') break;
    await sleep(50);
    expect(closed(provider)).toBe(1);
  });
});

describe('a provider that cannot be reached', () => {
  it('is asked again, and then named with the cause', async () => {
    const provider = await startFakeProvider();
    await provider.close();
    const events = await collect(fakeModel('openai-chat', provider.url));
    expect(events.filter((event) => event.type === 'retry')).toHaveLength(4);
    expect(failureIn(events)).toMatchObject({ kind: 'network' });
    expect(failureIn(events).message).toMatch(/127\.0\.0\.1:\d+.*ECONNREFUSED.*after 5 tries/);
  });

  it('has a name that nobody knows', async () => {
    const fetch = (): Promise<Response> => Promise.reject(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND api.nowhere.invalid') }));
    const failure = failureIn(await collect(fakeModel('anthropic', 'http://api.nowhere.invalid', { fetch, retry: { tries: 2, firstWaitMs: 1 } })));
    expect(failure.message).toContain('ENOTFOUND');
    expect(failure.message).not.toContain(KEY);
  });

  it('never answers, with a fetch that does not heed the signal', async () => {
    const fetch = (): Promise<Response> => new Promise(() => {});
    expect(failureIn(await collect(fakeModel('anthropic', 'http://h', { fetch, limits: { idleMs: 40 } })))).toMatchObject({ idle: true });
  });
});
