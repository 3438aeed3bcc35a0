import type { JsonObject } from '../protocol/json.ts';
import { endpoint, NONE, type Endpoint } from './endpoint.ts';
import { list, object, optional, shaped, text, texts, whole, type Schema } from './schema.ts';

/** What came of it; results with parts are a JSON text. */
export interface Output {
  readonly output: string;
}

const OUTPUT: Schema<Output> = object({ output: text({ max: 100_000_000, description: 'What came of it; results with parts as a JSON text.' }) });
const CODE_CHARS = 1_000_000;
const TARGET = { selector: optional(text({ min: 1, max: 10_000, description: 'A selector of CSS or Playwright; or a ref.' })), ref: optional(text({ min: 1, max: 100, description: 'Reference of the last snapshot.' })) };
const NAME = text({ min: 1, max: 100 });

/** One of the endpoints for host applications: everything is posted, and answers with its output. */
function post<const P extends string, B>(path: P, summary: string, body: Schema<B>): Endpoint<P, Readonly<Record<string, never>>, B, Output> {
  return endpoint({ method: 'POST', path, summary, query: NONE, body, answer: OUTPUT, admin: true });
}

/** Browser, MCP servers and searches for a host application that decides by itself what is done. */
export const SIDECAR_ENDPOINTS = {
  browserNavigate: post('/api/browser/navigate', 'Opens an address.', object({ url: text({ min: 1, max: 100_000 }) })),
  browserClick: post('/api/browser/click', 'Clicks an element.', object(TARGET)),
  browserType: post('/api/browser/type', 'Replaces the text of a field.', object({ ...TARGET, text: text({ max: CODE_CHARS }) })),
  browserSnapshot: post('/api/browser/snapshot', 'Gives what the page shows, with references to its elements.', NONE),
  browserScreenshot: post('/api/browser/screenshot', 'Takes a picture; writes it to path, or gives it as base64 where there is none.', object({ path: optional(text({ min: 1, max: 4_096 })) })),
  browserEvaluate: post('/api/browser/evaluate', 'Runs JavaScript in the page.', object({ script: text({ min: 1, max: CODE_CHARS }) })),
  browserContent: post('/api/browser/content', 'Gives the text of the page.', NONE),
  browserClose: post('/api/browser/close', 'Ends the pages.', NONE),
  addMcpServer: post('/api/mcp/add-server', 'Starts an MCP server: a program, or an address.', object({ name: NAME, command: optional(text({ min: 1, max: 10_000 })), args: optional(list(text({ max: 100_000 }))), env: optional(texts('Variables of the program.')), url: optional(text({ min: 1, max: 10_000 })), headers: optional(texts('Headers of the address.')) })),
  removeMcpServer: post('/api/mcp/remove-server', 'Ends an MCP server.', object({ name: NAME })),
  listSidecarServers: post('/api/mcp/list-servers', 'Lists the MCP servers that were added.', NONE),
  listMcpTools: post('/api/mcp/list-tools', 'Lists the tools of an MCP server, or of all.', object({ server_name: optional(NAME) })),
  callMcpTool: post('/api/mcp/call-tool', 'Calls a tool of an MCP server.', object({ server_name: NAME, tool_name: text({ min: 1, max: 1_000 }), arguments: optional(shaped<JsonObject>('As the tool says.')) })),
  searchWeb: post('/api/web/search', 'Searches the web.', object({ query: text({ min: 1, max: 10_000 }), count: optional(whole({ min: 1, max: 50, description: '5 when left out.' })) })),
};
