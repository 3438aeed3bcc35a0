import { argumentsOf, fragments, type FakeReply } from './script.ts';

interface Streamed {
  readonly item: Readonly<Record<string, unknown>>;
  /** The item as it is announced, before anything of it has come. */
  readonly begun: Readonly<Record<string, unknown>>;
  /** The part of the item that is announced after it, where items of this kind have parts. */
  readonly part?: { readonly type: string; readonly index: 'content_index' | 'summary_index'; readonly part: object };
  /** The kind of its deltas, and what they add up to. */
  readonly kind: string;
  readonly text: string;
}

const TEXT_PART = { type: 'response.content_part.added', index: 'content_index', part: { type: 'output_text', text: '', annotations: [] } } as const;
const SUMMARY_PART = { type: 'response.reasoning_summary_part.added', index: 'summary_index', part: { type: 'summary_text', text: '' } } as const;

/** The events of a reply of Responses; the last one is the end event. */
export function responsesFrames(reply: FakeReply, nonce: string): readonly string[] {
  const size = reply.fragment ?? 8;
  const items = itemsOf(reply, nonce);
  const body = items.flatMap(({ item, begun, part, kind, text }, output_index) => [
    { type: 'response.output_item.added', output_index, item: { ...item, ...begun, status: 'in_progress' } },
    ...(part ? [{ type: part.type, output_index, item_id: item['id'], [part.index]: 0, part: part.part }] : []),
    ...fragments(text, size).map((delta) => ({ type: kind, output_index, item_id: item['id'], ...(part ? { [part.index]: 0 } : {}), delta })),
    { type: 'response.output_item.done', output_index, item },
  ]);
  const events = [{ type: 'response.created', response: { id: `resp_${nonce}`, status: 'in_progress', output: [] } }, ...body, endOf(reply, { items, nonce })];
  return events.map(({ type, ...fields }, sequence_number) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n`);
}

/** An error in the middle of a stream. */
export function responsesError(code: string, message: string): string {
  return `event: error\ndata: ${JSON.stringify({ type: 'error', code, message })}\n\n`;
}

function itemsOf(reply: FakeReply, nonce: string): readonly Streamed[] {
  return [
    ...(reply.reasoning
      ? [{ kind: 'response.reasoning_summary_text.delta', text: reply.reasoning, begun: { summary: [] }, part: SUMMARY_PART, item: { id: `rs_${nonce}`, type: 'reasoning', summary: [{ type: 'summary_text', text: reply.reasoning }], encrypted_content: `enc_${nonce}` } }]
      : []),
    ...(reply.text
      ? [{ kind: 'response.output_text.delta', text: reply.text, begun: { content: [] }, part: TEXT_PART, item: { id: `msg_${nonce}`, type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'output_text', text: reply.text, annotations: [] }] } }]
      : []),
    ...(reply.calls ?? []).map((call, index) => ({
      kind: 'response.function_call_arguments.delta',
      text: argumentsOf(call),
      begun: { arguments: '' },
      item: { id: `fc_${nonce}_${index}`, type: 'function_call', status: 'completed', call_id: call.id ?? `call_${nonce}_${index}`, name: call.name, arguments: argumentsOf(call) },
    })),
  ];
}

function endOf(reply: FakeReply, { items, nonce }: { readonly items: readonly Streamed[]; readonly nonce: string }): { readonly type: string; readonly response: object } {
  const { input = 10, output = 5, cached = 0 } = reply.usage ?? {};
  const reason = reply.stop === 'length' ? 'max_output_tokens' : reply.stop === 'refusal' ? 'content_filter' : undefined;
  const status = reason ? 'incomplete' : 'completed';
  return {
    type: `response.${status}`,
    response: {
      id: `resp_${nonce}`,
      status,
      output: items.map(({ item }) => item),
      incomplete_details: reason ? { reason } : null,
      usage: { input_tokens: input + cached, output_tokens: output, total_tokens: input + cached + output, input_tokens_details: { cached_tokens: cached }, output_tokens_details: { reasoning_tokens: 0 } },
    },
  };
}
