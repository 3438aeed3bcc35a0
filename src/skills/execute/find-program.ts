import fs from 'node:fs';
import path from 'node:path';

/** Where programs are looked for. */
export interface ProgramPlaces {
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The absolute path of a program, by its absolute path or by its name on the PATH; undefined where nothing can be run. Relative entries of the PATH do not count. */
export function findProgram(name: string, { platform, env }: ProgramPlaces): string | undefined {
  const windows = platform === 'win32';
  const { delimiter, isAbsolute, join } = windows ? path.win32 : path.posix;
  // Batch files are no programs: they read their arguments again as commands.
  const endings = windows && !/\.(?:exe|com)$/i.test(name) ? ['.exe', '.com'] : [''];
  const isNamed = /[/\\]/.test(name);
  if (isNamed && !isAbsolute(name)) return undefined;
  const folders = isNamed ? [''] : (variable(env, 'PATH') ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`))).find(canRun);
}

/** A variable whose name Windows may spell as it likes. */
function variable(env: ProgramPlaces['env'], name: string): string | undefined {
  return env[name] ?? Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

function canRun(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    // Missing, without rights, a loop of links: all the same here, the next place may have it.
    return false;
  }
}
