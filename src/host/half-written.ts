import path from 'node:path';
import { systemCode } from '../protocol/errors.ts';
import type { HostFiles } from './host.ts';
import { isAbandoned, ownName } from './owner-name.ts';

const PREFIX = '.skillmint-';
const SUFFIX = '.tmp';

/** A name for what is to become a file, beside it; it says which process writes it. */
export function halfName(): string {
  return `${PREFIX}${ownName('op')}${SUFFIX}`;
}

/** Removes from a folder what processes that were killed have left half-written. `nowMs` since 1970. */
export async function removeHalves(files: Pick<HostFiles, 'list' | 'lstat' | 'remove'>, folder: string, nowMs: number): Promise<void> {
  try {
    for (const { name } of await files.list(folder)) {
      if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) continue;
      const { mtimeMs } = await files.lstat(path.join(folder, name));
      if (isAbandoned(name.slice(PREFIX.length, -SUFFIX.length), { seenMs: mtimeMs, nowMs })) await files.remove(path.join(folder, name));
    }
  } catch (error) {
    // The folder is gone, is none, or somebody else was faster; what may not be removed does no harm.
    if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS'].includes(systemCode(error))) throw error;
  }
}
