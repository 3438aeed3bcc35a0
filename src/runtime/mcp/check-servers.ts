import type { Host } from '../../host/host.ts';
import type { ServerDefinition } from '../../mcp/definition.ts';
import type { SupervisedServer } from '../../mcp/supervised-server.ts';
import { messageOf } from '../../protocol/errors.ts';
import type { McpServerState } from '../../protocol/mcp.ts';
import { loginFile } from './login-file.ts';
import type { ListedServer } from './server-list.ts';

/** How long it may take to give up a start, in ms. */
const GIVE_UP_MS = 1_000;

/** What was found out of a server by connecting to it. */
export interface CheckedServer {
  readonly listed: ListedServer;
  /** Undefined for one that may not be used. */
  readonly state?: McpServerState;
  /** As it names itself. */
  readonly version?: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  /** Its prompts, with what a person writes to call them. */
  readonly prompts: readonly { readonly name: string; readonly command: string }[];
  /** Why these are not known. */
  readonly promptProblem?: string;
  readonly resources: boolean;
}

/** What servers are connected to with. */
interface CheckParts {
  readonly host: Host;
  /** The setting `network.allow`. */
  readonly allow: readonly string[];
  readonly dataFolder: string;
  /** Prompts are asked for, too. */
  readonly prompts?: true;
  /** Each is waited for as long as its start may take, not 10 s; is told from time to time how one is doing. */
  readonly onWait?: (sentence: string) => void;
}

/** Connects to each server that may be used, side by side, says how it is doing, and leaves nothing running. Takes as long as the slowest start, at most 10 s or with `onWait` 120 s, and for prompts as long as a call may take. */
export async function checkServers(servers: readonly ListedServer[], parts: CheckParts): Promise<readonly CheckedServer[]> {
  return Promise.all(servers.map((listed) => check(listed, parts)));
}

async function check(listed: ListedServer, { host, allow, dataFolder, prompts: wantsPrompts, onWait }: CheckParts): Promise<CheckedServer> {
  const nothing = { listed, tools: [], prompts: [], resources: false };
  if (listed.standing.kind !== 'usable') return nothing;
  const { superviseServer } = await import('../../mcp/supervisor.ts');
  const server = superviseServer({ host, clock: host.clock, allow, logins: loginFile({ tree: host.tree, files: host.files, dataFolder }), shortName: listed.shortName, definition: listed.standing.definition });
  try {
    server.begin();
    await settledServer(server, listed.standing.definition, onWait);
    const client = server.connection()?.client;
    const about = client?.getServerVersion();
    const prompts = wantsPrompts && server.state().state === 'ready' ? await promptsOf(server) : {};
    return {
      ...nothing,
      state: server.state(),
      ...(about === undefined ? {} : { version: `${about.name} ${about.version}` }),
      tools: server.tools().map(({ spec: { name, description } }) => ({ name, description })),
      ...prompts,
      resources: server.hasResources(),
    };
  } finally {
    await server.close();
  }
}

async function settledServer(server: SupervisedServer, definition: ServerDefinition, onWait: CheckParts['onWait']): Promise<void> {
  const { startLimit, WAIT_MS } = await import('../../mcp/start-limits.ts');
  if (!onWait) return server.settled(definition.kind === 'stdio' ? WAIT_MS : startLimit(definition) + GIVE_UP_MS);
  const { standingOf } = await import('../../mcp/supervised-server.ts');
  const seconds = startLimit(definition) / 1_000;
  // Once more than its start may take: whether it is ready then is known a moment later.
  for (let waited = 0; waited <= seconds && server.state().state === 'starting'; waited += WAIT_MS / 1_000) {
    onWait(`${server.shortName} ${standingOf(server.state())} (${waited} of at most ${seconds} s)`);
    await server.settled(WAIT_MS);
  }
}

async function promptsOf(server: SupervisedServer): Promise<Partial<Pick<CheckedServer, 'prompts' | 'promptProblem'>>> {
  if (!server.connection()?.client.getServerCapabilities()?.prompts) return {};
  const { promptCommand } = await import('../../mcp/prompt-tool.ts');
  try {
    const { prompts } = await server.ask((client, options) => client.listPrompts(undefined, options), new AbortController().signal);
    return { prompts: prompts.map((prompt) => ({ name: prompt.name, command: promptCommand(server.shortName, prompt) })) };
  } catch (error) {
    return { promptProblem: messageOf(error) };
  }
}
