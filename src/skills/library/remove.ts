import path from 'node:path';
import { commitChange, finishAbandoned } from './commit-change.ts';
import { exists } from './exists.ts';
import { goneSkill } from './gone-skill.ts';
import { inLibrary, type SkillLibrary } from './library-folder.ts';
import { withLibraryLock } from './library-lock.ts';

/**
 * Removes the folder of a skill from the folder that holds it, with its entry in the lock file. Of a link only the link goes.
 * Throws `skill_not_found`, `library_busy`, `library_invalid`, `path_refused` and `io`.
 */
export async function removeSkill(library: SkillLibrary, name: string): Promise<void> {
  await inLibrary(library, (open, workspace) => withLibraryLock(open.folder, async () => {
    await finishAbandoned(open);
    if (!(await exists(path.join(open.folder, name)))) throw goneSkill(name, open.folder);
    await commitChange(open, workspace.folder, { put: [], drop: [name], rewrite: [], lock: { [name]: null } });
  }));
}
