import type { AssistantPart, ResultPart, ToolResultPart, UserPart } from '../../protocol/content.ts';
import type { Message } from '../../protocol/message.ts';
import type { ToolSpec } from '../../protocol/tool.ts';
import { acceptable } from '../acceptable.ts';
import { nearestEffort, thinkingBudget } from '../effort.ts';
import type { ModelInfo, ModelRequest } from '../model.ts';
import { isStrictSchema } from '../strict-schema.ts';
import { wireName } from '../wire-names.ts';
import type { WireTarget } from '../wire.ts';

type Block = Readonly<Record<string, unknown>>;
type Turn = { readonly role: 'user' | 'assistant'; readonly content: Block[] };

const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/**
 * The body of a Messages request. Cache markers stand where they do not move from request to request: on the
 * system text (or the last tool), and as a field of the request, from which the API itself marks the end of the
 * conversation.
 */
export function anthropicBody(request: ModelRequest, { info, traits }: WireTarget): Readonly<Record<string, unknown>> {
  const maxTokens = request.maxOutput ?? info.maxOutput;
  return {
    model: info.id,
    max_tokens: maxTokens,
    stream: true,
    ...(traits.autoCache ? CACHED : {}),
    ...(request.system === '' ? {} : { system: [{ type: 'text', text: request.system, ...CACHED }] }),
    ...(request.tools.length === 0 ? {} : { tools: toolsOf(request.tools, { marked: request.system === '' }) }),
    ...thinkingOf(request, { traits, maxTokens }),
    messages: turnsOf(request.messages, info),
  };
}

function toolsOf(tools: readonly ToolSpec[], options: { readonly marked: boolean }): readonly Block[] {
  return tools.map(({ name, description, input_schema }, index) => ({
    name,
    description,
    input_schema,
    ...(options.marked && index === tools.length - 1 ? CACHED : {}),
  }));
}

function thinkingOf(request: ModelRequest, { traits, maxTokens }: { readonly traits: WireTarget['traits']; readonly maxTokens: number }): Block {
  const effort = request.effort && nearestEffort(request.effort, traits.efforts);
  const format = request.outputSchema && traits.jsonSchema && isStrictSchema(request.outputSchema) ? { format: { type: 'json_schema', schema: request.outputSchema } } : undefined;
  if (traits.thinking === 'budget') {
    const budget = effort && thinkingBudget(effort, maxTokens);
    return { ...(budget ? { thinking: { type: 'enabled', budget_tokens: budget } } : {}), ...(format ? { output_config: format } : {}) };
  }
  const config = { ...(effort ? { effort } : {}), ...format };
  return { ...(traits.thinking ? { thinking: adaptive(traits.thinking) } : {}), ...(Object.keys(config).length > 0 ? { output_config: config } : {}) };
}

/** After a compaction, thinking from before it no longer fits its conversation; without `drop_block` the API would refuse the request. */
function adaptive(thinking: 'adaptive' | 'preserved'): Block {
  const shown = { type: 'adaptive', display: 'summarized' };
  return thinking === 'preserved' ? { ...shown, block_binding: { prefix_mismatch_behavior: 'drop_block' } } : shown;
}

/** The API wants user and assistant in turns, and results at the head of the user's. */
function turnsOf(messages: readonly Message[], info: ModelInfo): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const turn = turnOf(message, info);
    const last = turns.at(-1);
    if (turn.content.length === 0) continue;
    if (last?.role !== turn.role) turns.push(turn);
    else if (message.role === 'tool') last.content.splice(last.content.filter(isResult).length, 0, ...turn.content);
    else last.content.push(...turn.content);
  }
  return turns;
}

function isResult(block: Block): boolean {
  return block['type'] === 'tool_result';
}

function turnOf(message: Message, info: ModelInfo): Turn {
  switch (message.role) {
    case 'user': return { role: 'user', content: contentOf(message.content, info) };
    case 'tool': return { role: 'user', content: message.content.map((part) => resultOf(part, info)) };
    case 'assistant': return { role: 'assistant', content: message.content.flatMap((part) => spokenOf(part, info)) };
  }
}

function contentOf(parts: readonly (UserPart | ResultPart)[], info: ModelInfo): Block[] {
  return acceptable(parts, info).flatMap((part): readonly Block[] => {
    switch (part.type) {
      case 'text': return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
      case 'image': return [{ type: 'image', source: sourceOf(part) }];
      case 'document': return [{ type: 'document', source: sourceOf(part), ...(part.name ? { title: part.name } : {}) }];
    }
  });
}

function sourceOf(part: { readonly media_type: string; readonly data: string }): Block {
  return { type: 'base64', media_type: part.media_type, data: part.data };
}

function resultOf(part: ToolResultPart, info: ModelInfo): Block {
  return { type: 'tool_result', tool_use_id: wireName(part.call_id), content: contentOf(part.content, info), ...(part.is_error ? { is_error: true } : {}) };
}

function spokenOf(part: AssistantPart, info: ModelInfo): readonly Block[] {
  switch (part.type) {
    case 'text': return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    case 'tool_call': return [{ type: 'tool_use', id: wireName(part.call_id), name: wireName(part.tool), input: part.input }];
    case 'reasoning':
      if (part.provider !== info.provider) return [];
      if (part.opaque !== undefined) return [{ type: 'redacted_thinking', data: part.opaque }];
      return part.signature === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature: part.signature }];
  }
}
