import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client';
import { messageOf } from '../protocol/errors.ts';
import { failed, type ToolOutcome } from '../protocol/tool.ts';
import type { Tool, ToolContext } from '../tools/define.ts';
import { promptToolName } from '../protocol/mcp.ts';
import type { SupervisedServer } from './supervised-server.ts';
import { outcomeOf } from './tool-result.ts';

/** Brings a server's prompt into the conversation. The person calls it as `/mcp__SERVER__PROMPT`; the model is not told of it and may not. */
export function promptTool(server: SupervisedServer): Tool {
  return {
    spec: {
      name: promptToolName(server.shortName),
      description: `Prompts of the MCP server ${server.shortName}, for the person alone.`,
      input_schema: { type: 'object', properties: { prompt: { type: 'string' }, args: { type: 'array', items: { type: 'string' } } }, required: ['prompt'] },
    },
    readOnly: false,
    deferred: true,
    needs: () => [],
    run: async (input, context) => {
      if (context.by !== 'person') return failed('Prompts of MCP servers are called by the person alone.');
      const args = Array.isArray(input['args']) ? input['args'].filter((arg) => typeof arg === 'string') : [];
      try {
        return await getPrompt(server, { name: typeof input['prompt'] === 'string' ? input['prompt'] : '', args }, context);
      } catch (error) {
        return failed(`The prompt could not be fetched: ${messageOf(error)}. See: skillmint mcp test ${server.shortName}`);
      }
    },
  };
}

async function getPrompt(server: SupervisedServer, wanted: { readonly name: string; readonly args: readonly string[] }, { signal, accepts }: ToolContext): Promise<ToolOutcome> {
  const { prompts } = await server.ask(async (client, options) => (client.getServerCapabilities()?.prompts ? client.listPrompts(undefined, options) : { prompts: [] }), signal);
  const prompt = prompts.find(({ name }) => name === wanted.name) ?? prompts.find(({ name }) => plain(name) === plain(wanted.name));
  if (!prompt) return failed(`The MCP server ${server.shortName} has no prompt ${wanted.name}; it has ${prompts.map(({ name }) => name).join(', ') || 'none'}.`);
  const given = argumentsOf(prompt, wanted.args);
  const missing = (prompt.arguments ?? []).filter(({ name, required }) => required === true && given[name] === undefined).map(({ name }) => name);
  if (missing.length > 0) return failed(`The prompt ${prompt.name} needs ${missing.join(' and ')}: write ${promptCommand(server.shortName, prompt)}`);
  return shown(await server.ask((client, options) => client.getPrompt({ name: prompt.name, arguments: given }, options), signal), accepts);
}

/** What a person writes to call a prompt, with its arguments; those that may be left out in brackets. */
export function promptCommand(shortName: string, { name, arguments: args = [] }: Prompt): string {
  return [`/mcp__${shortName}__${plain(name)}`, ...args.map((one) => (one.required === true ? one.name.toUpperCase() : `[${one.name.toUpperCase()}]`))].join(' ');
}

/** In their order; the last one takes all that is left. */
function argumentsOf(prompt: Prompt, args: readonly string[]): Record<string, string> {
  const names = (prompt.arguments ?? []).map(({ name }) => name);
  return Object.fromEntries(names.flatMap((name, index): [string, string][] => {
    const value = index === names.length - 1 ? args.slice(index).join(' ') : args[index] ?? '';
    return value === '' ? [] : [[name, value]];
  }));
}

function shown({ messages }: GetPromptResult, accepts: ToolContext['accepts']): ToolOutcome {
  const mapped = outcomeOf({ content: messages.map(({ content }) => content) }, accepts);
  const isTalk = messages.some(({ role }) => role === 'assistant');
  return isTalk ? { ...mapped, content: mapped.content.map((part, index) => (part.type === 'text' ? { ...part, text: `${messages[index]?.role ?? 'user'}: ${part.text}` } : part)) } : mapped;
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').toLowerCase();
}
