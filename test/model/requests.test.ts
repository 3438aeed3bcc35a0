import { describe, expect, it } from 'vitest';
import { anthropic } from '../../src/model/anthropic/format.ts';
import type { ModelInfo, ModelRequest } from '../../src/model/model.ts';
import { openAiChat } from '../../src/model/openai-chat/format.ts';
import { openAiResponses } from '../../src/model/openai-responses/format.ts';
import type { ModelTraits, WireFormat } from '../../src/model/wire.ts';
import { pairingProblems } from '../../src/testing/fake-provider/pairing.ts';
import type { FakeApi } from '../../src/testing/index.ts';
import type { Message } from '../../src/protocol/message.ts';
import { requestOf, toolSpec } from './support.ts';

const INFO: ModelInfo = { provider: 'p', id: 'm', contextWindow: 200_000, maxOutput: 32_000, images: true, documents: true };
const PICTURE = { type: 'image', media_type: 'image/png', data: 'iVBORw==' } as const;
const PAPER = { type: 'document', media_type: 'application/pdf', data: 'JVBERg==', name: 'paper.pdf' } as const;
const ALL = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

const CONVERSATION: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'Look.' }, PICTURE, PAPER] },
  { role: 'assistant', content: [
    { type: 'reasoning', text: 'Mine.', provider: 'p', signature: 'sig', },
    { type: 'reasoning', text: 'Of another.', provider: 'q', signature: 'other' },
    { type: 'text', text: 'I read both.' },
    { type: 'tool_call', call_id: 'functions.Read:0', tool: 'Read', input: { path: 'a' } },
    { type: 'tool_call', call_id: 'c2', tool: 'Do it!', input: {}, invalid: '{"path' },
  ] },
  { role: 'tool', content: [
    { type: 'tool_result', call_id: 'functions.Read:0', tool: 'Read', content: [{ type: 'text', text: 'see' }, PICTURE], is_error: false },
    { type: 'tool_result', call_id: 'c2', tool: 'Do it!', content: [{ type: 'text', text: 'no such tool' }], is_error: true },
  ] },
  { role: 'user', content: [{ type: 'text', text: 'And hurry.' }] },
];

function bodyOf(wire: WireFormat, request: ModelRequest, more: { readonly info?: Partial<ModelInfo>; readonly traits?: Partial<ModelTraits>; readonly baseUrl?: string } = {}): Readonly<Record<string, unknown>> {
  return wire.body(request, { info: { ...INFO, ...more.info }, baseUrl: more.baseUrl ?? 'http://h/v1', traits: { efforts: ALL, jsonSchema: true, ...more.traits } });
}

describe('a request to Anthropic Messages', () => {
  it('carries the conversation, results at the head of the user turn', () => {
    expect(bodyOf(anthropic, requestOf(CONVERSATION))['messages']).toEqual([
      { role: 'user', content: [
        { type: 'text', text: 'Look.' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' }, title: 'paper.pdf' },
      ] },
      { role: 'assistant', content: [
        { type: 'thinking', thinking: 'Mine.', signature: 'sig' },
        { type: 'text', text: 'I read both.' },
        { type: 'tool_use', id: 'functions_Read_0', name: 'Read', input: { path: 'a' } },
        { type: 'tool_use', id: 'c2', name: 'Do_it_', input: {} },
      ] },
      { role: 'user', content: [
        { type: 'tool_result', tool_use_id: 'functions_Read_0', content: [{ type: 'text', text: 'see' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw==' } }] },
        { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: 'no such tool' }], is_error: true },
        { type: 'text', text: 'And hurry.' },
      ] },
    ]);
  });

  it('marks the cache where the mark stays', () => {
    const mark = { type: 'ephemeral' };
    const body = bodyOf(anthropic, requestOf(CONVERSATION), { traits: { autoCache: true } });
    expect(body).toMatchObject({ cache_control: mark, system: [{ type: 'text', text: 'You help.', cache_control: mark }], max_tokens: 32_000, stream: true });
    expect(JSON.stringify(body['messages'])).not.toContain('cache_control');
    expect(bodyOf(anthropic, requestOf([], { system: '' }))['tools']).toMatchObject([{ name: 'Read', cache_control: mark }]);
    expect(bodyOf(anthropic, requestOf(CONVERSATION))).not.toHaveProperty('cache_control');
  });

  it('returns redacted thinking, and drops thinking without a signature', () => {
    const spoken = { role: 'assistant', content: [{ type: 'reasoning', text: '', provider: 'p', opaque: 'ENC' }, { type: 'reasoning', text: 'bare', provider: 'p' }, { type: 'text', text: 'x' }] } as const;
    expect(bodyOf(anthropic, requestOf([spoken]))['messages']).toEqual([{ role: 'assistant', content: [{ type: 'redacted_thinking', data: 'ENC' }, { type: 'text', text: 'x' }] }]);
  });

  it('asks for thinking as the model takes it', () => {
    const hard = requestOf(CONVERSATION, { effort: 'xhigh' });
    expect(bodyOf(anthropic, hard, { traits: { thinking: 'budget' } })).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 16_000 } });
    expect(bodyOf(anthropic, { ...hard, maxOutput: 1_500 }, { traits: { thinking: 'budget' } })).not.toHaveProperty('thinking');
    expect(bodyOf(anthropic, requestOf(CONVERSATION), { traits: { thinking: 'budget' } })).not.toHaveProperty('thinking');
    expect(bodyOf(anthropic, hard, { traits: { thinking: 'adaptive', efforts: ['low', 'medium', 'high', 'max'] } })).toMatchObject({ thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } });
    expect(bodyOf(anthropic, hard, { traits: { thinking: 'preserved' } })).toMatchObject({ thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } }, output_config: { effort: 'xhigh' } });
  });

  it('leaves out a turn in which nothing is left, and joins its neighbours', () => {
    const body = bodyOf(anthropic, requestOf([
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      { role: 'assistant', content: [{ type: 'reasoning', text: 'Of another.', provider: 'q' }] },
      { role: 'user', content: [{ type: 'text', text: 'two' }] },
    ]));
    expect(body['messages']).toEqual([{ role: 'user', content: [{ type: 'text', text: 'one' }, { type: 'text', text: 'two' }] }]);
  });

  it('puts results before words that were said earlier', () => {
    const result: Message = { role: 'tool', content: [{ type: 'tool_result', call_id: 'c', tool: 'Read', content: [], is_error: false }] };
    const body = bodyOf(anthropic, requestOf([{ role: 'user', content: [{ type: 'text', text: 'early' }] }, result]));
    expect(body['messages']).toMatchObject([{ content: [{ type: 'tool_result' }, { type: 'text', text: 'early' }] }]);
  });

  it('finds the path below any base URL', () => {
    expect(anthropic.url('https://api.anthropic.com')).toBe('https://api.anthropic.com/v1/messages');
    expect(anthropic.url('http://h:1/v1')).toBe('http://h:1/v1/messages');
  });
});

describe('a request to Chat Completions', () => {
  it('carries the conversation, pictures of results in a message after them', () => {
    const url = 'data:image/png;base64,iVBORw==';
    expect(bodyOf(openAiChat, requestOf(CONVERSATION))['messages']).toEqual([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: [{ type: 'text', text: 'Look.' }, { type: 'image_url', image_url: { url } }, { type: 'file', file: { filename: 'paper.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } }] },
      { role: 'assistant', content: 'I read both.', tool_calls: [
        { id: 'functions_Read_0', type: 'function', function: { name: 'Read', arguments: '{"path":"a"}' } },
        { id: 'c2', type: 'function', function: { name: 'Do_it_', arguments: '{}' } },
      ] },
      { role: 'tool', tool_call_id: 'functions_Read_0', content: 'see\n\n[in the next message]' },
      { role: 'tool', tool_call_id: 'c2', content: 'no such tool' },
      { role: 'user', content: [{ type: 'text', text: 'From the result of Read (functions_Read_0):' }, { type: 'image_url', image_url: { url } }] },
      { role: 'user', content: 'And hurry.' },
    ]);
  });

  it('asks for usage, and sends what is OpenAI\'s own to OpenAI alone', () => {
    const request = requestOf(CONVERSATION, { cacheKey: 'session-1', maxOutput: 100, effort: 'medium' });
    expect(bodyOf(openAiChat, request)).toMatchObject({ stream: true, stream_options: { include_usage: true }, max_tokens: 100, reasoning_effort: 'medium' });
    expect(bodyOf(openAiChat, request)).not.toHaveProperty('prompt_cache_key');
    expect(bodyOf(openAiChat, request, { baseUrl: 'https://api.openai.com/v1' })).toMatchObject({ prompt_cache_key: 'session-1', max_completion_tokens: 100 });
    expect(bodyOf(openAiChat, request, { traits: { efforts: [] } })).not.toHaveProperty('reasoning_effort');
  });

  it('returns reasoning where it is wanted, even an empty one', () => {
    const silent: Message = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] };
    const messages = bodyOf(openAiChat, requestOf([...CONVERSATION, silent]), { traits: { wantsReasoningBack: true } })['messages'];
    expect(messages).toContainEqual(expect.objectContaining({ content: 'I read both.', reasoning_content: 'Mine.' }));
    expect(messages).toContainEqual({ role: 'assistant', content: 'Done.', reasoning_content: '' });
  });

  it('hangs what the provider hung on a call back on it', () => {
    const extra = { google: { thought_signature: 'abc' } };
    const spoken: Message = { role: 'assistant', content: [
      { type: 'reasoning', text: '', provider: 'p', opaque: JSON.stringify({ c1: extra }) },
      { type: 'tool_call', call_id: 'c1', tool: 'Read', input: {} },
    ] };
    expect(bodyOf(openAiChat, requestOf([spoken], { system: '' }))['messages']).toMatchObject([{ tool_calls: [{ id: 'c1', extra_content: extra }] }]);
    expect(JSON.stringify(bodyOf(openAiChat, requestOf([spoken]), { info: { provider: 'q' } }))).not.toContain('abc');
  });

  it('says what the model cannot see', () => {
    const text = JSON.stringify(bodyOf(openAiChat, requestOf(CONVERSATION), { info: { images: false, documents: false } })['messages']);
    expect(text).not.toContain('base64');
    expect(text).toContain('[picture (image/png) left out');
    expect(text).toContain('[document paper.pdf (application/pdf) left out');
  });
});

describe('a request to Responses', () => {
  it('carries the conversation as items', () => {
    const item = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'ENC' };
    const spoken: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.', provider: 'p', opaque: JSON.stringify(item) }, { type: 'reasoning', text: 'x', provider: 'q', opaque: JSON.stringify(item) }, { type: 'text', text: 'Yes.' }] };
    expect(bodyOf(openAiResponses, requestOf([...CONVERSATION, spoken]))['input']).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look.' }, { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw==' }, { type: 'input_file', filename: 'paper.pdf', file_data: 'data:application/pdf;base64,JVBERg==' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I read both.' }] },
      { type: 'function_call', call_id: 'functions_Read_0', name: 'Read', arguments: '{"path":"a"}' },
      { type: 'function_call', call_id: 'c2', name: 'Do_it_', arguments: '{}' },
      { type: 'function_call_output', call_id: 'functions_Read_0', output: [{ type: 'input_text', text: 'see' }, { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw==' }] },
      { type: 'function_call_output', call_id: 'c2', output: 'no such tool' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And hurry.' }] },
      item,
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] },
    ]);
  });

  it('keeps nothing on the server', () => {
    const body = bodyOf(openAiResponses, requestOf(CONVERSATION, { effort: 'high', maxOutput: 9, cacheKey: 'k' }), { traits: { summaries: true }, baseUrl: 'https://api.openai.com/v1' });
    expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'], reasoning: { effort: 'high', summary: 'auto' }, instructions: 'You help.', max_output_tokens: 9, prompt_cache_key: 'k', tools: [{ type: 'function', name: 'Read', strict: false }] });
  });
});

describe('an output schema', () => {
  const strict = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
  it('is sent where the API enforces it', () => {
    const request = requestOf(CONVERSATION, { outputSchema: strict });
    expect(bodyOf(anthropic, request, { traits: { thinking: 'adaptive' } })).toMatchObject({ output_config: { format: { type: 'json_schema', schema: strict } } });
    expect(bodyOf(openAiChat, request)).toMatchObject({ response_format: { json_schema: { strict: true, schema: strict } } });
    expect(bodyOf(openAiResponses, request)).toMatchObject({ text: { format: { type: 'json_schema', strict: true, schema: strict } } });
    expect(bodyOf(openAiChat, request, { traits: { jsonSchema: false } })).not.toHaveProperty('response_format');
  });

  it('is not sent when the API would refuse it', () => {
    const loose = { ...strict, properties: { a: { type: 'object', properties: { b: {} } } } };
    expect(bodyOf(openAiChat, requestOf(CONVERSATION, { outputSchema: loose }))).not.toHaveProperty('response_format');
  });
});

describe.each([['anthropic', anthropic], ['openai-chat', openAiChat], ['openai-responses', openAiResponses]] as const satisfies readonly (readonly [FakeApi, WireFormat])[])('conversations over %s', (api, wire) => {
  it('extend those of the request before byte for byte', () => {
    const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Go.' }, PICTURE] }];
    let before: string | undefined;
    const others = new Set<string>();
    for (let turn = 0; turn < 12; turn++) {
      const body = bodyOf(wire, requestOf(messages, { tools: ['Read', 'Bash'].map(toolSpec), effort: 'high' }), { traits: { thinking: 'preserved', autoCache: true, wantsReasoningBack: true } });
      const { messages: some, input, ...rest } = body;
      const text = JSON.stringify(some ?? input).slice(0, -1);
      if (before !== undefined) expect(text.startsWith(before)).toBe(true);
      before = text;
      others.add(JSON.stringify(rest));
      expect(pairingProblems(api, body)).toEqual([]);
      messages.push(
        { role: 'assistant', content: [{ type: 'reasoning', text: `t${turn}`, provider: turn % 3 ? 'p' : 'q', signature: 's' }, { type: 'text', text: `step ${turn}` }, { type: 'tool_call', call_id: `c${turn}`, tool: 'Read', input: { turn } }] },
        { role: 'tool', content: [{ type: 'tool_result', call_id: `c${turn}`, tool: 'Read', content: turn % 2 ? [PICTURE] : [{ type: 'text', text: 'r' }], is_error: false }] },
        ...(turn % 4 === 3 ? [{ role: 'user', content: [{ type: 'text', text: 'faster' }] } as const] : []),
      );
    }
    expect(others.size).toBe(1);
  });

  it('are paired even where a model made up names and ids', () => {
    expect(pairingProblems(api, bodyOf(wire, requestOf(CONVERSATION)))).toEqual([]);
  });
});
