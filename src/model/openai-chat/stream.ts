import type { AssistantPart, ReasoningPart } from '../../protocol/content.ts';
import type { Usage } from '../../protocol/usage.ts';
import { failedEvent, isErrorBody, readProviderError } from '../failure.ts';
import type { ModelEvent, ModelReply, StopReason } from '../model.ts';
import { numberIn, objectIn, objectsIn, textIn } from '../read-json.ts';
import { callMaker } from '../tool-call.ts';
import { END_MARK, type ReplyContext, type ReplyReader } from '../wire.ts';

type Chunk = Readonly<Record<string, unknown>>;

interface Call {
  readonly index: number | undefined;
  id: string;
  name: string;
  json: string;
  extra: unknown;
}

interface Draft {
  readonly context: ReplyContext;
  readonly calls: Call[];
  text: string;
  reasoning: string;
  finish: string;
  refused: boolean;
  usage: Chunk;
}

const STOPS: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  content_filter: 'refusal',
};

/** Reads the chunks of one chat completion. It is complete with a finish reason and `[DONE]`. */
export function chatReader(context: ReplyContext): ReplyReader {
  const draft: Draft = { context, calls: [], text: '', reasoning: '', finish: '', refused: false, usage: {} };
  return (chunk) => {
    if (chunk === END_MARK) return [finish(draft)];
    if (isErrorBody(chunk)) return [failedEvent(readProviderError(chunk), context.info, { streaming: true })];
    const choice = objectIn(objectsIn(chunk['choices'])[0]);
    const usage = objectIn(chunk['usage'] ?? choice['usage']);
    if (Object.keys(usage).length > 0) draft.usage = usage;
    draft.finish ||= textIn(choice['finish_reason']);
    return grow(draft, objectIn(choice['delta']));
  };
}

function grow(draft: Draft, delta: Chunk): readonly ModelEvent[] {
  for (const fragment of objectsIn(delta['tool_calls'])) growCall(draft.calls, fragment);
  const reasoning = textIn(delta['reasoning_content']) || textIn(delta['reasoning']);
  const refusal = textIn(delta['refusal']);
  const text = textIn(delta['content']) + refusal;
  draft.reasoning += reasoning;
  draft.text += text;
  draft.refused ||= refusal !== '';
  return [
    ...(reasoning === '' ? [] : [{ type: 'reasoning.delta', text: reasoning } as const]),
    ...(text === '' ? [] : [{ type: 'text.delta', text } as const]),
  ];
}

/**
 * A fragment belongs to the call of its index. Some servers leave the index out or repeat it: another id under the
 * same index, or an id without an index, begins a new call.
 */
function growCall(calls: Call[], fragment: Chunk): void {
  const index = numberIn(fragment['index']);
  const id = textIn(fragment['id']);
  const { name, arguments: json } = objectIn(fragment['function']);
  const last = index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
  const begins = !last || (id !== '' && last.id !== '' && id !== last.id) || (index === undefined && id !== '' && id !== last.id);
  const call = begins ? { index, id: '', name: '', json: '', extra: undefined } : last;
  if (begins) calls.push(call);
  call.id ||= id;
  call.name ||= textIn(name);
  call.json += textIn(json);
  call.extra ??= fragment['extra_content'];
}

function finish(draft: Draft): ModelEvent {
  if (draft.finish === '') return failedEvent({ message: 'the reply ended without a finish reason' }, draft.context.info, { streaming: true });
  return { type: 'done', reply: replyOf(draft) };
}

function replyOf(draft: Draft): ModelReply {
  const { context, text } = draft;
  const named = draft.refused ? 'refusal' : (STOPS[draft.finish] ?? 'other');
  const stop = named === 'end' && draft.calls.length > 0 ? 'tool_calls' : named;
  const makeCall = callMaker(context);
  const calls = draft.calls.map(({ extra, ...raw }, index) => ({ call: makeCall({ ...raw, cut: stop === 'length' && index === draft.calls.length - 1 }), extra }));
  const extras = Object.fromEntries(calls.flatMap(({ call, extra }) => (extra === undefined ? [] : [[call.call_id, extra]])));
  const content: readonly AssistantPart[] = [
    ...reasoningOf(draft, extras),
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...calls.map(({ call }) => call),
  ];
  return { content, stop, usage: usageOf(draft.usage) };
}

function reasoningOf({ context, reasoning }: Draft, extras: Readonly<Record<string, unknown>>): readonly ReasoningPart[] {
  const opaque = Object.keys(extras).length > 0 ? { opaque: JSON.stringify(extras) } : undefined;
  return reasoning === '' && !opaque ? [] : [{ type: 'reasoning', text: reasoning, provider: context.info.provider, ...opaque }];
}

/** Cached tokens are counted within the prompt; their names differ from server to server. */
function usageOf(usage: Chunk): Usage {
  const details = objectIn(usage['prompt_tokens_details']);
  const cache_read = numberIn(details['cached_tokens']) ?? numberIn(usage['prompt_cache_hit_tokens']) ?? numberIn(usage['cached_tokens']) ?? 0;
  const cache_write = numberIn(details['cache_write_tokens']) ?? 0;
  const reasoning = numberIn(objectIn(usage['completion_tokens_details'])['reasoning_tokens']) ?? 0;
  return {
    input: Math.max(0, (numberIn(usage['prompt_tokens']) ?? 0) - cache_read - cache_write),
    output: numberIn(usage['completion_tokens']) ?? 0,
    cache_read,
    cache_write,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
