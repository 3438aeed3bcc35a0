import path from 'node:path';
import { PermissionError, SkillNotFoundError } from '../../protocol/errors.ts';
import { namedSkill, resolveSkill, strippedName } from '../../skills/discover/resolve-skill.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { findSkills, type FindOptions, type LibraryParts } from '../find-skills.ts';
import { skillOfFolder } from '../skills/bindable-skill.ts';

/**
 * The skill whose script is to run, by its id, its own name or its folder. A name that is only near is no name: another
 * skill's code is not what was meant. Rejects with `skill_not_found`, and `permission_denied` for one that is switched off or denied.
 */
export async function scriptSkill(name: string, cwd: string, parts: LibraryParts, options: FindOptions): Promise<SkillEntry> {
  const catalogue = await findSkills(cwd, parts, options);
  const found = namedSkill(catalogue, strippedName(name));
  switch (found?.kind) {
    case 'found': return found.entry;
    case 'unusable':
      if (found.entry.status === 'hidden') throw new PermissionError(`A script of the skill ${name} cannot be run: ${found.reason}.`);
      throw new SkillNotFoundError(`The skill ${name} cannot be used: ${found.reason} (${found.entry.path}).`);
    case 'ambiguous': throw new SkillNotFoundError(`"${name}" could be ${found.candidates.join(' or ')}. Name one of these.`);
    case 'missing':
    case undefined:
  }
  if (/[/\\]|^\.+$/.test(name)) return skillOfFolder(parts, path.resolve(cwd, name));
  const near = resolveSkill(catalogue, name);
  const names = near.kind === 'missing' ? near.suggestions : near.kind === 'found' ? [near.entry.handle] : [];
  throw new SkillNotFoundError(`There is no skill "${name}".${names.length > 0 ? ` Did you mean ${names.join(' or ')}?` : ''} See: skillmint skills list`);
}
