import type { JsonObject, JsonSchema } from '../../protocol/json.ts';
import { isObject } from '../../protocol/json.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { canonicalToolName, isBuiltInTool } from '../../protocol/tool-names.ts';
import { failed, ok, type ToolOutcome } from '../../protocol/tool.ts';
import type { Tool } from '../../tools/define.ts';
import { unlessStopped } from './unless-stopped.ts';

/** A tool that the embedding program brings. The model calls it like all others; rules name it by its name. */
export interface OwnTool {
  /** 1 to 64 letters, digits, `_` and `-`; none of a built-in tool. */
  readonly name: string;
  /** For the model: what it does, when to use it, what it gives. */
  readonly description: string;
  /** JSON Schema of an object. Calls that do not fit are sent back to the model. */
  readonly inputSchema: JsonSchema;
  /** It changes nothing: it runs without a question, in plan mode too, and may run again after a crash. Others ask, unless a rule allows them. */
  readonly readOnly?: boolean;
  /** It may run again after a crash although it changes something. */
  readonly idempotent?: boolean;
  /**
   * Runs a call. A text is what the model reads; anything else is given to it as JSON. What is thrown is told to the model as a
   * failure, with its message. Once the turn is stopped nobody waits for it any more.
   */
  call(input: JsonObject, context: OwnToolContext): Promise<unknown>;
}

/** What a run of an own tool is given. */
export interface OwnToolContext {
  readonly callId: string;
  /** The session's folder, absolute. */
  readonly cwd: string;
  /** Aborts when the turn is stopped. */
  readonly signal: AbortSignal;
  /** Shows output as it comes. */
  readonly emit: (text: string) => void;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The tools as the runtime works with them. @throws SkillmintError invalid_argument for one that lacks a part, or whose name cannot be one, or is taken */
export function ownTools(tools: readonly OwnTool[]): readonly Tool[] {
  const seen = new Set<string>();
  for (const tool of tools) {
    checkParts(tool);
    const { name } = tool;
    if (!NAME.test(name)) throw new SkillmintError('invalid_argument', `${JSON.stringify(name)} is no name for a tool: use 1 to 64 letters, digits, "_" and "-".`);
    if (isBuiltInTool(canonicalToolName(name)) || name.startsWith('mcp__')) throw new SkillmintError('invalid_argument', `A tool cannot be named ${name}: that is a name of a built-in tool, or of one of an MCP server.`);
    if (seen.has(name.toLowerCase())) throw new SkillmintError('invalid_argument', `Two tools are named ${name}.`);
    seen.add(name.toLowerCase());
  }
  return tools.map(ownTool);
}

/** Programs without types may leave something out. */
function checkParts({ name, description, inputSchema, call }: OwnTool): void {
  const told = JSON.stringify(name) ?? 'without a name';
  if (typeof name !== 'string') throw new SkillmintError('invalid_argument', `The tool ${told} needs a "name", which is a text.`);
  if (typeof description !== 'string' || description.trim() === '') throw new SkillmintError('invalid_argument', `The tool ${told} needs a "description": the model chooses tools by them.`);
  if (!isObject(inputSchema) || inputSchema['type'] !== 'object') throw new SkillmintError('invalid_argument', `The tool ${told} needs an "inputSchema" that is the JSON Schema of an object: { type: "object", properties: { … } }. Schemas of zod and the like go through defineTool.`);
  if (typeof call !== 'function') throw new SkillmintError('invalid_argument', `The tool ${told} needs a function "call".`);
}

function ownTool(tool: OwnTool): Tool {
  const { name, description, inputSchema, readOnly = false, idempotent = false } = tool;
  return {
    spec: { name, description, input_schema: inputSchema },
    readOnly,
    atMostOnce: !readOnly && !idempotent,
    needs: () => (readOnly ? [] : [{ action: 'tool' }]),
    run: async (input, { callId, cwd, signal, emit }) => {
      try {
        const result = await unlessStopped(tool.call(input, { callId, cwd, signal, emit }), signal);
        return result === undefined && signal.aborted ? failed(`${name} was stopped before it had ended.`) : outcomeOf(result);
      } catch (error) {
        return failed(`${name} failed: ${messageOf(error)}`);
      }
    },
  };
}

function outcomeOf(result: unknown): ToolOutcome {
  if (typeof result === 'string') return ok(result);
  if (result === undefined) return ok('Done.');
  // Functions and symbols have no JSON.
  const json: string | undefined = JSON.stringify(result);
  if (json === undefined) throw new Error(`it gave a ${typeof result}, which is no JSON`);
  return ok(json);
}
