/** Name of the file in which a project lists servers, for all programs that know the protocol. */
export const MCP_FILE = '.mcp.json';

/** A server of the Model Context Protocol as settings and `.mcp.json` write it: a program, or an address. */
export interface McpServerForm {
  /** Left out: `stdio` where there is a command, `http` where there is an address. */
  readonly type?: 'stdio' | 'http' | 'streamable-http' | 'sse';
  /** A program; it is run without a shell. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Added to the scrubbed environment of the program. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder that the program runs in, from the folder of the file; that folder itself when left out. */
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** ms that one call may take. */
  readonly timeout?: number;
  readonly disabled?: boolean;
  /** Whether it is told of the folders of the session when it asks; left out, programs are and addresses are not. */
  readonly roots?: boolean;
}

/** How a server is doing. `starting` also covers the wait before it is started again after a crash. */
export type McpServerState =
  | { readonly state: 'idle' }
  | { readonly state: 'starting'; readonly restarts: number; /** Why it is started again. */ readonly reason?: string; /** What the program has printed beside the protocol. */ readonly said?: string }
  | { readonly state: 'ready'; readonly restarts: number; readonly protocol: string; readonly tools: number; readonly notes: readonly string[]; /** Why its tools are not known as they are now; those of before are used. */ readonly stale?: string }
  | { readonly state: 'failed'; readonly restarts: number; readonly reason: string };

/** Characters of a server's name that tools carry. */
const MOST_NAME = 32;

/** What of a name stays in `mcp__SERVER__TOOL`: letters, digits, `-` and `_`, never two `_` in a row or one at an end, and 32 characters. */
export function mcpServerName(name: string): string {
  return name.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_+/, '').slice(0, MOST_NAME).replace(/_+$/, '');
}

/** Name of the tool that brings prompts of a server; no tool of a server can have it. */
export function promptToolName(shortName: string): string {
  return `mcp__${shortName}__:prompt`;
}

/** How a server stands, in one word, and why where it cannot be used. */
export interface ServerStatus {
  readonly status: 'ready' | 'starting' | 'failed' | 'usable' | 'unapproved' | 'disabled' | 'shadowed' | 'invalid';
  readonly reason?: string;
}

/** A server as programs are told of it. Values of variables and headers stay out. */
export interface ServerSummary extends ServerStatus {
  readonly name: string;
  /** What names of its tools begin with. */
  readonly tool_prefix: string;
  readonly scope: 'user' | 'project';
  readonly file: string | null;
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly command?: string;
  readonly url?: string;
  readonly digest: string;
  readonly protocol?: string;
  readonly tools?: number;
  readonly restarts?: number;
  readonly notes?: readonly string[];
  /** As it names itself. */
  readonly server?: string;
  /** Of a server of the project that waits for approval: all that its file says, to be looked at before. */
  readonly definition?: McpServerForm;
}
