import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../protocol/errors.ts';

/** Where what a worker had and the database does not take is kept, for a person to look at. */
const FOLDER = 'set-aside';

/** Moves files or folders of a data folder out of use, or copies them where the place gets another content; gives the folder in which they lie now, undefined where nothing was there. */
export async function setAside(root: string, paths: readonly string[], { now, keep }: { readonly now: number; readonly keep: boolean }): Promise<string | undefined> {
  const folder = path.join(root, FOLDER, `${new Date(now).toISOString().replaceAll(':', '-')}-${randomBytes(3).toString('hex')}`);
  let kept = false;
  for (const at of paths) {
    const [from, to] = [path.join(root, at), path.join(folder, at)];
    await fs.mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    try {
      if (keep) await fs.cp(from, to, { recursive: true, verbatimSymlinks: true });
      else await fs.rename(from, to);
      kept = true;
    } catch (error) {
      // What a worker has removed itself has nothing to keep.
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  }
  if (!kept) await fs.rm(folder, { recursive: true, force: true });
  return kept ? folder : undefined;
}
