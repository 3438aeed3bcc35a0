import type { AssistantPart } from '../../protocol/content.ts';
import { failedEvent, readProviderError } from '../failure.ts';
import type { ModelEvent, ModelReply, StopReason } from '../model.ts';
import { numberIn, objectIn, textIn } from '../read-json.ts';
import { callMaker } from '../tool-call.ts';
import { END_MARK, type ReplyContext, type ReplyReader } from '../wire.ts';

type Event = Readonly<Record<string, unknown>>;

/** A content block while it grows; `text` is its text, its thinking or the JSON of its arguments. */
interface Block {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** Arguments that came whole with the start of the block, as some servers send them. */
  readonly whole: string;
  readonly data: string;
  text: string;
  signature: string;
  ended: boolean;
}

interface Draft {
  readonly context: ReplyContext;
  readonly blocks: Map<number, Block>;
  usage: Event;
  stop: string;
}

const STOPS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
};

/** Reads the events of one Messages reply. It is complete with `message_stop`, a stop reason and every block ended. */
export function anthropicReader(context: ReplyContext): ReplyReader {
  const draft: Draft = { context, blocks: new Map(), usage: {}, stop: '' };
  return (event) => {
    if (event === END_MARK) return [];
    switch (event['type']) {
      case 'message_start': addUsage(draft, objectIn(event['message'])); return [];
      case 'content_block_start': return startBlock(draft, event);
      case 'content_block_delta': return growBlock(draft, event);
      case 'content_block_stop': endBlock(draft, event); return [];
      case 'message_delta': addUsage(draft, event); draft.stop ||= textIn(objectIn(event['delta'])['stop_reason']); return [];
      case 'message_stop': return [finish(draft)];
      case 'error': return [failedEvent(readProviderError(event), context.info, { streaming: true })];
      default: return [];
    }
  };
}

/** Counts are cumulative: a later one replaces an earlier one. */
function addUsage(draft: Draft, from: Event): void {
  const counts = Object.entries(objectIn(from['usage'])).filter(([, count]) => numberIn(count) !== undefined);
  draft.usage = { ...draft.usage, ...Object.fromEntries(counts) };
}

function startBlock(draft: Draft, event: Event): readonly ModelEvent[] {
  const block = objectIn(event['content_block']);
  const input = objectIn(block['input']);
  const text = textIn(block['text']) || textIn(block['thinking']);
  draft.blocks.set(numberIn(event['index']) ?? draft.blocks.size, {
    type: textIn(block['type']),
    id: textIn(block['id']),
    name: textIn(block['name']),
    whole: Object.keys(input).length > 0 ? JSON.stringify(input) : '',
    data: textIn(block['data']),
    signature: textIn(block['signature']),
    text,
    ended: false,
  });
  return text === '' ? [] : [{ type: block['type'] === 'thinking' ? 'reasoning.delta' : 'text.delta', text }];
}

function growBlock(draft: Draft, event: Event): readonly ModelEvent[] {
  const delta = objectIn(event['delta']);
  const block = draft.blocks.get(numberIn(event['index']) ?? -1);
  if (!block) return [];
  const text = textIn(delta['text']) || textIn(delta['thinking']) || textIn(delta['partial_json']);
  block.text += text;
  block.signature += textIn(delta['signature']);
  if (text === '') return [];
  if (delta['type'] === 'text_delta') return [{ type: 'text.delta', text }];
  return delta['type'] === 'thinking_delta' ? [{ type: 'reasoning.delta', text }] : [];
}

function endBlock(draft: Draft, event: Event): void {
  const block = draft.blocks.get(numberIn(event['index']) ?? -1);
  if (block) block.ended = true;
}

function finish(draft: Draft): ModelEvent {
  const blocks = [...draft.blocks.values()];
  if (draft.stop === '' || blocks.some((block) => !block.ended)) {
    return failedEvent({ message: 'the reply ended before it was complete' }, draft.context.info, { streaming: true });
  }
  return { type: 'done', reply: replyOf(draft, blocks) };
}

function replyOf({ context, usage, stop: raw }: Draft, blocks: readonly Block[]): ModelReply {
  const stop = STOPS[raw] ?? 'other';
  const makeCall = callMaker(context);
  const content = blocks.flatMap((block, index): readonly AssistantPart[] => {
    switch (block.type) {
      case 'text': return block.text === '' ? [] : [{ type: 'text', text: block.text }];
      case 'thinking': return [{ type: 'reasoning', text: block.text, provider: context.info.provider, ...(block.signature ? { signature: block.signature } : {}) }];
      case 'redacted_thinking': return [{ type: 'reasoning', text: '', provider: context.info.provider, opaque: block.data }];
      case 'tool_use': return [makeCall({ id: block.id, name: block.name, json: block.text || block.whole, cut: stop === 'length' && index === blocks.length - 1 })];
      default: return [];
    }
  });
  return {
    content,
    stop,
    usage: {
      input: numberIn(usage['input_tokens']) ?? 0,
      output: numberIn(usage['output_tokens']) ?? 0,
      cache_read: numberIn(usage['cache_read_input_tokens']) ?? 0,
      cache_write: numberIn(usage['cache_creation_input_tokens']) ?? 0,
    },
  };
}
