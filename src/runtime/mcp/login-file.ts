import path from 'node:path';
import { withFileLock } from '../../host/file-lock.ts';
import type { HostFiles, ReadTree } from '../../host/host.ts';
import type { LoginParts } from '../../mcp/log-in.ts';
import type { LoginStore } from '../../mcp/logins.ts';
import { isObject } from '../../protocol/json.ts';
import { readOwnFile, type OwnFile } from '../../skills/own-file.ts';

const VERSION = 1;

/** Logs in at a server; see `logIn`. What it takes is loaded now. */
export async function loginAt(parts: LoginParts): Promise<void> {
  const { logIn } = await import('../../mcp/log-in.ts');
  await logIn(parts);
}

/** Logins at MCP servers, in a file of the data folder that only the person can read. */
export function loginFile({ tree, files, dataFolder }: { readonly tree: Pick<ReadTree, 'read' | 'stat' | 'realPath'>; readonly files: Pick<HostFiles, 'write'>; readonly dataFolder: string }): LoginStore {
  const file = path.join(dataFolder, 'mcp-logins.json');
  const own: OwnFile = { file, what: 'The list of logins at MCP servers', version: VERSION, codes: { unreadable: 'config_unreadable', invalid: 'config_invalid' }, mend: 'Mend it, or remove it and log in again.', givesRights: true };
  const all = (): Readonly<Record<string, unknown>> => {
    const logins = readOwnFile(tree, own)?.['logins'];
    return isObject(logins) ? logins : {};
  };
  const of = (logins: Readonly<Record<string, unknown>>, url: string): unknown => (Object.hasOwn(logins, url) ? logins[url] : undefined);
  return {
    read: (url) => of(all(), url),
    change: (url, change) => withFileLock(file, async () => {
      const before = all();
      const { [url]: _old, ...others } = before;
      const login = await change(of(before, url));
      await files.write(file, `${JSON.stringify({ version: VERSION, logins: { ...others, ...(login === undefined ? {} : { [url]: login }) } }, null, 1)}\n`, { mode: 0o600, folderMode: 0o700 });
    }),
  };
}
