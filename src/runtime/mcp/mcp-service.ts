import { realOrSame } from '../../config/read-settings.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { ServerSummary } from '../../protocol/mcp.ts';
import type { RuntimeParts } from '../parts.ts';
import { approveServer, revokeServer } from './approvals.ts';
import { checkServers, type CheckedServer } from './check-servers.ts';
import { addServer, editing, removeServer, type NewServer, type ServerPlaces } from './edit-servers.ts';
import { listServers, type ListedServer, type OfferedServers } from './server-list.ts';
import { serverNamed } from './server-named.ts';
import { serverJson } from './server-status.ts';

/** The MCP servers of a folder, as a person manages them. */
export interface McpService {
  /** All with their status, without values of variables and headers but for those that wait for approval; with `connect` each that may be used is connected to. */
  list(options: { readonly connect: boolean }): Promise<{ readonly servers: readonly ServerSummary[]; readonly problems: readonly string[] }>;
  /** Brings servers of the caller for this folder in place of those it brought before, as long as the process runs; each needs approval as it is. */
  offer(servers: OfferedServers): void;
  /** Resolves to the file. @throws SkillmintError usage */
  add(server: NewServer): Promise<string>;
  /** Resolves to the file. @throws SkillmintError not_found, usage */
  remove(name: string, scope: ListedServer['source'] | undefined): Promise<string>;
  /** Approves a server of the project as it is now. @throws SkillmintError not_found, config_invalid, not_trusted where it is another by now (`digest`) */
  approve(name: string, digest: string): Promise<void>;
  /** @throws SkillmintError not_found */
  revoke(name: string): Promise<void>;
}

/** The servers of a folder. */
export function mcpService(parts: RuntimeParts, cwd: string): McpService {
  const { host, dataFolder } = parts;
  const places = async (): Promise<ServerPlaces> => {
    const settings = await parts.settings(cwd);
    return { ...(await listServers({ ...parts, tree: host.tree, cwd, settings, offered: parts.offeredServers.get(realOrSame(host.tree, cwd)) })), tree: host.tree, cwd, dataFolder, settings };
  };
  const ofProject = async (name: string): Promise<readonly [ServerPlaces, ListedServer]> => {
    const found = await places();
    return [found, serverNamed(found, name, ({ source }) => source === 'project')];
  };
  return {
    async list({ connect }) {
      const { servers, problems, settings } = await places();
      const unasked = (): readonly CheckedServer[] => servers.map((listed) => ({ listed, tools: [], prompts: [], resources: false }));
      const checked = connect ? await checkServers(servers, { host, allow: settings.values.network.allow, dataFolder }) : unasked();
      return { servers: checked.map((one) => ({ ...serverJson(one), ...(one.listed.standing.kind === 'unapproved' ? { definition: one.listed.form } : {}) })), problems };
    },
    offer(servers) {
      const folder = realOrSame(host.tree, cwd);
      if (Object.keys(servers).length > 0) parts.offeredServers.set(folder, servers);
      else parts.offeredServers.delete(folder);
    },
    async add(server) {
      const file = await addServer(await places(), server);
      parts.forgetSettings();
      return file;
    },
    async remove(name, scope) {
      const { file } = await removeServer(await places(), name, scope);
      parts.forgetSettings();
      return file;
    },
    async approve(name, digest) {
      const [found, server] = await ofProject(name);
      if (server.standing.kind === 'invalid') throw new SkillmintError('config_invalid', server.standing.reason);
      if (server.digest !== digest) throw new SkillmintError('not_trusted', `The MCP server ${name} is not as it was when you looked at it: its digest is ${server.digest} now. Look at it again.`);
      await approveServer(editing(found), server);
    },
    async revoke(name) {
      const [found, server] = await ofProject(name);
      await revokeServer(editing(found), server);
    },
  };
}
