import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeProvider, type FakeProvider } from '../../src/testing/index.ts';
import { APIS, collect, deltas, fakeModel, HELLO, KEY, replyIn, requestOf } from './support.ts';

describe.each(APIS)('a reply over %s', (api) => {
  let provider: FakeProvider;
  beforeEach(async () => { provider = await startFakeProvider({ strictPairing: true }); });
  afterEach(() => provider.close());

  it('streams reasoning and text and ends with the whole reply', async () => {
    provider.push({ reasoning: 'I think it over, ü and 漢字.', text: 'An answer with 漢字 and 😀.', usage: { input: 100, output: 20, cached: 40 }, fragment: 3, chunkBytes: 5 });
    const events = await collect(fakeModel(api, provider.url));
    expect(deltas(events, 'text.delta')).toBe('An answer with 漢字 and 😀.');
    expect(deltas(events, 'reasoning.delta')).toBe('I think it over, ü and 漢字.');
    expect(events.filter((event) => event.type === 'text.delta').length).toBeGreaterThan(5);
    const { content, usage, stop } = replyIn(events);
    expect(content.map((part) => part.type)).toEqual(['reasoning', 'text']);
    expect(content[1]).toEqual({ type: 'text', text: 'An answer with 漢字 and 😀.' });
    expect(usage).toEqual({ input: 100, output: 20, cache_read: 40, cache_write: 0 });
    expect(stop).toBe('end');
  });

  it('puts parallel calls together out of fragments, in their order', async () => {
    const calls = Array.from({ length: 100 }, (_, n) => ({ name: 'Read', input: { path: `file ${n}`, nested: { n, list: [1, 'zwei', null] } } }));
    provider.push({ text: 'I read.', calls, fragment: 2 });
    const { content, stop } = replyIn(await collect(fakeModel(api, provider.url)));
    const made = content.filter((part) => part.type === 'tool_call');
    expect(made.map((call) => call.input)).toEqual(calls.map((call) => call.input));
    expect(new Set(made.map((call) => call.call_id)).size).toBe(100);
    expect(stop).toBe('tool_calls');
  });

  it('keeps the ids of the provider, and makes one for an empty and for a repeated id', async () => {
    provider.push({ calls: [{ name: 'Read', id: 'call_a' }, { name: 'Read', id: 'call_a' }, { name: 'Nowhere', id: '' }, { name: 'Read', id: 'call_b' }] });
    const { content } = replyIn(await collect(fakeModel(api, provider.url)));
    expect(content.map((part) => (part.type === 'tool_call' ? part.call_id : ''))).toEqual(['call_a', 'made_1', 'made_2', 'call_b']);
    expect(content[2]).toMatchObject({ tool: 'Nowhere', input: {} });
  });

  it('makes a new id for one that an earlier reply has used', async () => {
    provider.push({ calls: [{ name: 'Read', id: 'call_0' }] });
    const request = requestOf([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', content: [{ type: 'tool_call', call_id: 'call_0', tool: 'Read', input: {} }] },
      { role: 'tool', content: [{ type: 'tool_result', call_id: 'call_0', tool: 'Read', content: [{ type: 'text', text: 'x' }], is_error: false }] },
    ]);
    const { content } = replyIn(await collect(fakeModel(api, provider.url), request));
    expect(content).toEqual([{ type: 'tool_call', call_id: 'made_1', tool: 'Read', input: {} }]);
  });

  it('marks arguments that are no JSON object as invalid and keeps their text', async () => {
    const bad = ['{"path": "a', '[1]', '"text"', '12', '{"a":1}{"b":2}', 'null'];
    provider.push({ calls: [...bad.map((text) => ({ name: 'Read', arguments: text })), { name: 'Read', arguments: '' }] });
    const { content } = replyIn(await collect(fakeModel(api, provider.url)));
    const calls = content.filter((part) => part.type === 'tool_call');
    expect(calls.map((call) => call.invalid)).toEqual([...bad, undefined]);
    expect(calls.every((call) => Object.keys(call.input).length === 0)).toBe(true);
  });

  it('never gives a call that the output limit has cut as a valid one', async () => {
    provider.push({ text: 'I write.', calls: [{ name: 'Read', input: { path: 'a' } }, { name: 'Write', arguments: '' }], stop: 'length' });
    const { content, stop } = replyIn(await collect(fakeModel(api, provider.url)));
    expect(stop).toBe('length');
    expect(content[1]).toMatchObject({ tool: 'Read', input: { path: 'a' } });
    expect(content[1]).not.toHaveProperty('invalid');
    expect(content[2]).toMatchObject({ tool: 'Write', invalid: '(cut off)' });
  });

  it('tells a refusal', async () => {
    provider.push({ stop: 'refusal' });
    expect(replyIn(await collect(fakeModel(api, provider.url)))).toMatchObject({ stop: 'refusal', content: [] });
  });

  it('sends the key in its header alone', async () => {
    provider.push('hi');
    await collect(fakeModel(api, provider.url));
    const [request] = provider.requests;
    expect(request?.text).not.toContain(KEY);
    expect(request?.headers[api === 'anthropic' ? 'x-api-key' : 'authorization']).toBe(api === 'anthropic' ? KEY : `Bearer ${KEY}`);
  });

  it('reuses connections for the next requests', async () => {
    const model = fakeModel(api, provider.url);
    for (let turn = 0; turn < 8; turn++) {
      provider.push(`answer ${turn}`);
      await collect(model, HELLO);
    }
    expect(provider.connections().total).toBeLessThanOrEqual(2);
  });
});
