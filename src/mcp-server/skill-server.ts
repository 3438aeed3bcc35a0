import { createRequestStateCodec, McpServer, type CallToolResult, type InputRequiredResult, type McpRequestContext, type RequestStateCodec, type ServerContext, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { SkillCatalog } from '@modelcontextprotocol/server/ext/skills';
import { isJsonObject } from '../protocol/json.ts';
import type { SkillTool, SkillTools } from '../runtime/skill-tools/skill-tool.ts';
import { VERSION } from '../version.ts';
import { AskAgain, consentOf } from './ask-client.ts';
import type { OpenCalls } from './open-calls.ts';
import type { AskedFor, OpenForms } from './open-forms.ts';
import { tellProgress } from './tell-progress.ts';

/** What servers for clients are made with. One set serves any number of connections. */
export interface SkillServerParts {
  readonly tools: SkillTools;
  readonly catalog: SkillCatalog;
  /** Signs what clients bring back with answers. */
  readonly codec: RequestStateCodec<AskedFor>;
  readonly forms: OpenForms;
  readonly calls: OpenCalls;
}

/** Bytes of the key that signs. */
const KEY_BYTES = 32;

/** A key that only this process knows. */
export function stateCodec(): RequestStateCodec<AskedFor> {
  return createRequestStateCodec<AskedFor>({ key: crypto.getRandomValues(new Uint8Array(KEY_BYTES)) });
}

/** Makes the server of one connection, or of one request over HTTP: skills as resources and through the skills extension, and the four tools. */
export function skillServer({ tools, catalog, codec, forms, calls }: SkillServerParts, { era, requestInfo }: McpRequestContext): McpServer {
  const server = new McpServer({ name: 'skillmint', version: VERSION }, { capabilities: { tools: {} }, instructions: tools.instructions, requestState: { verify: (state, context) => codec.verify(state, context) } });
  catalog.attach(server);
  // Over HTTP an older client is spoken to with one answer for each request, so it cannot be asked.
  const mayPush = era === 'legacy' && requestInfo === undefined;
  for (const tool of tools.tools) {
    server.registerTool(tool.name, { description: tool.description, inputSchema: declared(tool), annotations: { readOnlyHint: tool.readOnly, openWorldHint: false } }, (input, context) => calls.run(context.mcpReq.signal, (signal) => answered(tool, { server, input, context, signal, era, mayPush, codec, forms })));
  }
  return server;
}

/** What a tool takes, for listings: it checks its arguments itself, in words for a model. */
function declared({ inputSchema }: SkillTool): StandardSchemaWithJSON {
  return { '~standard': { version: 1, vendor: 'skillmint', validate: (value) => ({ value }), jsonSchema: { input: () => inputSchema, output: () => inputSchema } } };
}

interface ToolCall {
  readonly server: McpServer;
  readonly input: unknown;
  readonly context: ServerContext;
  readonly signal: AbortSignal;
  readonly era: McpRequestContext['era'];
  readonly mayPush: boolean;
  readonly codec: SkillServerParts['codec'];
  readonly forms: OpenForms;
}

async function answered(tool: SkillTool, { server, input, context, signal, era, mayPush, codec, forms }: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  const ask = consentOf({ server, context, era, mayPush, codec, forms });
  const progress = tellProgress(context);
  try {
    const { text, isError, data } = await tool.call(isJsonObject(input) ? input : {}, { signal, ...(ask ? { ask } : {}), onOutput: progress });
    return { content: [{ type: 'text', text }], isError, ...(data ? { structuredContent: data } : {}) };
  } catch (error) {
    if (error instanceof AskAgain) return error.required;
    throw error;
  }
}
