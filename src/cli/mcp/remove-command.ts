import { removeServer } from '../../runtime/mcp/edit-servers.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { placesOf, serversHere } from './servers-here.ts';

/** `skillmint mcp remove`. Rejects with `not_found`, and with `usage` where it is not clear which one is meant. */
export async function removeServerCommand(name: string, flags: { readonly scope?: 'user' | 'project'; readonly json?: boolean }): Promise<void> {
  const server = await removeServer(placesOf(await serversHere()), name, flags.scope);
  if (flags.json) await printJson({ removed: { name: server.name, scope: server.source, file: server.file } });
  else await write(process.stderr, `${oneLine(server.name)} was removed from ${oneLine(server.file)}.\n`);
}
