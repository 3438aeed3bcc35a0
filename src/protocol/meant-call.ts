import { isObject, type JsonObject } from './json.ts';

/** A call of a tool, as far as a person is shown it. */
interface ShownCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** The call that is meant: of one through `CallTool` the one that it makes. To look at, never to decide on. */
export function meantCall({ tool, input }: ShownCall): ShownCall {
  const { tool: name, input: inner } = input;
  return tool === 'CallTool' && typeof name === 'string' ? { tool: name, input: isObject(inner) ? inner : {} } : { tool, input };
}
