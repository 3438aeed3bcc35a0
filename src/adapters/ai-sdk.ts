/**
 * `skillmint/ai-sdk`: skills in a loop of the AI SDK (`ai`, from version 6).
 * @module
 */
import { isJsonObject, type JsonObject } from '../protocol/json.ts';
import type { SkillTool, SkillToolResult, SkillTools } from '../runtime/skill-tools/skill-tool.ts';
import { callSkillTool, type AdapterOptions } from './call-skill-tool.ts';

export type { AdapterOptions };

/** A schema in the form of standardschema.dev, which the AI SDK takes. */
export interface StandardInput {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: JsonObject } | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: { readonly input: () => Record<string, unknown>; readonly output: () => Record<string, unknown> };
  };
}

/** A tool as `generateText` and `streamText` take it. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: StandardInput;
  /** Rejects with what `ask` throws, and for faults of the program; all else is a result. */
  readonly execute: (input: JsonObject, options: { readonly abortSignal?: AbortSignal | undefined }) => Promise<SkillToolResult>;
  /** What the model reads of a result. */
  readonly toModelOutput: (told: { readonly output: SkillToolResult }) => { type: 'text' | 'error-text'; value: string };
}

/** The tools by their names, for `tools` of `generateText`, `streamText` and agents; `skills.instructions` belong into `system`. */
export function aiSdkTools(skills: SkillTools, options: AdapterOptions = {}): Record<string, AiSdkTool> {
  return Object.fromEntries(skills.tools.map((tool) => [tool.name, aiSdkTool(skills, tool, options)]));
}

function aiSdkTool(skills: SkillTools, { name, description, inputSchema }: SkillTool, options: AdapterOptions): AiSdkTool {
  return {
    description,
    inputSchema: standardInput(inputSchema),
    execute: (input, { abortSignal }) => callSkillTool(skills, { name, input }, { ...options, signal: abortSignal }),
    toModelOutput: ({ output: { text, isError } }) => ({ type: isError ? 'error-text' : 'text', value: text }),
  };
}

/** The call itself checks the fields, and tells the model. */
function standardInput(schema: SkillTool['inputSchema']): StandardInput {
  // The library writes into what it is given.
  const copy = (): Record<string, unknown> => structuredClone(schema);
  return {
    '~standard': {
      version: 1,
      vendor: 'skillmint',
      validate: (value) => (isJsonObject(value) ? { value } : { issues: [{ message: 'an object is needed' }] }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}
