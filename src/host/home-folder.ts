import os from 'node:os';

/** The home folder of the person: `HOME`, else what the system says. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env['HOME'] ?? os.homedir();
}
