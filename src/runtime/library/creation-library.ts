import type { Settings } from '../../config/settings.ts';
import type { SkillLibrary } from '../../skills/library/library-folder.ts';
import { libraryOf, type Scope } from './library-of.ts';

/** Where new skills are made: in the scope that is named, else where the setting `skills.createIn` says. `data` is the data folder. */
export function creationLibrary(scope: Scope | undefined, { settings, cwd, data }: { readonly settings: Pick<Settings, 'skills'>; readonly cwd: string; readonly data: string }): SkillLibrary {
  const { createIn } = settings.skills;
  if (scope !== undefined) return libraryOf(scope, { cwd, data });
  return createIn === 'user' || createIn === 'project' ? libraryOf(createIn, { cwd, data }) : { scope: 'user', folder: createIn, data };
}
