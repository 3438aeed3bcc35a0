import { describe, expect, it } from 'vitest';
import { anthropicReader } from '../../src/model/anthropic/stream.ts';
import type { ModelEvent, ModelInfo } from '../../src/model/model.ts';
import { chatReader } from '../../src/model/openai-chat/stream.ts';
import { responsesReader } from '../../src/model/openai-responses/stream.ts';
import { END_MARK, type ReplyContext, type ReplyReader, type WireEvent } from '../../src/model/wire.ts';
import { replyIn } from './support.ts';

const INFO: ModelInfo = { provider: 'p', id: 'm', contextWindow: 1, maxOutput: 1, images: true, documents: true };

function read(make: (context: ReplyContext) => ReplyReader, events: readonly WireEvent[]): readonly ModelEvent[] {
  let made = 0;
  const reader = make({ info: INFO, ids: () => `made_${++made}`, taken: new Set() });
  return events.flatMap((event) => reader(event));
}

const delta = (fields: object, finish_reason: string | null = null): WireEvent => ({ choices: [{ index: 0, delta: fields, finish_reason }] });
const END = [delta({}, 'tool_calls'), END_MARK] as const;

describe('chunks of other servers', () => {
  const inputs = (events: readonly ModelEvent[]): readonly unknown[] => replyIn(events).content.flatMap((part) => (part.type === 'tool_call' ? [part.input] : []));

  it('may leave the index of calls out', () => {
    const events = read(chatReader, [
      delta({ tool_calls: [{ id: 'a', function: { name: 'Read', arguments: '{"n":1}' } }, { id: 'b', function: { name: 'Read', arguments: '{"n"' } }] }),
      delta({ tool_calls: [{ function: { arguments: ':2}' } }] }),
      ...END,
    ]);
    expect(inputs(events)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('may give every call the same index', () => {
    const call = (id: string, n: number): object => ({ tool_calls: [{ index: 0, id, function: { name: 'Read', arguments: `{"n":${n}}` } }] });
    expect(inputs(read(chatReader, [delta(call('a', 1)), delta(call('b', 2)), ...END]))).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('may repeat id and name in every fragment', () => {
    const piece = (json: string): WireEvent => delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'Read', arguments: json } }] });
    const { content } = replyIn(read(chatReader, [piece('{"n"'), piece(':3}'), ...END]));
    expect(content).toEqual([{ type: 'tool_call', call_id: 'a', tool: 'Read', input: { n: 3 } }]);
  });

  it('may hang something on a call', () => {
    const { content } = replyIn(read(chatReader, [delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'Read', arguments: '{}' }, extra_content: { google: { thought_signature: 's' } } }] }), ...END]));
    expect(content[0]).toEqual({ type: 'reasoning', text: '', provider: 'p', opaque: '{"a":{"google":{"thought_signature":"s"}}}' });
  });

  it('may count cached tokens under other names, and say "stop" after calls', () => {
    const { usage, stop } = replyIn(read(chatReader, [
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'Read', arguments: '{}' } }] }),
      delta({}, 'stop'),
      { choices: [], usage: { prompt_tokens: 50, completion_tokens: 7, prompt_cache_hit_tokens: 30, completion_tokens_details: { reasoning_tokens: 4 } } },
      END_MARK,
    ]));
    expect(usage).toEqual({ input: 20, output: 7, cache_read: 30, cache_write: 0, reasoning: 4 });
    expect(stop).toBe('tool_calls');
  });

  it('are no reply when the finish reason is missing', () => {
    expect(read(chatReader, [delta({ content: 'Hi' }), END_MARK]).at(-1)).toMatchObject({ type: 'failed', failure: { kind: 'stream', retryable: true } });
  });
});

describe('events of Anthropic Messages', () => {
  const start = (index: number, content_block: object): WireEvent => ({ type: 'content_block_start', index, content_block });
  const stop = (index: number): WireEvent => ({ type: 'content_block_stop', index });
  const end = [{ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } }, { type: 'message_stop' }] as const;

  it('keep thinking with its signature, redacted thinking and counts of the cache', () => {
    const { content, usage } = replyIn(read(anthropicReader, [
      { type: 'message_start', message: { usage: { input_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 } } },
      start(0, { type: 'thinking', thinking: '' }),
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'SIG' } },
      stop(0),
      start(1, { type: 'redacted_thinking', data: 'ENC' }),
      stop(1),
      start(2, { type: 'tool_use', id: 'a', name: 'Read', input: { whole: true } }),
      stop(2),
      ...end,
    ]));
    expect(content).toEqual([
      { type: 'reasoning', text: '', provider: 'p', signature: 'SIG' },
      { type: 'reasoning', text: '', provider: 'p', opaque: 'ENC' },
      { type: 'tool_call', call_id: 'a', tool: 'Read', input: { whole: true } },
    ]);
    expect(usage).toEqual({ input: 3, output: 9, cache_read: 100, cache_write: 20 });
  });

  it('are no reply when a block has not ended', () => {
    expect(read(anthropicReader, [start(0, { type: 'tool_use', id: 'a', name: 'Read', input: {} }), ...end]).at(-1)).toMatchObject({ type: 'failed' });
  });
});

describe('events of Responses', () => {
  const message = { id: 'm1', type: 'message', content: [{ type: 'output_text', text: 'Hi' }] };

  it('may come without the output in the last one', () => {
    const events = read(responsesReader, [
      { type: 'response.output_item.added', output_index: 0, item: { id: 'm1' } },
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response: { status: 'completed', output: [], usage: { input_tokens: 10, output_tokens: 2, input_tokens_details: { cached_tokens: 4 } } } },
    ]);
    expect(replyIn(events)).toEqual({ content: [{ type: 'text', text: 'Hi' }], stop: 'end', usage: { input: 6, output: 2, cache_read: 4, cache_write: 0 } });
  });

  it('are no reply when an item has not ended', () => {
    const events = read(responsesReader, [{ type: 'response.output_item.added', output_index: 0, item: { id: 'm1' } }, { type: 'response.completed', response: { output: [] } }]);
    expect(events).toMatchObject([{ type: 'failed', failure: { kind: 'stream' } }]);
  });

  it('keep the reasoning item whole, save for its status', () => {
    const item = { id: 'rs_1', type: 'reasoning', status: 'completed', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'ENC' };
    const [part] = replyIn(read(responsesReader, [{ type: 'response.completed', response: { output: [item, message] } }])).content;
    expect(part).toMatchObject({ type: 'reasoning', text: 'Hm.' });
    expect(part?.type === 'reasoning' && JSON.parse(part.opaque ?? '')).toEqual({ id: 'rs_1', type: 'reasoning', summary: item.summary, encrypted_content: 'ENC' });
  });

  it('tell a failed response', () => {
    const events = read(responsesReader, [{ type: 'response.failed', response: { error: { code: 'server_error', message: 'Something broke.' } } }]);
    expect(events).toMatchObject([{ type: 'failed', failure: { status: 500, retryable: true } }]);
  });
});
