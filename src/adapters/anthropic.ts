/**
 * `skillmint/anthropic`: skills in a loop of the Anthropic library.
 * @module
 */
import type { SkillTools } from '../runtime/skill-tools/skill-tool.ts';
import { callSkillTool, type AdapterCall, type AdapterOptions } from './call-skill-tool.ts';

export type { AdapterCall, AdapterOptions };

/** A tool of Messages. */
export interface MessagesTool {
  name: string;
  description: string;
  input_schema: { type: 'object'; [keyword: string]: unknown };
}

/** A block of a message that is a call. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The block that answers a call. */
export interface ToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: string;
  is_error: boolean;
}

/** Skills for Messages. */
export interface MessagesSkills {
  readonly tools: MessagesTool[];
  /** Whether a tool of this name is one of skills, for loops that have others too. */
  readonly has: (name: string) => boolean;
  /** Answers a call. What the model has done wrong is an answer; rejects with what `ask` throws, and for faults of the program. */
  readonly call: (call: ToolUse, options?: AdapterCall) => Promise<ToolResult>;
}

/** The tools for `messages`; `skills.instructions` belong into `system`. */
export function messagesSkills(skills: SkillTools, options: AdapterOptions = {}): MessagesSkills {
  return {
    tools: skills.tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: { ...structuredClone(inputSchema), type: 'object' } })),
    has: (name) => skills.tools.some((tool) => tool.name === name),
    async call({ id, name, input }, { signal } = {}) {
      const { text, isError } = await callSkillTool(skills, { name, input }, { ...options, signal });
      return { type: 'tool_result', tool_use_id: id, content: text, is_error: isError };
    },
  };
}
