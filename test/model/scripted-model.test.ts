import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../src/testing/index.ts';
import { collect, deltas, failureIn, HELLO, replyIn, requestOf } from './support.ts';

describe('the scripted model', () => {
  it('gives its replies in order, keeps the requests, and ends with its script', async () => {
    const model = scriptedModel([
      { reasoning: 'Hm, well.', text: 'I look.', calls: [{ tool: 'Read', input: { file_path: 'a' } }, { tool: 'Read', call_id: 'mine', invalid: '{' }], usage: { input: 3 } },
      (request, index) => `request ${index} of ${request.messages.length} messages`,
    ]);
    const first = await collect(model);
    expect(deltas(first, 'text.delta')).toBe('I look.');
    expect(deltas(first, 'reasoning.delta')).toBe('Hm, well.');
    expect(first.filter((event) => event.type === 'text.delta').length).toBeGreaterThan(1);
    expect(replyIn(first)).toMatchObject({ stop: 'tool_calls', usage: { input: 3, output: 0 } });
    expect(replyIn(first).content.slice(2)).toEqual([
      { type: 'tool_call', call_id: 'call_1_1', tool: 'Read', input: { file_path: 'a' } },
      { type: 'tool_call', call_id: 'mine', tool: 'Read', input: {}, invalid: '{' },
    ]);
    expect(replyIn(await collect(model)).content).toEqual([{ type: 'text', text: 'request 1 of 1 messages' }]);
    expect(failureIn(await collect(model))).toMatchObject({ kind: 'bad_response', retryable: false });
    expect(model.requests).toHaveLength(3);
  });

  it('keeps a request as it was, whatever becomes of it later', async () => {
    const model = scriptedModel(['a']);
    const messages = [...HELLO.messages];
    await collect(model, requestOf(messages));
    messages.length = 0;
    expect(model.requests[0]?.messages).toHaveLength(1);
  });

  it('ends a hanging reply with an abort, and a failing one with its failure', async () => {
    const model = scriptedModel([{ text: 'a b c', hang: true }, { text: 'x', failure: { kind: 'overflow', message: 'too long', retryable: false } }]);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    expect(failureIn(await collect(model, HELLO, abort.signal))).toMatchObject({ kind: 'aborted' });
    expect(failureIn(await collect(model))).toMatchObject({ kind: 'overflow' });
  });
});
