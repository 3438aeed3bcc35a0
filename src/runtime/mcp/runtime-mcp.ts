import path from 'node:path';
import type { LoadedSettings } from '../../config/load-settings.ts';
import { exists, findUpward } from '../../config/read-settings.ts';
import type { ServerPool } from '../../mcp/server-pool.ts';
import { MCP_FILE } from '../../protocol/mcp.ts';
import type { RuntimeParts } from '../parts.ts';
import type { SessionMcp } from './session-mcp.ts';

/** The servers of a session; nobody waits for one any more when the turn is stopped. */
export function untilStopped(mcp: SessionMcp, signal: AbortSignal): SessionMcp {
  const stopped = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
    const over = new AbortController();
    const abort = new Promise<T>((resolve) => {
      if (signal.aborted) resolve(otherwise);
      signal.addEventListener('abort', () => resolve(otherwise), { once: true, signal: over.signal });
    });
    try {
      return await Promise.race([work, abort]);
    } finally {
      over.abort();
    }
  };
  return { ...mcp, tools: () => stopped(mcp.tools(), []), find: (name) => stopped(mcp.find(name), undefined), problems: () => stopped(mcp.problems(), []) };
}

/** The MCP servers of a runtime. */
export interface RuntimeMcp {
  /** What holds in a folder; undefined where no file speaks of a server. */
  open(cwd: string, settings: LoadedSettings): Promise<SessionMcp | undefined>;
  close(): Promise<void>;
}

/** Keeps the servers of a process. What it takes to speak with them is loaded with the first that is started. */
export function runtimeMcp(parts: Pick<RuntimeParts, 'host' | 'env' | 'home' | 'dataFolder' | 'offeredServers'>): RuntimeMcp {
  let pool: Promise<ServerPool> | undefined;
  let closed = false;
  const loadPool = (): Promise<ServerPool> => (pool ??= makePool(parts));
  return {
    async open(cwd, settings) {
      const { tree } = parts.host;
      const offered = parts.offeredServers.get(cwd);
      const isNamed = offered !== undefined || Object.keys(settings.values.mcpServers).length > 0 || findUpward(tree, cwd, (folder) => exists(tree, path.join(folder, MCP_FILE))) !== undefined;
      if (!isNamed) return undefined;
      const [{ listServers }, { sessionMcp }] = await Promise.all([import('./server-list.ts'), import('./session-mcp.ts')]);
      const { servers, problems } = await listServers({ tree, env: parts.env, home: parts.home, dataFolder: parts.dataFolder, cwd, settings, offered });
      return sessionMcp({ cwd, servers, problems, around: { allow: settings.values.network.allow, workspace: [cwd, ...settings.values.addDirs] }, loadPool, isClosed: () => closed });
    },
    async close() {
      closed = true;
      await (await pool)?.close();
    },
  };
}

async function makePool({ host, env, dataFolder }: Pick<RuntimeParts, 'host' | 'env' | 'dataFolder'>): Promise<ServerPool> {
  const { serverPool } = await import('../../mcp/server-pool.ts');
  const { loginFile } = await import('./login-file.ts');
  return serverPool({ host: { start: host.start, env }, clock: host.clock, logins: loginFile({ tree: host.tree, files: host.files, dataFolder }) });
}
