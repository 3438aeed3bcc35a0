/**
 * `skillmint/ai-sdk`: skills in a loop of the AI SDK (`ai`, versions 5 to 7).
 * @module
 */
import { SkillmintError } from '../protocol/errors.ts';
import type { SkillTool, SkillToolResult, SkillTools } from '../runtime/skill-tools/skill-tool.ts';
import { callSkillTool, type AdapterOptions } from './call-skill-tool.ts';

export type { AdapterOptions };

/** How the tools are made. */
export interface AiSdkOptions<Schema> extends AdapterOptions {
  /** `jsonSchema` of the package `ai`: schemas have another form in each of its versions. */
  readonly jsonSchema: (schema: { type: 'object' }) => Schema;
}

/** A tool as `generateText` and `streamText` take it. */
export interface AiSdkTool<Schema> {
  readonly description: string;
  readonly inputSchema: Schema;
  /** Rejects with what `ask` throws, and for faults of the program; all else is a result. */
  readonly execute: (input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }) => Promise<SkillToolResult>;
  /** What the model reads of a result, which comes as it is (version 5) or within an object (from version 6). */
  readonly toModelOutput: (told: SkillToolResult | { readonly output: SkillToolResult }) => { type: 'text' | 'error-text'; value: string };
}

/**
 * The tools by their names, for `tools` of `generateText`, `streamText` and agents; `skills.instructions` belong into `system`.
 * @throws SkillmintError invalid_argument without `jsonSchema`
 */
export function aiSdkTools<Schema>(skills: SkillTools, options: AiSdkOptions<Schema>): Record<string, AiSdkTool<Schema>> {
  // Programs without types may leave it out.
  const given: Partial<AiSdkOptions<Schema>> | undefined = options;
  if (typeof given?.jsonSchema !== 'function') throw new SkillmintError('invalid_argument', 'aiSdkTools needs jsonSchema of the package ai: import { jsonSchema } from "ai", then aiSdkTools(skills, { jsonSchema }).');
  return Object.fromEntries(skills.tools.map((tool) => [tool.name, aiSdkTool(skills, tool, options)]));
}

/** The call itself checks the fields, and tells the model. */
function aiSdkTool<Schema>(skills: SkillTools, { name, description, inputSchema }: SkillTool, { jsonSchema, ...options }: AiSdkOptions<Schema>): AiSdkTool<Schema> {
  return {
    description,
    // The library writes into what it is given.
    inputSchema: jsonSchema({ ...structuredClone(inputSchema), type: 'object' }),
    execute: (input, { abortSignal }) => callSkillTool(skills, { name, input }, { ...options, signal: abortSignal }),
    toModelOutput(told) {
      const { text, isError } = 'output' in told ? told.output : told;
      return { type: isError ? 'error-text' : 'text', value: text };
    },
  };
}
