import path from 'node:path';
import { findProblem } from '../../config/check-settings.ts';
import { editSetting } from '../../config/edit-settings.ts';
import type { LoadedSettings } from '../../config/load-settings.ts';
import { editMcpFile, readMcpFile } from '../../config/mcp-file.ts';
import { realOrSame } from '../../config/read-settings.ts';
import type { ReadTree } from '../../host/host.ts';
import { localFiles } from '../../host/local-files.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { MCP_FILE, mcpServerName, type McpServerForm } from '../../protocol/mcp.ts';
import { approveServer, revokeServer, serverDigest, type ApprovalEditing } from './approvals.ts';
import type { ListedServer, ServerList } from './server-list.ts';
import { serverNamed } from './server-named.ts';

/** Where servers are written down. */
export interface ServerPlaces extends ServerList {
  readonly tree: ReadTree;
  readonly cwd: string;
  readonly dataFolder: string;
  readonly settings: LoadedSettings;
}

/** A server that is to be written down. */
export interface NewServer {
  readonly name: string;
  readonly form: McpServerForm;
  readonly scope: ListedServer['source'];
  /** One that is there already is replaced. */
  readonly replace: boolean;
}

/** Writes a server down; resolves to the file. What the person has given is approved as it was given. Rejects with `usage` for what makes no server, and for a name that is taken. */
export async function addServer(places: ServerPlaces, { name, form, scope, replace }: NewServer): Promise<string> {
  if (mcpServerName(name) !== name) throw new SkillmintError('usage', `The name ${JSON.stringify(name)} may only have letters, digits, - and single _ between them, 32 at most; ${mcpServerName(name) === '' ? 'choose another one' : `"${mcpServerName(name)}" would do`}.`);
  const problem = findProblem({ mcpServers: { [name]: form } });
  if (problem) throw new SkillmintError('usage', `${problem.says}. Nothing was added.`);
  const there = places.servers.find((server) => server.name === name && server.source === scope);
  if (there && !replace) throw new SkillmintError('usage', `There is a server "${name}" already (${there.file ?? ''}). Give --replace to put this one in its place.`);
  return scope === 'user' ? addForPerson(places, name, form) : addToProject(places, name, form);
}

/** Takes a server out of its file; resolves to what it was. Rejects with `not_found`, and with `usage` where it is not clear which one is meant. */
export async function removeServer(places: ServerPlaces, name: string, scope: ListedServer['source'] | undefined): Promise<ListedServer & { readonly file: string }> {
  const { tree, servers } = places;
  const server = serverNamed(places, name, ({ source }) => scope === undefined || source === scope);
  if (scope === undefined && servers.some((other) => other.name === server.name && other.source !== server.source)) throw new SkillmintError('usage', `There is a server ${JSON.stringify(name)} in your settings and in the project. Say which with the scope user or project.`);
  const { file, source } = server;
  if (file === undefined) throw new SkillmintError('usage', `The server ${JSON.stringify(name)} stands in no file.`);
  if (path.basename(file) === MCP_FILE) await editMcpFile(localFiles(), tree, { file, name: server.name, form: undefined });
  else await editSetting(localFiles(), { file, key: `mcpServers.${server.name}`, value: undefined });
  if (source === 'project') await revokeServer(editing(places), server);
  return { ...server, file };
}

/** What approvals are edited with. */
export function editing({ tree, dataFolder }: Pick<ServerPlaces, 'tree' | 'dataFolder'>): ApprovalEditing {
  return { tree, files: localFiles(), dataFolder, now: Date.now };
}

async function addForPerson({ settings }: ServerPlaces, name: string, form: McpServerForm): Promise<string> {
  const value: unknown = form;
  if (isJsonObject(value)) await editSetting(localFiles(), { file: settings.userFile, key: `mcpServers.${name}`, value });
  return settings.userFile;
}

async function addToProject(places: ServerPlaces, name: string, form: McpServerForm): Promise<string> {
  const { tree, cwd } = places;
  const file = (await readMcpFile(tree, cwd))?.file ?? path.join(cwd, MCP_FILE);
  await editMcpFile(localFiles(), tree, { file, name, form });
  await approveServer(editing(places), { name, folder: realOrSame(tree, path.dirname(file)), digest: serverDigest(name, form) });
  return file;
}
