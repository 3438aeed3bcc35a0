import fs from 'node:fs/promises';
import path from 'node:path';
import { childEnvironment } from '../../host/child-environment.ts';
import type { Host } from '../../host/host.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { abandonedWorkspaces, openWorkspace, type Workspace } from '../../skills/library/work-folder.ts';

/** The folders of one run, private and removed at its end. Real paths. */
export interface ScriptWorkspace {
  /** The script's current folder. */
  readonly work: string;
  readonly home: string;
  readonly temporary: string;
  /** For a copy of the skill; not there yet. */
  readonly skill: string;
  /** Removes them with all that is in them. What is in the way of that is told, and tried again by the next run. */
  close(): Promise<void>;
}

/** Variables that a script gets beside its own; the upper ones are what Windows needs to start a program at all. */
const KEPT: ReadonlySet<string> = new Set(['PATH', 'LANG', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT']);
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Makes the folders of a run below the data folder, and removes what processes that were killed have left of theirs. Rejects with `io`. */
export async function openScriptWorkspace(host: Pick<Host, 'start' | 'platform'>, dataFolder: string, tell: (sentence: string) => void): Promise<ScriptWorkspace> {
  const attempt = async (folder: string, act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      tell(`A temporary folder of a script could not be removed (${messageOf(error)}): ${folder}`);
    }
  };
  try {
    for (const left of await abandonedWorkspaces(dataFolder)) await attempt(left, () => removeTree(host, left));
    const space = await openWorkspace(dataFolder);
    const close = (): Promise<void> => attempt(space.folder, () => removeSpace(host, space));
    try {
      return { ...(await makeFolders(space.folder)), close };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    throw new SkillmintError('io', `No temporary folder for the script could be made in ${dataFolder}: ${messageOf(error)}`, { cause: error });
  }
}

async function makeFolders(space: string): Promise<Omit<ScriptWorkspace, 'close'>> {
  const folder = await fs.realpath(space);
  const own = { work: path.join(folder, 'work'), home: path.join(folder, 'home'), temporary: path.join(folder, 'tmp') };
  for (const each of Object.values(own)) await fs.mkdir(each, { mode: 0o700 });
  return { ...own, skill: path.join(folder, 'skill') };
}

/** The whole environment of a script; `granted` are names of variables that rules give to commands. */
export function scriptEnvironment({ platform, env, granted }: Pick<Host, 'platform' | 'env'> & { readonly granted: readonly string[] }, { home, temporary }: Pick<ScriptWorkspace, 'home' | 'temporary'>, skillFolder: string): Record<string, string> {
  const kept = Object.entries(childEnvironment(env)).filter(([name]) => KEPT.has(name.toUpperCase()));
  const given = Object.fromEntries(granted.flatMap((name): [string, string][] => (env[name] === undefined ? [] : [[name, env[name]]])));
  const own = { ...given, HOME: home, SKILL_DIR: skillFolder, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
  if (platform === 'win32') return { ...Object.fromEntries(kept), ...own, USERPROFILE: home };
  return { PATH: USUAL_PATH, LANG: 'C.UTF-8', ...Object.fromEntries(kept), ...own };
}

async function removeSpace(host: Pick<Host, 'start' | 'platform'>, space: Workspace): Promise<void> {
  try {
    await removeTree(host, space.folder);
  } finally {
    await space.close();
  }
}

/** A script may leave folders without rights, or nested deeper than a path can be long; the system's own tools get through those. */
async function removeTree(host: Pick<Host, 'start' | 'platform'>, folder: string): Promise<void> {
  try {
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch (error) {
    if (host.platform === 'win32') throw error;
    const argv = ['/bin/sh', '-c', 'chmod -R u+rwx "$1"; rm -rf "$1"', 'remove', folder];
    const { code } = await host.start({ argv, cwd: '/', env: { PATH: USUAL_PATH } }).exit;
    if (code !== 0) throw error;
  }
}
