import type { McpServer, RequestPermissionRequest, SessionUpdate, ToolCall } from '@agentclientprotocol/sdk';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import type { McpServerForm, ServerSummary } from '../protocol/mcp.ts';
import { visibleText } from '../protocol/visible-text.ts';
import { sendOptions } from './ask/answer.ts';
import type { Editor } from './editor.ts';
import { fenced, text } from './render/call-fields.ts';

/** Servers by their names. */
type Forms = Readonly<Record<string, McpServerForm>>;

/** The servers that an editor gives for its sessions. */
export interface OfferedServers {
  /** Those of a session, in place of what was given for it before. */
  give(sessionId: string, servers: { readonly cwd: string; readonly forms: Forms }): Promise<void>;
  /** The session is closed. */
  take(sessionId: string): Promise<void>;
}

/** Brings them to the runtime. Sessions of one folder share what was given for any of them; of two of one name the later one counts. */
export function offeredServers(runtime: Pick<Editor['runtime'], 'mcp'>): OfferedServers {
  const given = new Map<string, { readonly cwd: string; readonly forms: Forms }>();
  const offer = async (cwd: string): Promise<void> => {
    const all = [...given.values()].filter((one) => one.cwd === cwd).map(({ forms }) => forms);
    (await runtime.mcp(cwd)).offer(Object.assign({}, ...all));
  };
  return {
    async give(sessionId, servers) {
      given.delete(sessionId);
      given.set(sessionId, servers);
      await offer(servers.cwd);
    },
    async take(sessionId) {
      const servers = given.get(sessionId);
      given.delete(sessionId);
      if (servers) await offer(servers.cwd);
    },
  };
}

/** Servers as the runtime knows them. @throws SkillmintError invalid_argument for one of a kind that is not known */
export function serverForms(servers: readonly McpServer[]): Forms {
  return Object.fromEntries(servers.map((server) => [server.name, formOf(server)]));
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
  const { name } = server;
  if ('command' in server) return { type: 'stdio', command: server.command, args: server.args, env: valuesOf(server.env) };
  if ('url' in server && (server.type === 'http' || server.type === 'sse')) return { type: server.type, url: server.url, headers: valuesOf(server.headers) };
  throw new SkillmintError('invalid_argument', `The MCP server ${JSON.stringify(name)} is of a kind that skillmint does not know. Give a program, or an address of the type http or sse.`);
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
