import { SkillmintError } from '../../protocol/errors.ts';
import { mostSimilar } from '../../util/similar.ts';
import type { ListedServer, ServerList } from './server-list.ts';

/** The server of that name, as it is written or as its tools have it. Throws `not_found`. */
export function serverNamed({ servers }: Pick<ServerList, 'servers'>, name: string, fits: (server: ListedServer) => boolean = () => true): ListedServer {
  const found = servers.find((server) => (server.name === name || server.shortName === name) && fits(server));
  if (found) return found;
  const [near] = mostSimilar(name, servers.map((server) => server.name), 1);
  throw new SkillmintError('not_found', `There is no MCP server ${JSON.stringify(name)} here${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`} See: skillmint mcp list`);
}
