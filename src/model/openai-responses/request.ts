import type { AssistantPart, ReasoningPart, ResultPart, ToolResultPart, UserPart } from '../../protocol/content.ts';
import type { Message } from '../../protocol/message.ts';
import { acceptable, dataUrl } from '../acceptable.ts';
import { nearestEffort } from '../effort.ts';
import type { ModelInfo, ModelRequest } from '../model.ts';
import { isOpenAi } from '../openai-host.ts';
import { parseJson } from '../../protocol/json.ts';
import { objectIn } from '../read-json.ts';
import { isStrictSchema } from '../strict-schema.ts';
import { wireName } from '../wire-names.ts';
import type { WireTarget } from '../wire.ts';

type Item = Readonly<Record<string, unknown>>;

/** The body of a Responses request. Nothing is kept on the server: reasoning comes back encrypted and is sent again. */
export function responsesBody(request: ModelRequest, { info, traits, baseUrl }: WireTarget): Item {
  const effort = request.effort && nearestEffort(request.effort, traits.efforts);
  const reasoning = { ...(effort ? { effort } : {}), ...(traits.summaries ? { summary: 'auto' } : {}) };
  return {
    model: info.id,
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(request.maxOutput === undefined ? {} : { max_output_tokens: request.maxOutput }),
    ...(Object.keys(reasoning).length > 0 ? { reasoning } : {}),
    ...(isOpenAi(baseUrl) && request.cacheKey !== undefined ? { prompt_cache_key: request.cacheKey } : {}),
    ...(request.outputSchema && traits.jsonSchema && isStrictSchema(request.outputSchema)
      ? { text: { format: { type: 'json_schema', name: 'output', strict: true, schema: request.outputSchema } } }
      : {}),
    ...(request.system === '' ? {} : { instructions: request.system }),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(({ name, description, input_schema }) => ({ type: 'function', name, description, strict: false, parameters: input_schema })) }),
    input: request.messages.flatMap((message) => itemsOf(message, info)),
  };
}

function itemsOf(message: Message, info: ModelInfo): readonly Item[] {
  switch (message.role) {
    case 'user': return [{ type: 'message', role: 'user', content: acceptable(message.content, info).map(partOf) }];
    case 'tool': return message.content.map((part) => resultOf(part, info));
    case 'assistant': return message.content.flatMap((part) => spokenOf(part, info));
  }
}

function partOf(part: UserPart | ResultPart): Item {
  switch (part.type) {
    case 'text': return { type: 'input_text', text: part.text };
    case 'image': return { type: 'input_image', detail: 'auto', image_url: dataUrl(part) };
    case 'document': return { type: 'input_file', filename: part.name ?? 'document.pdf', file_data: dataUrl(part) };
  }
}

function resultOf(part: ToolResultPart, info: ModelInfo): Item {
  const taken = acceptable(part.content, info);
  const output = taken.every((piece) => piece.type === 'text') ? taken.map((piece) => piece.text).join('\n\n') || '(no output)' : taken.map(partOf);
  return { type: 'function_call_output', call_id: wireName(part.call_id), output };
}

function spokenOf(part: AssistantPart, info: ModelInfo): readonly Item[] {
  switch (part.type) {
    case 'text': return part.text === '' ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text }] }];
    case 'tool_call': return [{ type: 'function_call', call_id: wireName(part.call_id), name: wireName(part.tool), arguments: JSON.stringify(part.input) }];
    case 'reasoning': return reasoningOf(part, info);
  }
}

/** The item as the API gave it. */
function reasoningOf(part: ReasoningPart, info: ModelInfo): readonly Item[] {
  const item = part.provider === info.provider ? objectIn(parseJson(part.opaque ?? '')) : {};
  return item['type'] === 'reasoning' ? [item] : [];
}
