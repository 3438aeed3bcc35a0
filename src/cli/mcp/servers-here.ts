import type { Host } from '../../host/host.ts';
import { localHost } from '../../host/local-host.ts';
import type { ServerPlaces } from '../../runtime/mcp/edit-servers.ts';
import { listServers, type ServerList } from '../../runtime/mcp/server-list.ts';
import { commandSettings, type CommandSettings } from '../load-settings.ts';

/** The servers of the current folder, and what it takes to work with them. */
export interface ServersHere extends ServerList, CommandSettings {
  readonly cwd: string;
  readonly host: Host;
}

/** Finds the servers of the current folder. Rejects as `listServers` and `commandSettings` do. */
export async function serversHere(): Promise<ServersHere> {
  const settings = await commandSettings();
  const cwd = process.cwd();
  const host = localHost({ env: process.env });
  const list = await listServers({ tree: host.tree, env: process.env, home: settings.home, dataFolder: settings.data, cwd, settings: settings.loaded });
  return { ...settings, ...list, cwd, host };
}

/** The same for editing them. */
export function placesOf({ servers, problems, host, cwd, data, loaded }: ServersHere): ServerPlaces {
  return { servers, problems, tree: host.tree, cwd, dataFolder: data, settings: loaded };
}
