import { argumentsOf, fragments, type FakeReply } from './script.ts';

const STOPS = { end: 'stop', tool_calls: 'tool_calls', length: 'length', refusal: 'content_filter' } as const;

/** The events of a reply of Chat Completions; the last one is the end event. */
export function chatFrames(reply: FakeReply, nonce: string): readonly string[] {
  const size = reply.fragment ?? 8;
  const { input = 10, output = 5, cached = 0 } = reply.usage ?? {};
  const calls = (reply.calls ?? []).flatMap((call, index) => [
    { tool_calls: [{ index, id: call.id ?? `call_${nonce}_${index}`, type: 'function', function: { name: call.name, arguments: '' } }] },
    ...fragments(argumentsOf(call), size).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  const deltas = [
    { role: 'assistant', content: '' },
    ...(reply.reasoning ? fragments(reply.reasoning, size).map((reasoning_content) => ({ reasoning_content })) : []),
    ...(reply.text ? fragments(reply.text, size).map((content) => ({ content })) : []),
    ...calls,
  ];
  const finish_reason = STOPS[reply.stop ?? (calls.length > 0 ? 'tool_calls' : 'end')];
  const usage = { prompt_tokens: input + cached, completion_tokens: output, total_tokens: input + cached + output, prompt_tokens_details: { cached_tokens: cached } };
  return [
    ...deltas.map((delta) => chunk(nonce, { choices: [{ index: 0, delta, finish_reason: null }] })),
    chunk(nonce, { choices: [{ index: 0, delta: {}, finish_reason }] }),
    chunk(nonce, { choices: [], usage }),
    'data: [DONE]\n\n',
  ];
}

/** An error in the middle of a stream. */
export function chatError(code: string, message: string): string {
  return `data: ${JSON.stringify({ error: { type: code, message } })}\n\n`;
}

function chunk(nonce: string, fields: object): string {
  return `data: ${JSON.stringify({ id: `chatcmpl-${nonce}`, object: 'chat.completion.chunk', ...fields })}\n\n`;
}
