import { argumentsOf, fragments, type FakeReply } from './script.ts';

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

const STOPS = { end: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', refusal: 'refusal' } as const;

/** The events of a reply of Anthropic Messages; the last one is the end event. */
export function anthropicFrames(reply: FakeReply, nonce: string): readonly string[] {
  const size = reply.fragment ?? 8;
  const { input = 10, output = 5, cached = 0 } = reply.usage ?? {};
  const usage = { input_tokens: input, cache_read_input_tokens: cached, cache_creation_input_tokens: 0, output_tokens: 1 };
  const blocks = [
    ...(reply.reasoning ? [block({ type: 'thinking', thinking: '', signature: '' }, [...deltas('thinking_delta', 'thinking', reply.reasoning, size), { type: 'signature_delta', signature: `sig_${nonce}` }])] : []),
    ...(reply.text ? [block({ type: 'text', text: '' }, deltas('text_delta', 'text', reply.text, size))] : []),
    ...(reply.calls ?? []).map((call, index) =>
      block({ type: 'tool_use', id: call.id ?? `toolu_${nonce}_${index}`, name: call.name, input: {} }, deltas('input_json_delta', 'partial_json', argumentsOf(call), size))),
  ];
  const stop_reason = STOPS[reply.stop ?? (reply.calls?.length ? 'tool_calls' : 'end')];
  return [
    frame({ type: 'message_start', message: { id: `msg_${nonce}`, type: 'message', role: 'assistant', content: [], stop_reason: null, usage } }),
    frame({ type: 'ping' }),
    ...blocks.flatMap((events, index) => events.map((event) => frame({ ...event, index }))),
    frame({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } }),
    frame({ type: 'message_stop' }),
  ];
}

/** An error in the middle of a stream. */
export function anthropicError(code: string, message: string): string {
  return frame({ type: 'error', error: { type: code, message } });
}

function block(start: object, steps: readonly object[]): readonly Event[] {
  return [{ type: 'content_block_start', content_block: start }, ...steps.map((delta) => ({ type: 'content_block_delta', delta })), { type: 'content_block_stop' }];
}

function deltas(type: string, field: string, text: string, size: number): readonly object[] {
  return fragments(text, size).map((piece) => ({ type, [field]: piece }));
}

function frame(event: Event): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
