import type { AssistantPart, ReasoningPart } from '../../protocol/content.ts';
import type { Usage } from '../../protocol/usage.ts';
import { failedEvent, readProviderError } from '../failure.ts';
import type { ModelEvent, StopReason } from '../model.ts';
import { numberIn, objectIn, objectsIn, textIn } from '../read-json.ts';
import { callMaker } from '../tool-call.ts';
import { END_MARK, type ReplyContext, type ReplyReader } from '../wire.ts';

type Item = Readonly<Record<string, unknown>>;

interface Draft {
  readonly context: ReplyContext;
  /** Items by their place: `undefined` from their first event until their last. */
  readonly items: Map<number, Item | undefined>;
}

/** Reads the events of one response. It is complete with `response.completed` or `response.incomplete`, and every item done. */
export function responsesReader(context: ReplyContext): ReplyReader {
  const draft: Draft = { context, items: new Map() };
  return (event) => {
    if (event === END_MARK) return [];
    const at = numberIn(event['output_index']) ?? 0;
    const text = textIn(event['delta']);
    switch (event['type']) {
      case 'response.output_item.added': draft.items.set(at, undefined); return [];
      case 'response.output_item.done': draft.items.set(at, objectIn(event['item'])); return [];
      case 'response.output_text.delta':
      case 'response.refusal.delta': return text === '' ? [] : [{ type: 'text.delta', text }];
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta': return text === '' ? [] : [{ type: 'reasoning.delta', text }];
      case 'response.reasoning_summary_part.added': return numberIn(event['summary_index']) ? [{ type: 'reasoning.delta', text: '\n\n' }] : [];
      case 'response.completed':
      case 'response.incomplete': return [finish(draft, objectIn(event['response']))];
      case 'response.failed': return [failedEvent(readProviderError(event['response']), context.info, { streaming: true })];
      case 'error': return [failedEvent(readProviderError(event), context.info, { streaming: true })];
      default: return [];
    }
  };
}

function finish({ context, items }: Draft, response: Item): ModelEvent {
  const whole = objectsIn(response['output']);
  const streamed = [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item);
  const output = whole.length > 0 ? whole : streamed;
  if (!output.every((item) => item !== undefined)) return failedEvent({ message: 'the reply ended before it was complete' }, context.info, { streaming: true });
  const reason = textIn(objectIn(response['incomplete_details'])['reason']);
  const content = contentOf(output, { context, cut: reason !== '' });
  return { type: 'done', reply: { content, stop: stopOf(reason, { output, content }), usage: usageOf(objectIn(response['usage'])) } };
}

function contentOf(output: readonly Item[], { context, cut }: { readonly context: ReplyContext; readonly cut: boolean }): readonly AssistantPart[] {
  const makeCall = callMaker(context);
  return output.flatMap((item, index): readonly AssistantPart[] => {
    switch (item['type']) {
      case 'message': return textPart(item);
      case 'reasoning': return [reasoningPart(item, context)];
      case 'function_call': return [makeCall({ id: textIn(item['call_id']), name: textIn(item['name']), json: textIn(item['arguments']), cut: cut && index === output.length - 1 })];
      default: return [];
    }
  });
}

function textPart(item: Item): readonly AssistantPart[] {
  const text = objectsIn(item['content']).map((part) => textIn(part['text']) || textIn(part['refusal'])).join('');
  return text === '' ? [] : [{ type: 'text', text }];
}

/** The whole item is kept: the API wants it back unchanged. Its status is the API's own note and not taken as input. */
function reasoningPart({ status: _status, ...item }: Item, context: ReplyContext): ReasoningPart {
  const pieces = [...objectsIn(item['summary']), ...objectsIn(item['content'])];
  return { type: 'reasoning', text: pieces.map((piece) => textIn(piece['text'])).join('\n\n'), provider: context.info.provider, opaque: JSON.stringify(item) };
}

function stopOf(reason: string, { output, content }: { readonly output: readonly Item[]; readonly content: readonly AssistantPart[] }): StopReason {
  if (reason === 'max_output_tokens') return 'length';
  if (reason === 'content_filter' || output.some((item) => objectsIn(item['content']).some((part) => part['type'] === 'refusal'))) return 'refusal';
  if (reason !== '') return 'other';
  return content.some((part) => part.type === 'tool_call') ? 'tool_calls' : 'end';
}

function usageOf(usage: Item): Usage {
  const details = objectIn(usage['input_tokens_details']);
  const cache_read = numberIn(details['cached_tokens']) ?? 0;
  const cache_write = numberIn(details['cache_write_tokens']) ?? 0;
  const reasoning = numberIn(objectIn(usage['output_tokens_details'])['reasoning_tokens']) ?? 0;
  return {
    input: Math.max(0, (numberIn(usage['input_tokens']) ?? 0) - cache_read - cache_write),
    output: numberIn(usage['output_tokens']) ?? 0,
    cache_read,
    cache_write,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
