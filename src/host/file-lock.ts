import { messageOf, SkillmintError } from '../protocol/errors.ts';
import { withFolderLock, type LockOptions } from './folder-lock.ts';

/**
 * Runs `work` while no other process does so for the same file, which need not exist: reads what stands there and writes it
 * back as a whole without losing what others write. The folder `FILE.lock` stands beside it meanwhile. Rejects with `io` when
 * others do not end within 20 s or the lock cannot be made, and with what `work` rejects with.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, { patience }: Pick<LockOptions, 'patience'> = {}): Promise<T> {
  const busy = (pid: string): SkillmintError => new SkillmintError('io', `Another process (${pid}) is changing ${file}. Wait until it has ended and try again.`);
  try {
    return await withFolderLock(`${file}.lock`, { busy, ...(patience === undefined ? {} : { patience }) }, work);
  } catch (error) {
    if (error instanceof SkillmintError || !(error instanceof Error) || !('syscall' in error)) throw error;
    throw new SkillmintError('io', `${file} cannot be changed: ${messageOf(error)}`, { cause: error });
  }
}
