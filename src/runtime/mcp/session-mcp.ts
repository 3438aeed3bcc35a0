import type { ServerPool } from '../../mcp/server-pool.ts';
import type { SupervisedServer } from '../../mcp/supervised-server.ts';
import { promptToolName } from '../../protocol/mcp.ts';
import type { Tool } from '../../tools/define.ts';
import type { ListedServer } from './server-list.ts';

/** What the MCP servers of a folder are to a session. */
export interface SessionMcp {
  /** Names of the servers that may be used. */
  readonly names: readonly string[];
  /** Sentences on those that were found and may not be used. */
  readonly notices: readonly string[];
  /** Starts the servers; does not wait. */
  begin(): void;
  /** Tools of the servers that are ready; waits for those whose start was begun less than 10 s ago, until then. */
  tools(): Promise<readonly Tool[]>;
  /** The tool of that name, letter case aside; waits for its server alone, 10 s at most. */
  find(name: string): Promise<Tool | undefined>;
  /** Sentences on servers that are not ready, or whose changed tools could not be asked for. */
  problems(): Promise<readonly string[]>;
}

interface SessionMcpParts {
  readonly cwd: string;
  readonly servers: readonly ListedServer[];
  readonly problems: readonly string[];
  readonly around: Parameters<ServerPool['of']>[2];
  readonly loadPool: () => Promise<ServerPool>;
  /** Nothing is started any more. */
  readonly isClosed: () => boolean;
}

/** The servers of a session's folder; nothing is started yet. */
export function sessionMcp({ cwd, servers, problems, around, loadPool, isClosed }: SessionMcpParts): SessionMcp {
  const wanted = servers.flatMap(({ shortName, standing }) => (standing.kind === 'usable' ? [{ shortName, definition: standing.definition }] : []));
  let running: Promise<readonly SupervisedServer[]> | undefined;
  const start = (): Promise<readonly SupervisedServer[]> => (running ??= startAll());
  const startAll = async (): Promise<readonly SupervisedServer[]> => {
    if (wanted.length === 0 || isClosed()) return [];
    const pool = await loadPool();
    if (isClosed()) return [];
    const all = pool.of(cwd, wanted, around);
    for (const server of all) server.begin();
    return all;
  };
  const toolsOf = async (all: readonly SupervisedServer[], wait: { readonly fromStart: boolean }): Promise<readonly Tool[]> => {
    if (all.length === 0) return [];
    const { toolsOfServer } = await import('../../mcp/tools-of-server.ts');
    const lists = await Promise.all(all.map((server) => toolsOfServer(server, wait)));
    return lists.flat();
  };
  return {
    names: wanted.map(({ shortName }) => shortName),
    notices: [...problems, ...servers.flatMap(noticeOf)],
    begin: () => {
      if (wanted.length === 0) return;
      // What fails is told by whoever wants a tool.
      start().catch(() => { running = undefined; });
    },
    tools: async () => toolsOf(await start(), { fromStart: true }),
    async find(name) {
      const all = (await start()).filter(({ shortName }) => name.toLowerCase().startsWith(`mcp__${shortName.toLowerCase()}__`));
      const [asked] = all.filter(({ shortName }) => name.toLowerCase() === promptToolName(shortName).toLowerCase());
      if (asked) return (await import('../../mcp/prompt-tool.ts')).promptTool(asked);
      return (await toolsOf(all, { fromStart: false })).find(({ spec }) => spec.name.toLowerCase() === name.toLowerCase());
    },
    async problems() {
      const all = await start();
      if (all.length === 0) return [];
      const { problemOf } = await import('../../mcp/supervised-server.ts');
      return all.flatMap((server) => problemOf(server) ?? []);
    },
  };
}

function noticeOf({ name: written, shortName, file, standing }: ListedServer): readonly string[] {
  // A stranger has chosen it, and it may be copied into a terminal.
  const name = written === shortName ? written : JSON.stringify(written);
  switch (standing.kind) {
    case 'usable': case 'disabled': return [];
    case 'unapproved':
      if (file === undefined) return [`The MCP server ${name}, which the editor has given for this session, is not approved and is not started.`];
      return [`${file}: the MCP server ${name} ${standing.changed ? 'has changed since you approved it' : 'is not approved yet'} and is not started. Look at it and approve it: skillmint mcp approve ${shortName}`];
    case 'shadowed': case 'invalid': return [`The MCP server ${name} is not used: ${standing.reason}`];
  }
}
