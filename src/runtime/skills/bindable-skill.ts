import path from 'node:path';
import type { Host } from '../../host/host.ts';
import { SkillmintError, SkillNotFoundError } from '../../protocol/errors.ts';
import { readDocument } from '../../skills/discover/read-entry.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { SkillView } from '../../skills/skill-view.ts';

/**
 * The skill that a person names for a session to be bound to: an id, a name or a folder.
 * @throws SkillmintError skill_not_found, skill_ambiguous
 */
export async function bindableSkill(skills: SkillView, host: Host, cwd: string, name: string): Promise<SkillEntry> {
  const found = await skills.resolve(name);
  if (found.kind === 'found') return found.entry;
  if (/[/\\]|^\.+$/.test(name)) return skillOfFolder(host, path.resolve(cwd, name));
  switch (found.kind) {
    case 'unusable': throw new SkillmintError('skill_not_found', `The skill ${name} cannot be used: ${found.reason} (${found.entry.path}).`);
    case 'ambiguous': throw new SkillmintError('skill_ambiguous', `"${name}" could be ${found.candidates.join(' or ')}. Name one of these.`);
    case 'missing': throw new SkillmintError('skill_not_found', `There is no skill "${name}".${found.suggestions.length > 0 ? ` Did you mean ${found.suggestions.join(' or ')}?` : ''} See: skillmint skills list`);
  }
}

/** The skill in a folder that a person names, or whose SKILL.md they name. Rejects with `skill_not_found`. */
export async function skillOfFolder(host: Pick<Host, 'tree'>, given: string): Promise<SkillEntry> {
  const folder = /skill\.md$/i.test(given) ? path.dirname(given) : given;
  const missing = (options?: { readonly cause: unknown }): SkillNotFoundError => new SkillNotFoundError(`There is no SKILL.md in ${folder}. Give a skill's name or its folder.`, options);
  let names: readonly string[];
  try {
    names = host.tree.list(folder).map((entry) => entry.name);
  } catch (error) {
    throw missing({ cause: error });
  }
  const file = names.find((name) => name.toLowerCase() === 'skill.md');
  if (file === undefined) throw missing();
  const document = await readDocument(host.tree, { file: path.join(folder, file), folder });
  if (document.status === 'rejected') throw new SkillNotFoundError(`The skill in ${folder} cannot be used: ${document.reason ?? 'it cannot be read'}.`);
  const { name, description, status, reason, frontmatter, diagnostics } = document;
  return { id: `path:${name}`, name, description, source: 'path', path: path.join(folder, file), status, reason, enabled: true, folder, handle: name, frontmatter, diagnostics };
}
