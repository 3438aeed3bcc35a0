import { posix } from 'node:path';
import type { Host } from '../host/host.ts';

/** Program and arguments that run a command line: bash where it is installed, else sh; PowerShell on Windows. */
export async function shellArgv(options: {
  readonly host: Host;
  readonly platform: Host['platform'];
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
}): Promise<readonly string[]> {
  const { host, platform, env, command } = options;
  if (platform === 'win32') return ['powershell', '-NoProfile', '-NonInteractive', '-Command', command];
  return [(await findBash(host, env['PATH'] ?? '')) ?? 'sh', '-c', command];
}

/** Looks at the usual places first, so that the command line stays the same from call to call. */
async function findBash(host: Host, searchPath: string): Promise<string | undefined> {
  const folders = ['/bin', '/usr/bin', ...searchPath.split(':').filter((folder) => posix.isAbsolute(folder))];
  for (const folder of folders) {
    const program = posix.join(folder, 'bash');
    const stat = await host.files.stat(program).catch(() => undefined);
    if (stat?.kind === 'file') return program;
  }
  return undefined;
}
