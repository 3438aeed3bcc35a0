import { callToolOfServer } from '../../mcp/call-tool-of-server.ts';
import { readDefinition } from '../../mcp/definition.ts';
import { serverPool, type WantedServer } from '../../mcp/server-pool.ts';
import { standingOf, type SupervisedServer } from '../../mcp/supervised-server.ts';
import { startLimit } from '../../mcp/start-limits.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { mcpServerName, type McpServerForm } from '../../protocol/mcp.ts';
import type { ToolOutcome } from '../../protocol/tool.ts';
import { mostSimilar } from '../../util/similar.ts';
import { loginFile } from '../mcp/login-file.ts';
import type { RuntimeParts } from '../parts.ts';

/** They are kept apart from the servers of sessions. */
const FOLDER = 'sidecar';

/** A server that a host application has added. */
export interface SidecarServer {
  readonly name: string;
  readonly state: string;
  readonly reason?: string;
  /** How many it has. */
  readonly tools: number;
}

/** A tool of such a server. */
export interface SidecarTool {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly input_schema: object;
}

/** The MCP servers of a host application: they live as long as the process. */
export interface SidecarServers {
  /** Starts a server, and waits until it is ready. @throws SkillmintError usage for what makes no server, network_failed where it does not come up */
  add(name: string, form: McpServerForm): Promise<SidecarServer>;
  /** @throws SkillmintError not_found */
  remove(name: string): Promise<void>;
  list(): readonly SidecarServer[];
  /** Of one server, or of all. @throws SkillmintError not_found */
  tools(name?: string): Promise<readonly SidecarTool[]>;
  /** @throws SkillmintError not_found for a server or a tool that is not there */
  call(request: { readonly server: string; readonly tool: string; readonly input: JsonObject; readonly signal: AbortSignal }): Promise<ToolOutcome>;
  close(): Promise<void>;
}

/** None yet. */
export function sidecarServers(parts: RuntimeParts, { cwd, allow }: { readonly cwd: string; readonly allow: readonly string[] }): SidecarServers {
  const { host, env, dataFolder } = parts;
  const pool = serverPool({ host: { start: host.start, env }, clock: host.clock, logins: loginFile({ tree: host.tree, files: host.files, dataFolder }) });
  let wanted: readonly WantedServer[] = [];
  const running = (): readonly SupervisedServer[] => pool.of(FOLDER, wanted, { allow, workspace: [cwd] });
  const named = (name: string): SupervisedServer => {
    const found = running().find(({ shortName }) => shortName === name);
    if (found) return found;
    const [near] = mostSimilar(name, wanted.map(({ shortName }) => shortName), 1);
    throw new SkillmintError('not_found', `There is no MCP server ${JSON.stringify(name)} here${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`}`);
  };
  const without = (name: string): void => {
    wanted = wanted.filter(({ shortName }) => shortName !== name);
    running();
  };
  return {
    async add(name, form) {
      if (mcpServerName(name) !== name) throw new SkillmintError('usage', `The name ${JSON.stringify(name)} may only have letters, digits, - and single _ between them, 32 at most.`);
      const read = readDefinition(form, { folder: cwd, variable: (variable) => env[variable] });
      if ('problem' in read) throw new SkillmintError('usage', `The server ${name} ${read.problem}.`);
      if (wanted.some(({ shortName }) => shortName === name)) throw new SkillmintError('usage', `There is a server ${name} already. Remove it first.`);
      wanted = [...wanted, { shortName: name, definition: read.definition }];
      const server = named(name);
      server.begin();
      await server.settled(startLimit(read.definition));
      const state = server.state();
      if (state.state === 'ready') return shown(server);
      without(name);
      throw new SkillmintError('network_failed', `The MCP server ${name} ${standingOf(state)}.`);
    },
    async remove(name) {
      await named(name).close();
      without(name);
    },
    list: () => running().map(shown),
    tools: async (name) => (name === undefined ? running() : [named(name)]).flatMap((server) => server.tools().map(({ remote }) => ({ server: server.shortName, name: remote.name, description: remote.description ?? '', input_schema: remote.inputSchema }))),
    async call({ server: name, tool, input, signal }) {
      const server = named(name);
      const offered = server.tools().find(({ remote }) => remote.name === tool);
      if (!offered) throw new SkillmintError('not_found', `The MCP server ${name} has no tool ${JSON.stringify(tool)}. It has: ${server.tools().map(({ remote }) => remote.name).join(', ')}`);
      const outcome = await callToolOfServer(server, { tool: offered, input, signal, onProgress: () => undefined }, { callId: 'sidecar', accepts: { images: true, documents: true }, newRequestId: () => parts.newId('req') });
      if (outcome.status === 'waiting') throw new SkillmintError('usage', `The tool ${tool} of the MCP server ${name} asks a person for something, and nobody can be asked here.`);
      return outcome;
    },
    close: () => pool.close(),
  };
}

function shown(server: SupervisedServer): SidecarServer {
  const state = server.state();
  return { name: server.shortName, state: state.state, tools: server.tools().length, ...(state.state === 'ready' ? {} : { reason: standingOf(state) }) };
}
