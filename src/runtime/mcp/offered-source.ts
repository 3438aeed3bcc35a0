import type { LoadedSettings } from '../../config/load-settings.ts';
import type { Host } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { FetchedSource } from '../../skills/library/fetched-source.ts';
import type { SourceOf } from '../../skills/library/skill-source.ts';
import { fetchOfferedSkills } from './fetch-offered-skills.ts';
import { listServers } from './server-list.ts';
import { serverNamed } from './server-named.ts';

/** Where the server is looked up, and what fetching takes. */
export interface OfferedSourceParts {
  readonly host: Host;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly dataFolder: string;
  readonly cwd: string;
  readonly settings: LoadedSettings;
  /** An empty folder. */
  readonly temporary: string;
  readonly signal: AbortSignal;
}

/** Reads the skills that a server of a folder offers. Rejects with `not_found`, `not_trusted`, `usage`, and as `fetchOfferedSkills` does. */
export async function offeredSource(source: SourceOf<'mcp'>, parts: OfferedSourceParts): Promise<FetchedSource> {
  const { host, settings, temporary, signal, dataFolder } = parts;
  const { name, shortName, standing } = serverNamed(await listServers({ ...parts, tree: host.tree }), source.server, (server) => server.standing.kind !== 'shadowed');
  if (standing.kind === 'unapproved') throw new SkillmintError('not_trusted', `The MCP server ${name} is not approved: skillmint mcp approve ${shortName}`);
  if (standing.kind !== 'usable') throw new SkillmintError('usage', `The MCP server ${name} cannot be used: ${standing.reason}`);
  return fetchOfferedSkills(source, { temporary, signal, shortName, definition: standing.definition, host, allow: settings.values.network.allow, dataFolder });
}
