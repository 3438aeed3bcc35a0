import path from 'node:path';
import { withFolderLock } from '../../host/folder-lock.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { WORK_FOLDER } from '../discover/skill-root.ts';

/** Runs `work` while no other process (nor another call in this one) changes the skills of this folder. Throws `library_busy` when others do not end within 20 s. */
export function withLibraryLock<T>(skills: string, work: () => Promise<T>): Promise<T> {
  const busy = (pid: string): SkillmintError => new SkillmintError('library_busy', `Another process (${pid}) is changing the skills in ${skills}. Wait until it has ended and try again.`);
  return withFolderLock(path.join(skills, WORK_FOLDER), { busy }, work);
}
