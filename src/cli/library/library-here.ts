import { SkillmintError } from '../../protocol/errors.ts';
import { libraryOf, type Scope } from '../../runtime/library/library-of.ts';
import type { SkillLibrary } from '../../skills/library/library-folder.ts';
import { commandSettings, type CommandSettings } from '../load-settings.ts';

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

/** The one of the two scopes that a flag names. */
export function asScope(text: string): Scope {
  if (text === 'user' || text === 'project') return text;
  throw new SkillmintError('usage', `--scope does not take "${text}". Use one of: user, project.`);
}
