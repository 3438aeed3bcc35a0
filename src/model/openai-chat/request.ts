import type { ResultPart, ToolCallPart, UserPart } from '../../protocol/content.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../protocol/message.ts';
import { acceptable, dataUrl } from '../acceptable.ts';
import { nearestEffort } from '../effort.ts';
import type { ModelInfo, ModelRequest } from '../model.ts';
import { isOpenAi } from '../openai-host.ts';
import { parseJson } from '../../protocol/json.ts';
import { objectIn } from '../read-json.ts';
import { isStrictSchema } from '../strict-schema.ts';
import { wireName } from '../wire-names.ts';
import type { WireTarget } from '../wire.ts';

type Entry = Readonly<Record<string, unknown>>;

/** The body of a Chat Completions request. */
export function chatBody(request: ModelRequest, target: WireTarget): Entry {
  const { info, traits } = target;
  const official = isOpenAi(target.baseUrl);
  const effort = request.effort && nearestEffort(request.effort, traits.efforts);
  return {
    model: info.id,
    stream: true,
    stream_options: { include_usage: true },
    ...(request.maxOutput === undefined ? {} : { [official ? 'max_completion_tokens' : 'max_tokens']: request.maxOutput }),
    ...(effort ? { reasoning_effort: effort } : {}),
    ...(official && request.cacheKey !== undefined ? { prompt_cache_key: request.cacheKey } : {}),
    ...(request.outputSchema && traits.jsonSchema && isStrictSchema(request.outputSchema)
      ? { response_format: { type: 'json_schema', json_schema: { name: 'output', strict: true, schema: request.outputSchema } } }
      : {}),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(({ name, description, input_schema }) => ({ type: 'function', function: { name, description, parameters: input_schema } })) }),
    messages: [...(request.system === '' ? [] : [{ role: 'system', content: request.system }]), ...request.messages.flatMap((message) => entriesOf(message, target))],
  };
}

function entriesOf(message: Message, target: WireTarget): readonly Entry[] {
  switch (message.role) {
    case 'user': return [{ role: 'user', content: contentOf(message.content, target.info) }];
    case 'assistant': return assistantOf(message, target);
    case 'tool': return resultsOf(message, target.info);
  }
}

/** Plain text where that is all there is: many servers take nothing else. */
function contentOf(parts: readonly (UserPart | ResultPart)[], info: ModelInfo): string | readonly Entry[] {
  const taken = acceptable(parts, info);
  return taken.every((part) => part.type === 'text') ? taken.map((part) => part.text).join('\n\n') : taken.map(partOf);
}

function partOf(part: UserPart): Entry {
  switch (part.type) {
    case 'text': return { type: 'text', text: part.text };
    case 'image': return { type: 'image_url', image_url: { url: dataUrl(part) } };
    case 'document': return { type: 'file', file: { filename: part.name ?? 'document.pdf', file_data: dataUrl(part) } };
  }
}

function assistantOf({ content }: AssistantMessage, { info, traits }: WireTarget): readonly Entry[] {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = content.filter((part) => part.type === 'tool_call');
  if (text === '' && calls.length === 0) return [];
  const own = content.filter((part) => part.type === 'reasoning').filter((part) => part.provider === info.provider);
  const extras = own.map((part) => objectIn(parseJson(part.opaque ?? ''))).reduce((all, some) => ({ ...all, ...some }), {});
  return [{
    role: 'assistant',
    content: text === '' ? null : text,
    ...(traits.wantsReasoningBack ? { reasoning_content: own.map((part) => part.text).join('') } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => callOf(call, extras)) }),
  }];
}

/** `extra_content` is what the provider hung on the call and wants back with it, such as Gemini's thought signature. */
function callOf(call: ToolCallPart, extras: Entry): Entry {
  const extra = extras[call.call_id];
  return {
    id: wireName(call.call_id),
    type: 'function',
    function: { name: wireName(call.tool), arguments: JSON.stringify(call.input) },
    ...(extra === undefined ? {} : { extra_content: extra }),
  };
}

/** A tool message holds text alone: pictures and documents of all results follow in one message of the user. */
function resultsOf({ content }: ToolMessage, info: ModelInfo): readonly Entry[] {
  const followers: Entry[] = [];
  const results = content.map((result) => {
    const taken = acceptable(result.content, info);
    const files = taken.filter((part) => part.type !== 'text');
    if (files.length > 0) followers.push({ type: 'text', text: `From the result of ${result.tool} (${wireName(result.call_id)}):` }, ...files.map(partOf));
    const text = taken.map((part) => (part.type === 'text' ? part.text : '[in the next message]')).join('\n\n');
    return { role: 'tool', tool_call_id: wireName(result.call_id), content: text || '(no output)' };
  });
  return followers.length === 0 ? results : [...results, { role: 'user', content: followers }];
}
