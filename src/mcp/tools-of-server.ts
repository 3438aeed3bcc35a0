import type { Tool } from '../tools/define.ts';
import { resourceTools } from './resource-tools.ts';
import { serverTool } from './server-tool.ts';
import { WAIT_MS } from './start-limits.ts';
import type { SupervisedServer } from './supervised-server.ts';

/**
 * All tools of a server; those of its last connection while it is being started again. Waits for its start 10 s at most, with
 * `fromStart` only as long as it has not taken so long already.
 */
export async function toolsOfServer(server: SupervisedServer, { fromStart }: { readonly fromStart: boolean }): Promise<readonly Tool[]> {
  await server.settled(WAIT_MS, { fromStart });
  return [...server.tools().map((offered) => serverTool(server, offered)), ...resourceTools(server)];
}
