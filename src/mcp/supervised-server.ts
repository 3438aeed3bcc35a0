import type { CallToolResult, Client, InputRequiredResult, InputResponses } from '@modelcontextprotocol/client';
import type { McpServerState } from '../protocol/mcp.ts';
import type { Connection } from './connect.ts';
import type { OfferedTool } from './offered-tools.ts';

/** What a call of a server's tool is made with. */
export interface ServerCall {
  readonly tool: OfferedTool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** What the server has asked for in answer to the same call, and what it wants to have back. */
  readonly given?: { readonly responses: InputResponses; readonly state?: string | undefined };
}

/**
 * One server: started when it is wanted, which goes on while nobody waits any more; started again with growing pauses after a crash (at most 5 times in a row), one
 * process at a time, ended by `close`.
 */
export interface SupervisedServer {
  readonly shortName: string;
  state(): McpServerState;
  /** Starts it where it does not run; does not wait. */
  begin(): void;
  /** Resolves when it is ready, has failed, after `limitMs` (with `fromStart` so long after its start was begun), or when the signal aborts. */
  settled(limitMs: number, options?: { readonly fromStart?: boolean; readonly signal?: AbortSignal }): Promise<void>;
  /** The tools of its last connection. */
  tools(): readonly OfferedTool[];
  /** Whether it had resources then. */
  hasResources(): boolean;
  /** Rejects with an error that says why there is no result; a crash at once, a hang at the limit of the definition. A server of the newest revision may want something first. */
  call(call: ServerCall): Promise<CallToolResult | InputRequiredResult>;
  /** The folders that it is told of; none where its definition says so. */
  roots(): readonly string[];
  /** Says to a server of an older revision that those folders have changed, where they have. */
  tellRoots(): void;
  /** Makes any other request. Rejects as `call` does. */
  ask<T>(request: (client: Client, options: { readonly timeout: number; readonly signal: AbortSignal }) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** What it said of itself, for listings. */
  connection(): Connection | undefined;
  close(): Promise<void>;
}

/** A sentence on a server that cannot be asked now, or whose tools are not known as they are; nothing for others. */
export function problemOf(server: Pick<SupervisedServer, 'shortName' | 'state'>): string | undefined {
  const state = server.state();
  const { shortName } = server;
  if (isFirstStart(state)) return `The MCP server ${shortName} ${standingOf(state)}. Its tools can be found as soon as it is ready; look for them again later.`;
  if (state.state !== 'ready') return `The MCP server ${shortName} ${standingOf(state)}.`;
  return state.stale === undefined ? undefined : `The tools of the MCP server ${shortName} may have changed, and it does not say to what: ${state.stale}. Those that it had before are used; it is asked again every minute.`;
}

/** What a server does that cannot be asked now, to stand behind its name. */
export function standingOf(state: McpServerState): string {
  if (isFirstStart(state)) return `is still starting${state.said === undefined ? '' : `; so far it printed: ${state.said}`}`;
  return `is not ready: ${reasonOf(state)}`;
}

function isFirstStart(state: McpServerState): state is Extract<McpServerState, { state: 'starting' }> {
  return state.state === 'starting' && state.reason === undefined;
}

function reasonOf(state: McpServerState): string {
  switch (state.state) {
    case 'idle': return 'it is not running';
    case 'starting': return `it is being started again after it was lost: ${state.reason ?? ''}`;
    case 'ready': return 'its connection has just been lost';
    case 'failed': return state.reason;
  }
}
