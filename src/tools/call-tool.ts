import { isObject, type JsonObject } from '../protocol/json.ts';
import { failed } from '../protocol/tool.ts';
import description from './call-tool.md';
import type { Tool } from './define.ts';
import { textArgument } from './input.ts';

/** The call inside a call of `CallTool`. */
export interface InnerCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** Calls deferred tools. The runtime decides and runs the inner call in its place. */
export function callTool(): Tool {
  return {
    spec: { name: 'CallTool', description, input_schema: { type: 'object', properties: { tool: { type: 'string' }, input: { type: 'object' } }, required: ['tool', 'input'] } },
    readOnly: false,
    argumentAliases: { name: 'tool', tool_name: 'tool', arguments: 'input', args: 'input' },
    needs: () => [],
    run: async (input) => failed(`${textArgument(input, 'tool')} was not called.`),
  };
}

/** The call that a call of `CallTool` is meant for; undefined where it names none. */
export function innerCall(input: JsonObject): InnerCall | undefined {
  const tool = input['tool'] ?? input['name'] ?? input['tool_name'];
  const inner = input['input'] ?? input['arguments'] ?? input['args'] ?? {};
  return typeof tool === 'string' && isObject(inner) ? { tool, input: inner } : undefined;
}
