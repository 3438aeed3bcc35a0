import path from 'node:path';
import { PROJECT_FOLDER } from '../../config/paths.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillLibrary } from '../../skills/library/library-folder.ts';
import { commandSettings, type CommandSettings } from '../load-settings.ts';

/** Which folder of skills a command works on. */
export type Scope = 'user' | 'project';

/** The settings of a command and the folder of skills that it changes. */
export interface LibraryHere extends CommandSettings {
  readonly library: SkillLibrary;
  readonly cwd: string;
}

/** The library of a scope, from the current folder. */
export async function libraryHere(scope: Scope): Promise<LibraryHere> {
  const cwd = process.cwd();
  const settings = await commandSettings(cwd);
  return { ...settings, cwd, library: libraryOf(scope, { cwd, data: settings.data }) };
}

/** Where the skills of a scope are installed. */
export function libraryOf(scope: Scope, { cwd, data }: { readonly cwd: string; readonly data: string }): SkillLibrary {
  switch (scope) {
    case 'user': return { scope, folder: path.join(data, 'skills'), data, folderMode: 0o700 };
    case 'project': return { scope, folder: path.join(cwd, PROJECT_FOLDER, 'skills'), data, within: cwd };
  }
}

/** The one of the two scopes that a flag names. */
export function asScope(text: string): Scope {
  if (text === 'user' || text === 'project') return text;
  throw new SkillmintError('usage', `--scope does not take "${text}". Use one of: user, project.`);
}
