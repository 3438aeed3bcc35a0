import type { ServerSummary } from '../protocol/mcp.ts';
import { endpoint, NONE } from './endpoint.ts';
import { flag, list, object, oneOf, optional, shaped, text, texts, whole } from './schema.ts';

const CWD = optional(text({ max: 4_096, description: 'Folder whose servers are meant; the first of serve.roots when left out.' }));
const HERE = object({ cwd: CWD });
const SCOPE = oneOf(['user', 'project']);

/** MCP servers of settings and projects: listed, added, removed, approved. */
export const MCP_ENDPOINTS = {
  listServers: endpoint({ method: 'GET', path: '/api/mcp/servers', summary: 'Lists the MCP servers of a folder with their status; with connect=true each that may be used is connected to.', query: object({ cwd: CWD, connect: optional(oneOf(['true', 'false'])) }), body: NONE, answer: object({ servers: list(shaped<ServerSummary>('name, scope, file, transport, command or url, digest, status, reason, tools; definition where it waits for approval.')), problems: list(text({ max: 10_000 })) }) }),
  addServer: endpoint({
    method: 'POST', path: '/api/mcp/servers', summary: 'Writes an MCP server into the settings of the person, or into .mcp.json of the project.', status: 201, query: HERE, admin: true,
    body: object({ name: text({ min: 1, max: 32 }), type: optional(oneOf(['stdio', 'http', 'sse'])), command: optional(text({ min: 1, max: 10_000 })), args: optional(list(text({ max: 100_000 }))), env: optional(texts('Variables of the program.')), cwd: optional(text({ max: 4_096, description: 'Folder that the program runs in.' })), url: optional(text({ min: 1, max: 10_000 })), headers: optional(texts('Headers of the address.')), timeout: optional(whole({ min: 1, max: 3_600_000, description: 'ms that a call may take.' })), scope: optional(SCOPE), replace: optional(flag()) }),
    answer: object({ file: text({ max: 10_000 }) }),
  }),
  removeServer: endpoint({ method: 'DELETE', path: '/api/mcp/servers/:name', summary: 'Takes an MCP server out of its file.', query: object({ cwd: CWD, scope: optional(SCOPE) }), body: NONE, admin: true, answer: object({ file: text({ max: 10_000 }) }) }),
  approveServer: endpoint({ method: 'POST', path: '/api/mcp/servers/:name/approval', summary: 'Approves an MCP server of the project as it was looked at. Its program runs outside of the sandbox.', query: HERE, admin: true, body: object({ digest: text({ min: 1 }) }), answer: object({ approved: flag() }) }),
  revokeServer: endpoint({ method: 'DELETE', path: '/api/mcp/servers/:name/approval', summary: 'Takes the approval back.', query: HERE, body: NONE, admin: true, answer: object({ approved: flag() }) }),
};
