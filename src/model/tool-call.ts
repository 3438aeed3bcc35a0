import type { ToolCallPart } from '../protocol/content.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { ModelRequest } from './model.ts';
import type { ReplyContext } from './wire.ts';

/** A tool call as its stream brought it; `cut` when the reply ended in the middle of it. */
export interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly json: string;
  readonly cut: boolean;
}

/**
 * Makes the calls of one reply, in their order. The provider's id is kept when no other call has it, else one is
 * made. Arguments that are no JSON object, or that are cut, become `invalid`, and `input` is empty.
 */
export function callMaker(context: Pick<ReplyContext, 'ids' | 'taken'>): (raw: RawCall) => ToolCallPart {
  const used = new Set(context.taken);
  return (raw) => {
    const call_id = raw.id !== '' && !used.has(raw.id) ? raw.id : context.ids();
    used.add(call_id);
    const input = raw.cut ? undefined : readArguments(raw.json);
    const call = { type: 'tool_call', call_id, tool: raw.name || 'unnamed' } as const;
    return input ? { ...call, input } : { ...call, input: {}, invalid: raw.json || '(cut off)' };
  };
}

/** No text at all means no arguments. */
function readArguments(json: string): JsonObject | undefined {
  if (json.trim() === '') return {};
  try {
    const value: Json = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The ids of all calls in a conversation. */
export function callIdsOf(request: ModelRequest): ReadonlySet<string> {
  const ids = request.messages.flatMap((message) =>
    message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool_call' ? [part.call_id] : [])) : [],
  );
  return new Set(ids);
}
