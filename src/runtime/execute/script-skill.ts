import path from 'node:path';
import { PermissionError, SkillNotFoundError } from '../../protocol/errors.ts';
import type { SkillCatalogue } from '../../skills/discover/catalogue.ts';
import { foldName, namedSkill, resolveSkill } from '../../skills/discover/resolve-skill.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { never } from '../../util/never.ts';
import { findSkills, type FindOptions, type LibraryParts } from '../skills/find-skills.ts';
import { skillOfFolder } from '../skills/bindable-skill.ts';

/**
 * The skill whose script is to run, by its id, its own name or its folder. A name that is only near is no name: another
 * skill's code is not what was meant. Rejects with `skill_not_found`, and `permission_denied` for one that is switched off or denied.
 */
export async function scriptSkill(name: string, cwd: string, parts: LibraryParts, options: FindOptions): Promise<SkillEntry> {
  const catalogue = await findSkills(cwd, parts, options);
  const isExact = catalogue.entries.some((entry) => entry.id === name || entry.name === name);
  if (!isExact && /[/\\]|^\.+$/.test(name)) return skillIn(path.resolve(cwd, name), catalogue, parts);
  const found = namedSkill(catalogue, name) ?? resolveSkill(catalogue, name);
  switch (found.kind) {
    case 'found': return isNamed(found.entry, name) ? found.entry : missing(name, [found.entry.handle]);
    case 'unusable': return refuseUnusable(found.entry, found.reason);
    case 'ambiguous': throw new SkillNotFoundError(`"${name}" could be ${found.candidates.join(' or ')}. Name one of these.`);
    case 'missing': return missing(name, found.suggestions);
    default: return never(found);
  }
}

/** Letter case and separators do not count. */
function isNamed({ id, name }: SkillEntry, wanted: string): boolean {
  return [name, id, id.replace(/^[^:]*:/, '')].some((own) => foldName(own) === foldName(wanted)) || id === wanted.replace(/^user:/, 'env:');
}

/** What is known of a skill holds however it is named. */
async function skillIn(folder: string, { entries }: SkillCatalogue, parts: LibraryParts): Promise<SkillEntry> {
  const known = entries.find((entry) => path.resolve(entry.folder) === folder || entry.path === folder);
  if (!known) return skillOfFolder(parts, folder);
  return known.status === 'hidden' || known.status === 'rejected' ? refuseUnusable(known, known.reason ?? known.status) : known;
}

function refuseUnusable({ id, status, path: file }: SkillEntry, reason: string): never {
  if (status === 'hidden') throw new PermissionError(`A script of the skill ${id} cannot be run: ${reason}.`);
  throw new SkillNotFoundError(`The skill ${id} cannot be used: ${reason} (${file}).`);
}

function missing(name: string, near: readonly string[]): never {
  throw new SkillNotFoundError(`There is no skill "${name}".${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''} See: skillmint skills list`);
}
