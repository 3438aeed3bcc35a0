import { createHash } from 'node:crypto';
import path from 'node:path';
import { withFileLock } from '../../host/file-lock.ts';
import type { HostFiles, ReadTree } from '../../host/host.ts';
import { isObject } from '../../protocol/json.ts';
import type { McpServerForm } from '../../protocol/mcp.ts';
import { ownFileFault, readOwnFile, type OwnFile } from '../../skills/own-file.ts';

const VERSION = 1;

/** A definition of a project's server that a person has approved. */
export interface ApprovedServer {
  readonly name: string;
  /** Folder of the file that defines it. */
  readonly folder: string;
  readonly digest: string;
  /** In the form of ISO 8601. */
  readonly approvedAt: string;
}

/** What it takes to change what is approved. */
export interface ApprovalEditing {
  readonly tree: ReadTree;
  readonly files: Pick<HostFiles, 'write'>;
  readonly dataFolder: string;
  /** ms since 1970. */
  readonly now: () => number;
}

/** SHA-256 over everything that a definition says, as it is written; the order of keys makes no difference. */
export function serverDigest(name: string, form: McpServerForm): string {
  return `sha256:${createHash('sha256').update(JSON.stringify([name, sorted(form)])).digest('hex')}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]);
}

/** Where the approved servers of a data folder lie. */
function approvalsFile(dataFolder: string): string {
  return path.join(dataFolder, 'mcp-servers.json');
}

/** What is approved; nothing when there is no file. Throws `config_unreadable` or `config_invalid` for one that cannot be read or understood, or that other users can change. */
export function readApprovals(tree: Pick<ReadTree, 'read' | 'stat' | 'realPath'>, dataFolder: string): readonly ApprovedServer[] {
  const own: OwnFile = { file: approvalsFile(dataFolder), what: 'The list of approved MCP servers', version: VERSION, codes: { unreadable: 'config_unreadable', invalid: 'config_invalid' }, mend: 'Mend it, or move it away to be asked again for every server.', givesRights: true };
  const value = readOwnFile(tree, own);
  if (value === undefined) return [];
  const { servers } = value;
  if (!Array.isArray(servers)) throw ownFileFault(own, 'has no list "servers"');
  return servers.map((server: unknown, i) => {
    if (!isApproved(server)) throw ownFileFault(own, `has an entry that is no approved server (number ${i + 1} of "servers")`);
    return server;
  });
}

/** Approves a definition as it is, in place of an earlier one of that name in that folder. Rejects as `readApprovals` does, and with what writing throws. */
export async function approveServer(editing: ApprovalEditing, server: Pick<ApprovedServer, 'name' | 'folder' | 'digest'>): Promise<void> {
  const { name, folder, digest } = server;
  await change(editing, (all) => [...all.filter((each) => !isSame(each, server)), { name, folder, digest, approvedAt: new Date(editing.now()).toISOString() }]);
}

/** Takes an approval back. Resolves to whether there was one. Rejects as `approveServer` does. */
export async function revokeServer(editing: ApprovalEditing, server: Pick<ApprovedServer, 'name' | 'folder'>): Promise<boolean> {
  let found = false;
  await change(editing, (all) => all.filter((each) => {
    found ||= isSame(each, server);
    return !isSame(each, server);
  }));
  return found;
}

async function change({ tree, files, dataFolder }: ApprovalEditing, edit: (servers: readonly ApprovedServer[]) => readonly ApprovedServer[]): Promise<void> {
  const file = approvalsFile(dataFolder);
  await withFileLock(file, async () => {
    const servers = edit(readApprovals(tree, dataFolder));
    await files.write(file, `${JSON.stringify({ version: VERSION, servers }, null, 1)}\n`, { mode: 0o600, folderMode: 0o700 });
  });
}

/** True for a record of the same server of the same folder. */
export function isSame(a: Pick<ApprovedServer, 'name' | 'folder'>, b: Pick<ApprovedServer, 'name' | 'folder'>): boolean {
  return a.name === b.name && a.folder === b.folder;
}

function isApproved(value: unknown): value is ApprovedServer {
  return isObject(value) && ['name', 'folder', 'digest', 'approvedAt'].every((key) => typeof value[key] === 'string');
}
