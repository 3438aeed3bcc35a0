import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../digest.ts';
import { exists } from './exists.ts';
import type { LockedSkills, LockEntry } from './lock-file.ts';

/** How a skill's folder compares with the lock file: as installed, changed by hand since, or gone. */
export type InstalledState = 'as-locked' | 'changed' | 'missing';

/** Compares a skill's folder with its entry in the lock file. */
export async function installedState(tree: ReadTree, folder: string, entry: LockEntry): Promise<InstalledState> {
  if (!(await exists(folder))) return 'missing';
  return digestSkill(tree, folder).digest === entry.digest ? 'as-locked' : 'changed';
}

/** The named entries of the lock file, all when no names are given. Throws `skill_not_found` for a name that it does not have. */
export function entriesCalled(locked: LockedSkills, names: readonly string[] | undefined, skills: string): readonly (readonly [string, LockEntry])[] {
  if (names === undefined || names.length === 0) return Object.entries(locked);
  return [...new Set(names)].map((name) => {
    const entry = Object.hasOwn(locked, name) ? locked[name] : undefined;
    if (entry === undefined) throw new SkillmintError('skill_not_found', `The lock file in ${skills} has no skill ${JSON.stringify(name)}; ${path.basename(skills) === '' ? '' : `it has ${Object.keys(locked).slice(0, 10).join(', ') || 'none'}. `}Skills that were put there by hand, or made with skills create, have no source to get them from.`);
    return [name, entry];
  });
}
