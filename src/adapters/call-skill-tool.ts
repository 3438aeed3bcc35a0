import { isJsonObject, parseJson } from '../protocol/json.ts';
import type { SkillToolCall, SkillToolResult, SkillTools } from '../runtime/skill-tools/skill-tool.ts';

/** How the tools of skills ask in the loop of another library. */
export interface AdapterOptions {
  /** Asks the person whether a script may run. Left out: nobody can be asked, and only rules give consent. */
  readonly ask?: SkillToolCall['ask'];
}

/** What one call is given. */
export interface AdapterCall {
  /** Ends the call, and a script with everything that it has started. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls a tool by the name that a model gave, with the arguments that it gave. What a model has done wrong is a result that says so. */
export async function callSkillTool({ tools }: SkillTools, { name, input }: { readonly name: string; readonly input: unknown }, { ask, signal }: AdapterOptions & AdapterCall): Promise<SkillToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return wrong(`There is no tool ${JSON.stringify(name)} here. The tools are ${tools.map((each) => each.name).join(', ')}.`);
  if (!isJsonObject(input)) return wrong(`The arguments of ${name} are no JSON object. Call it again with one that fits its schema.`);
  return await tool.call(input, { ...(ask ? { ask } : {}), ...(signal ? { signal } : {}) });
}

/** The arguments of a call that come as text; undefined for broken JSON. No text at all stands for no arguments. */
export function argumentsIn(text: string): unknown {
  return text.trim() === '' ? {} : parseJson(text);
}

function wrong(text: string): SkillToolResult {
  return { text, isError: true };
}
