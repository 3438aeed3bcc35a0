import path from 'node:path';
import type { FileStat, HostFiles, ReadTree } from '../host/host.ts';
import { isObject } from '../protocol/json.ts';
import { MCP_FILE, type McpServerForm } from '../protocol/mcp.ts';
import { messageOf, SkillmintError, systemCode } from '../protocol/errors.ts';
import { findProblem, isSettingsFile } from './check-settings.ts';
import { decodeSettings, parseValue, placeInText } from './parse-settings.ts';
import { exists, findUpward, readBytes } from './read-settings.ts';
import { knownKeys, schemaAt } from './settings-keys.ts';

/** It comes with a clone and is read for every turn. */
const MOST_BYTES = 1024 * 1024;

/** One server of such a file: as it is written, or what is wrong with it, with file, line and key. */
export interface McpFileEntry {
  readonly name: string;
  readonly form?: McpServerForm;
  readonly problem?: string;
}

/** The servers of a project's file. */
export interface McpFile {
  readonly file: string;
  readonly folder: string;
  readonly servers: readonly McpFileEntry[];
  /** What keeps the file as a whole from being read, with file and line. */
  readonly problem?: string;
}

/**
 * Reads the `.mcp.json` of the nearest folder from `cwd` upward, as far as project settings are searched; undefined when
 * there is none. Never rejects for what others have written there: it is told. Keys of other programs are left aside.
 */
export async function readMcpFile(tree: ReadTree, cwd: string): Promise<McpFile | undefined> {
  const folder = findUpward(tree, cwd, (at) => exists(tree, path.join(at, MCP_FILE)) && !isStandIn(tree, path.join(at, MCP_FILE)));
  if (folder === undefined) return undefined;
  const file = path.join(folder, MCP_FILE);
  try {
    const { kind, size } = statOf(tree, file);
    if (kind !== 'file' || size > MOST_BYTES) throw new SkillmintError('config_invalid', `${file} is ${kind === 'file' ? `larger than ${MOST_BYTES / 1024} KiB` : 'no file'}, so the servers in it are not used`);
    const bytes = readBytes(tree, file);
    return bytes && { file, folder, servers: await serversIn(file, decodeSettings(file, bytes)) };
  } catch (error) {
    if (!(error instanceof SkillmintError)) throw error;
    return { file, folder, servers: [], problem: messageOf(error) };
  }
}

/** While a command runs in the sandbox, an empty folder stands where it must not make this file. */
function isStandIn(tree: ReadTree, file: string): boolean {
  try {
    return tree.isFolder(file) && tree.list(file).length === 0;
  } catch (error) {
    // What keeps a folder from being listed is told when it is read as the file.
    if (!['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes(systemCode(error))) throw error;
    return false;
  }
}

function statOf(tree: ReadTree, file: string): Pick<FileStat, 'kind' | 'size'> {
  try {
    return tree.stat(file);
  } catch (error) {
    throw new SkillmintError('config_unreadable', `cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
}

async function serversIn(file: string, text: string): Promise<readonly McpFileEntry[]> {
  const value = await parseValue(file, text);
  const servers = isObject(value) ? value['mcpServers'] : undefined;
  if (!isObject(servers)) throw new SkillmintError('config_invalid', `${file}:${await placeInText(text, ['mcpServers'])}: the object "mcpServers" with the servers is missing`);
  return Promise.all(Object.entries(servers).map(async ([name, written]): Promise<McpFileEntry> => {
    const checked: unknown = { mcpServers: { [name.replace(/[^A-Za-z0-9_-]/g, '_')]: known(written) } };
    const [form] = isSettingsFile(checked) ? Object.values(checked.mcpServers ?? {}) : [];
    if (form) return { name, form };
    const problem = findProblem(checked);
    return { name, problem: `${file}:${await placeInText(text, ['mcpServers', name, ...(problem?.path.slice(2) ?? [])])}: ${problem?.says ?? 'it is no server'}` };
  }));
}

/** Other programs keep further keys in the same file. */
function known(written: unknown): unknown {
  const keys = knownKeys(schemaAt(['mcpServers', 'any']) ?? {});
  return isObject(written) ? Object.fromEntries(Object.entries(written).filter(([key]) => keys.includes(key))) : written;
}

/** Puts a server into a project's file or takes it out (`form` undefined); what else stands there stays. Rejects with `config_invalid` for a broken file. */
export async function editMcpFile(files: Pick<HostFiles, 'read' | 'write'>, tree: ReadTree, edit: { readonly file: string; readonly name: string; readonly form: McpServerForm | undefined }): Promise<void> {
  const { file, name, form } = edit;
  const bytes = readBytes(tree, file);
  const before = bytes === undefined ? '{}\n' : decodeSettings(file, bytes);
  await parseValue(file, before);
  const problem = form && findProblem({ mcpServers: { [name]: form } });
  if (problem) throw new SkillmintError('usage', `${problem.says}; nothing was changed`);
  const { applyEdits, modify } = await import('jsonc-parser');
  const after = applyEdits(before, modify(before, ['mcpServers', name], form, { formattingOptions: { insertSpaces: true, tabSize: 2 } }));
  await files.write(file, after);
}
