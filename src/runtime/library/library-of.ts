import path from 'node:path';
import { PROJECT_FOLDER } from '../../config/paths.ts';
import type { SkillLibrary } from '../../skills/library/library-folder.ts';

/** Which folder of skills is meant: that of the person, or that of the project. */
export type Scope = 'user' | 'project';

/** Where the skills of a scope are installed. `data` is the data folder. */
export function libraryOf(scope: Scope, { cwd, data }: { readonly cwd: string; readonly data: string }): SkillLibrary {
  switch (scope) {
    case 'user': return { scope, folder: path.join(data, 'skills'), data, folderMode: 0o700 };
    case 'project': return { scope, folder: path.join(cwd, PROJECT_FOLDER, 'skills'), data, within: cwd };
  }
}
