import type { ReadTree } from '../../host/host.ts';
import { changeable, type Workspace } from '../../permissions/places.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { ActiveSkill } from '../../protocol/session-state.ts';
import { digestSkill } from '../../skills/digest.ts';
import { skillSignature } from '../../skills/discover/signature.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { RuntimeParts } from '../parts.ts';
import { hooksOf } from './hooks-of-skill.ts';

/** A skill whose hooks are in force, or those on its first prompt. */
export type HookedSkill = Pick<ActiveSkill, 'skill_id' | 'folder' | 'hooks'>;

/**
 * A skill that is about to come into force, with its hooks on the prompt: they are asked before anything of it runs.
 * Rejects as `readSkillNow` does.
 */
export async function comingSkill({ host, trust }: Pick<RuntimeParts, 'host' | 'trust'>, found: SkillEntry, workspace: () => Workspace): Promise<HookedSkill> {
  const skill = { skill_id: found.id, folder: host.tree.realPath(found.folder) };
  if (found.frontmatter.hooks === undefined) return skill;
  const { readSkillNow } = await import('../../skills/discover/read-now.ts');
  const { digest, frontmatter } = await readSkillNow(host.tree, found);
  const entry = { ...found, frontmatter };
  const { hooks } = await hooksOf(entry, trust.of(entry, digest, changeable(workspace())));
  return { ...skill, ...(hooks ? { hooks: hooks.filter(({ event }) => event === 'SessionStart' || event === 'UserPromptSubmit') } : {}) };
}

/** Says why the hooks of an active skill may not run now, or nothing. Looks at its files again whenever they have changed. */
export function skillBar({ host, now, trust }: Pick<RuntimeParts, 'host' | 'now' | 'trust'>, workspace: () => Workspace): (skill: HookedSkill) => string | undefined {
  const known = new Map<string, { readonly signature: string; readonly digest: string }>();
  const digestOf = ({ skill_id, folder }: HookedSkill): string => {
    const signature = skillSignature(host.tree, { folder }, now);
    const last = known.get(skill_id);
    if (signature !== undefined && last?.signature === signature) return last.digest;
    const { digest } = digestSkill(host.tree, folder);
    if (signature !== undefined) known.set(skill_id, { signature, digest });
    return digest;
  };
  return (skill) => {
    const { skill_id, folder } = skill;
    if (!isThere(host.tree, folder)) return `The folder of the skill ${skill_id} is not where it was, so its hooks do not run.`;
    try {
      const verdict = trust.of({ id: skill_id, source: sourceOf(skill_id), folder }, digestOf(skill), changeable(workspace()));
      return verdict.trusted ? undefined : `The skill ${skill_id} is not trusted (${verdict.why}), so its hooks do not run.`;
    } catch (error) {
      if (error instanceof SkillmintError) return `The hooks of ${skill_id} do not run: ${error.message}`;
      throw error;
    }
  };
}

/** An id is `SOURCE:NAME`, and only sources of packages have a name of their own. */
function sourceOf(id: string): string {
  const [kind = '', owner = ''] = id.split(':');
  return kind === 'plugin' || kind === 'npm' ? `${kind}:${owner}` : kind;
}

/** The folder is still the one that it was, and no link in its place. */
function isThere(tree: ReadTree, folder: string): boolean {
  try {
    return tree.realPath(folder) === folder;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
