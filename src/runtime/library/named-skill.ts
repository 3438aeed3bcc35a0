import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';
import type { SkillCatalogue } from '../../skills/discover/catalogue.ts';
import { readDocument } from '../../skills/discover/read-entry.ts';
import { resolveSkill, type Resolution } from '../../skills/discover/resolve-skill.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';

/** What is known of a skill that was named. */
export type NamedSkill = Pick<SkillEntry, 'id' | 'name' | 'source' | 'folder' | 'path' | 'description'>;

/** The skill that a person names by id or name, usable or not. Throws `skill_not_found` with suggestions. */
export function namedSkill(catalogue: SkillCatalogue, name: string): SkillEntry {
  return entryNamed(name, resolveSkill(catalogue, name));
}

/** What a name has led to. Throws `skill_not_found` with suggestions where that is nothing. */
export function entryNamed(name: string, found: Resolution): SkillEntry {
  switch (found.kind) {
    case 'found':
    case 'unusable': return found.entry;
    case 'ambiguous': throw missingSkill(name, found.candidates);
    case 'missing': throw missingSkill(name, found.suggestions);
  }
}

/** The same, where the name has to be the skill's own but for letter case and separators: for what should not happen to the wrong skill. Throws `skill_not_found`. */
function skillNamedSo(catalogue: SkillCatalogue, name: string): SkillEntry {
  const entry = namedSkill(catalogue, name);
  const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/^[/$]|[\s_./:-]+/g, '');
  if ([entry.name, entry.id, entry.id.replace(/^[^:]*:/, '')].some((own) => plain(own) === plain(name))) return entry;
  throw missingSkill(name, [entry.handle]);
}

/** The same, or the skill in a folder: a path, or the name of a folder here where no skill has just that name. Rejects with `skill_not_found`. */
export async function namedSkillOrFolder({ catalogue, tree, cwd }: { readonly catalogue: SkillCatalogue; readonly tree: ReadTree; readonly cwd: string }, name: string): Promise<NamedSkill> {
  const given = path.resolve(cwd, name);
  if (!/[/\\]|^\.+$/.test(name)) {
    const isNamed = catalogue.entries.some((entry) => entry.name === name || entry.id === name);
    if (isNamed || skillFile(tree, given) === undefined) return skillNamedSo(catalogue, name);
  }
  const folder = /^skill\.md$/i.test(path.basename(given)) ? path.dirname(given) : given;
  return catalogue.entries.find((entry) => path.resolve(entry.folder) === folder) ?? skillInFolder(tree, folder);
}

async function skillInFolder(tree: ReadTree, folder: string): Promise<NamedSkill> {
  const file = skillFile(tree, folder);
  if (file === undefined) throw new SkillmintError('skill_not_found', `There is no SKILL.md in ${folder}. Give a skill's name or its folder.`);
  const { name, description, status, reason } = await readDocument(tree, { folder, file });
  if (status === 'rejected') throw new SkillmintError('skill_not_found', `The skill in ${folder} cannot be used: ${reason ?? 'it cannot be read'}.`);
  return { id: `path:${name}`, name, description, source: 'path', folder, path: file };
}

function skillFile(tree: ReadTree, folder: string): string | undefined {
  try {
    const file = tree.list(folder).find(({ name }) => name.toLowerCase() === 'skill.md');
    return file && path.join(folder, file.name);
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return undefined;
  }
}

/** The error for a name that no skill has; `near`: names like it. */
export function missingSkill(name: string, near: readonly string[]): SkillmintError {
  return new SkillmintError('skill_not_found', `There is no skill "${name}".${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''} See: skillmint skills list`);
}
