import path from 'node:path';
import type { Host } from '../../host/host.ts';
import { SkillmintError, SkillNotFoundError } from '../../protocol/errors.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { readDocument } from '../../skills/discover/read-entry.ts';
import { projectFolder } from '../session/project-folder.ts';
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

/**
 * The skill that a session is bound to, found again: a prompt that a hook refused, or a fork of the log, may have left it
 * without the instructions.
 * @throws SkillmintError skill_not_found, skill_ambiguous
 */
export async function boundSkillOf(skills: SkillView, host: Host, state: Pick<SessionState, 'cwd' | 'agent' | 'bound'>): Promise<SkillEntry | undefined> {
  const { bound } = state;
  if (!bound) return undefined;
  const { skill_id: id, path: file } = bound;
  try {
    const found = await bindableSkill(skills, host, projectFolder(state), id.startsWith('path:') ? file : id);
    if (found.id === id) return found;
    throw new SkillmintError('skill_not_found', `In its place there is ${found.id} now (${found.path}). Begin a new session.`);
  } catch (error) {
    if (error instanceof SkillmintError) throw new SkillmintError(error.code, `The session is bound to the skill ${id}, which has not been loaded yet. ${error.message}`, { cause: error });
    throw error;
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
