import type { McpServer, RequestPermissionRequest, SessionUpdate, ToolCall } from '@agentclientprotocol/sdk/unstable';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import type { McpServerForm, ServerSummary } from '../protocol/mcp.ts';
import { visibleText } from '../protocol/visible-text.ts';
import { sendOptions } from './ask/answer.ts';
import type { Editor } from './editor.ts';
import { fenced, text } from './render/call-fields.ts';

/** Brings the MCP servers that an editor gives for a folder. @throws SkillmintError invalid_argument for one of a kind that is not known */
export async function offerServers({ runtime }: Pick<Editor, 'runtime'>, { cwd, mcpServers = [] }: { readonly cwd: string; readonly mcpServers?: readonly McpServer[] }): Promise<void> {
  const forms = mcpServers.map((server): [string, McpServerForm] => [server.name, formOf(server)]);
  (await runtime.mcp(cwd)).offer(Object.fromEntries(forms));
}

/** Asks for each server of the editor that is not approved as it is, once as long as the session is open. */
export function serverApprovals({ runtime, client, gone, log }: Pick<Editor, 'runtime' | 'client' | 'gone' | 'log'>, { sessionId, cwd, send }: { readonly sessionId: string; readonly cwd: string; readonly send: (update: SessionUpdate) => Promise<void> }): (stop: AbortSignal) => Promise<void> {
  const asked = new Set<string>();
  const mayStart = async (server: ServerSummary, stop: AbortSignal): Promise<boolean> => {
    const toolCallId = `mcp.${server.digest}`;
    const call: ToolCall = { toolCallId, title: `Start the MCP server ${visibleText(server.name)}`, kind: 'other', status: 'pending', content: [text(`The editor gives this server. It would run outside the sandbox, with your rights:\n${fenced(definitionText(server))}`)] };
    await send({ sessionUpdate: 'tool_call', ...call });
    try {
      const request: RequestPermissionRequest = {
        sessionId,
        toolCall: call,
        options: [{ optionId: 'approve', kind: 'allow_always', name: 'Start it, until its definition changes' }, { optionId: 'reject_once', kind: 'reject_once', name: 'Go on without it' }],
      };
      const { outcome } = await client.request('session/request_permission', request, sendOptions({ signal: AbortSignal.any([stop, gone]) }));
      return outcome.outcome === 'selected' && outcome.optionId === 'approve';
    } catch (error) {
      log(`the MCP server ${server.name} could not be asked for: ${messageOf(error)}`);
      return false;
    }
  };
  return async (stop) => {
    const service = await runtime.mcp(cwd);
    const { servers } = await service.list({ connect: false });
    for (const server of servers) {
      if (server.file !== null || server.status !== 'unapproved' || asked.has(server.digest) || stop.aborted) continue;
      asked.add(server.digest);
      const allowed = await mayStart(server, stop);
      if (allowed) await service.approve(server.name, server.digest);
      await send({ sessionUpdate: 'tool_call_update', toolCallId: `mcp.${server.digest}`, status: allowed ? 'completed' : 'failed' });
    }
  };
}

function formOf(server: McpServer): McpServerForm {
  if ('command' in server) return { type: 'stdio', command: server.command, args: server.args, env: valuesOf(server.env) };
  if ('url' in server && (server.type === 'http' || server.type === 'sse')) return { type: server.type, url: server.url, headers: valuesOf(server.headers) };
  throw new SkillmintError('invalid_argument', `The MCP server ${JSON.stringify(server.name)} is of a kind that skillmint does not know. Give a program, or an address of the type http or sse.`);
}

function valuesOf(pairs: readonly { readonly name: string; readonly value: string }[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

/** All that would run: a person decides on it. */
function definitionText({ definition = {} }: ServerSummary): string {
  const { command = '', args = [], url, env = {}, headers = {} } = definition;
  const words = [command, ...args].map((word) => (/^[^\s"']+$/.test(word) ? word : JSON.stringify(word)));
  return visibleText([url ?? words.join(' '), ...Object.entries({ ...env, ...headers }).map(([name, value]) => `${name}=${value}`)].join('\n'));
}
