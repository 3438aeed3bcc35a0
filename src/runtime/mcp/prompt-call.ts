import type { EventBody } from '../../protocol/events.ts';
import { promptToolName } from '../../protocol/mcp.ts';
import { splitArguments } from '../../skills/activate/split-arguments.ts';

/** The call that a person makes with `/mcp__SERVER__PROMPT arguments` at the start of a message; nothing where no such server may be used. */
export function promptCall(text: string, servers: readonly string[], newCallId: () => string): readonly EventBody[] {
  const [, typed = '', prompt = '', rest = ''] = /^\s*\/mcp__([^\s_]+(?:_[^\s_]+)*)__(\S+)\s*([^]*)$/.exec(text) ?? [];
  const server = servers.find((name) => name.toLowerCase() === typed.toLowerCase());
  if (server === undefined) return [];
  return [{ type: 'tool.requested', call_id: newCallId(), tool: 'CallTool', input: { tool: promptToolName(server), input: { prompt, args: splitArguments(rest.trim()) } }, by: 'person' }];
}
