/**
 * `skillmint/openai`: skills in a loop of the OpenAI library, through Chat Completions or Responses.
 * @module
 */
import type { SkillToolResult, SkillTools } from '../runtime/skill-tools/skill-tool.ts';
import { argumentsIn, callSkillTool, type AdapterCall, type AdapterOptions } from './call-skill-tool.ts';

export type { AdapterCall, AdapterOptions };

/** A tool of Chat Completions. */
export interface ChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** A call of a message of Chat Completions. */
export interface ChatToolCall {
  readonly id: string;
  /** Missing for calls of other kinds. */
  readonly function?: { readonly name: string; readonly arguments: string };
}

/** The message that answers a call. */
export interface ChatToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/** Skills for Chat Completions. */
export interface ChatSkills {
  readonly tools: ChatTool[];
  /** Whether a tool of this name is one of skills, for loops that have others too. */
  readonly has: (name: string) => boolean;
  /** Answers a call. What the model has done wrong is an answer; rejects with what `ask` throws, and for faults of the program. */
  readonly call: (call: ChatToolCall, options?: AdapterCall) => Promise<ChatToolMessage>;
}

/** The tools for `chat.completions`; `skills.instructions` belong into the system message. */
export function chatSkills(skills: SkillTools, options: AdapterOptions = {}): ChatSkills {
  return {
    tools: skills.tools.map(({ name, description, inputSchema }) => ({ type: 'function', function: { name, description, parameters: structuredClone(inputSchema) } })),
    has: (name) => skills.tools.some((tool) => tool.name === name),
    async call({ id, function: wanted }, { signal } = {}) {
      const call = { name: wanted?.name ?? '', input: argumentsIn(wanted?.arguments ?? '') };
      return { role: 'tool', tool_call_id: id, content: textOf(await callSkillTool(skills, call, { ...options, signal })) };
    },
  };
}

/** A tool of Responses. */
export interface ResponsesTool {
  type: 'function';
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: false;
}

/** An item of the output of Responses that is a call. */
export interface ResponsesCall {
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The item of the input that answers a call. */
export interface ResponsesCallOutput {
  type: 'function_call_output';
  call_id: string;
  output: string;
}

/** Skills for Responses. */
export interface ResponsesSkills {
  readonly tools: ResponsesTool[];
  /** Whether a tool of this name is one of skills, for loops that have others too. */
  readonly has: (name: string) => boolean;
  /** Answers a call. What the model has done wrong is an answer; rejects with what `ask` throws, and for faults of the program. */
  readonly call: (call: ResponsesCall, options?: AdapterCall) => Promise<ResponsesCallOutput>;
}

/** The tools for `responses`; `skills.instructions` belong into `instructions`. */
export function responsesSkills(skills: SkillTools, options: AdapterOptions = {}): ResponsesSkills {
  return {
    tools: skills.tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, parameters: structuredClone(inputSchema), strict: false })),
    has: (name) => skills.tools.some((tool) => tool.name === name),
    async call({ call_id, name, arguments: text }, { signal } = {}) {
      return { type: 'function_call_output', call_id, output: textOf(await callSkillTool(skills, { name, input: argumentsIn(text) }, { ...options, signal })) };
    },
  };
}

/** Neither format has a mark for what failed. */
function textOf({ text, isError }: SkillToolResult): string {
  return isError ? `Error: ${text}` : text;
}
