import { localFiles } from '../../host/local-files.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { loginAt, loginFile } from '../../runtime/mcp/login-file.ts';
import type { ListedServer } from '../../runtime/mcp/server-list.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { serverNamed } from '../../runtime/mcp/server-named.ts';
import { serversHere } from './servers-here.ts';

interface Json {
  readonly json?: boolean;
}

/** `skillmint mcp login`. Rejects with `not_found`, `not_trusted`, `usage`, and as `logIn` does. */
export async function loginCommand(name: string, flags: Json): Promise<void> {
  const here = await serversHere();
  const server = serverNamed(here, name);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    await loginAt({
      definition: addressOf(server),
      allow: here.loaded.values.network.allow,
      env: process.env,
      store: loginFile({ tree: here.host.tree, files: localFiles(), dataFolder: here.data }),
      show: (url) => write(process.stderr, `Open this address in a browser and log in:\n\n  ${oneLine(url)}\n\nWaiting for the answer; Ctrl-C stops.\n`),
      signal: stop.signal,
    });
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
  if (flags.json) await printJson({ logged_in: { name: server.name, url: server.form.url } });
  else await write(process.stderr, `You are logged in at ${oneLine(server.name)}.\n`);
}

/** `skillmint mcp logout`. Rejects with `not_found` and `usage`. */
export async function logoutCommand(name: string, flags: Json): Promise<void> {
  const here = await serversHere();
  const server = serverNamed(here, name);
  const { url } = addressOf(server);
  const store = loginFile({ tree: here.host.tree, files: localFiles(), dataFolder: here.data });
  const had = store.read(url) !== undefined;
  if (had) await store.change(url, async () => undefined);
  if (flags.json) await printJson({ logged_out: had, name: server.name });
  else await write(process.stderr, had ? `The login at ${oneLine(server.name)} was removed here.\n` : `There is no login at ${oneLine(server.name)}.\n`);
}

function addressOf({ name, standing }: ListedServer): Parameters<typeof loginAt>[0]['definition'] {
  if (standing.kind === 'unapproved') throw new SkillmintError('not_trusted', `The MCP server ${oneLine(name)} is not approved: skillmint mcp approve ${oneLine(name)}`);
  if (standing.kind !== 'usable') throw new SkillmintError('usage', `The MCP server ${oneLine(name)} cannot be used: ${oneLine(standing.reason)}`);
  if (standing.definition.kind !== 'http') throw new SkillmintError('usage', `The MCP server ${oneLine(name)} is a program; only addresses have logins.`);
  return standing.definition;
}
