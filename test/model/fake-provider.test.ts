import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/protocol/message.ts';
import { pairingProblems } from '../../src/testing/fake-provider/pairing.ts';
import { startFakeProvider, type FakeProvider } from '../../src/testing/index.ts';
import { APIS, collect, failureIn, fakeModel, replyIn, requestOf } from './support.ts';

const call = (call_id: string): Message => ({ role: 'assistant', content: [{ type: 'tool_call', call_id, tool: 'Read', input: {} }] });
const result = (call_id: string): Message => ({ role: 'tool', content: [{ type: 'tool_result', call_id, tool: 'Read', content: [{ type: 'text', text: 'x' }], is_error: false }] });
const user: Message = { role: 'user', content: [{ type: 'text', text: 'go' }] };

describe.each(APIS)('the fake provider over %s', (api) => {
  let provider: FakeProvider;
  beforeEach(async () => { provider = await startFakeProvider({ strictPairing: true, steps: ['paired', 'again'] }); });
  afterEach(() => provider.close());

  it.each([
    ['a call without a result', [user, call('a')], 'the call a has no result'],
    ['a result without a call', [user, result('b')], 'the result b has no call'],
    ['a call id used twice', [user, call('a'), result('a'), call('a'), result('a')], 'two calls have the id a'],
  ])('refuses %s and keeps its step', async (_name, messages, reason) => {
    expect(failureIn(await collect(fakeModel(api, provider.url), requestOf(messages))).message).toContain(reason);
    expect(replyIn(await collect(fakeModel(api, provider.url), requestOf([user, call('a'), result('a')]))).content).toEqual([{ type: 'text', text: 'paired' }]);
  });

  it('says when its script is over, and when a step of it throws', async () => {
    const model = fakeModel(api, provider.url, { retry: { tries: 1 } });
    await collect(model);
    await collect(model);
    expect(failureIn(await collect(model)).message).toContain('the script of the fake provider is over');
    provider.push(() => { throw new Error('my own mistake'); });
    expect(failureIn(await collect(model)).message).toContain('my own mistake');
  });
});

it('refuses something said between a call and its result', () => {
  const messages = [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] },
    { role: 'user', content: [{ type: 'text', text: 'well?' }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
  ];
  expect(pairingProblems('anthropic', { messages })).toEqual(['the call a has no result', 'the result a has no call']);
});

it('answers 404 off its paths', async () => {
  const provider = await startFakeProvider();
  expect((await fetch(`${provider.url}/nothing`, { method: 'POST', body: '{}' })).status).toBe(404);
  await provider.close();
});
