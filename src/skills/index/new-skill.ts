import type { ReadSkill } from '../discover/catalogue.ts';
import { canBeKept, type SkillFacts } from '../discover/kept-skill.ts';
import { foldName } from '../discover/resolve-skill.ts';
import type { FoundSkill } from '../discover/walk-root.ts';
import type { NewSkill } from './index-store.ts';

/** Path of the SKILL.md from its root. */
export function placeInRoot({ root, file }: FoundSkill): string {
  return file.slice(root.folder.length);
}

/** True for a skill that somebody may call, whatever settings and rules say. */
export function claimsName({ status, frontmatter }: Pick<SkillFacts, 'status' | 'frontmatter'>): boolean {
  return status !== 'rejected' && !(frontmatter.disableModelInvocation === true && frontmatter.userInvocable === false);
}

/** True for a skill that the model may be offered, whatever settings and rules say. */
export function mayBeOffered(facts: Pick<SkillFacts, 'status' | 'frontmatter'>): boolean {
  return claimsName(facts) && facts.frontmatter.disableModelInvocation !== true;
}

/** What the place of a skill says of it beside what its file does. */
function notesText({ diagnostics, command, root: { pluginRoot } }: FoundSkill): string | undefined {
  const plain = diagnostics.length === 0 && command === undefined && pluginRoot === undefined;
  return plain ? undefined : JSON.stringify({ diagnostics, command, pluginRoot });
}

/** A skill that was read, as it is kept. `rootReal` is the real path of its root. */
export function newSkill({ found, facts, signature, digest }: Pick<ReadSkill, 'found' | 'facts' | 'signature' | 'digest'>, rootReal: string): NewSkill {
  const keeps = canBeKept(facts);
  const usual = rootReal + found.folder.slice(found.root.folder.length);
  return {
    place: placeInRoot(found),
    name: facts.name,
    nameKey: foldName(facts.name),
    linkedTo: found.realFolder === usual ? undefined : found.realFolder,
    claims: claimsName(facts),
    hasPaths: mayBeOffered(facts) && (facts.frontmatter.paths?.length ?? 0) > 0,
    signature: keeps ? signature : undefined,
    digest,
    notes: notesText(found),
    facts: keeps ? JSON.stringify(facts) : undefined,
  };
}
