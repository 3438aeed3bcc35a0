import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { canBeKept, type SkillFacts } from '../discover/kept-skill.ts';
import { foldName } from '../discover/resolve-skill.ts';
import type { FoundDocument } from '../discover/read-found.ts';
import type { SkillRoot } from '../discover/skill-root.ts';
import type { FoundSkill } from '../discover/walk-root.ts';
import type { NewSkill } from './index-store.ts';
import { sortKey } from './sort-key.ts';

/** A skill that was read for the index. */
export interface IndexedSkill extends FoundDocument {
  readonly found: FoundSkill;
  /** See `fileSignature`. */
  readonly signature: number | undefined;
}

/** What a walk had to say of a skill beside where it lies. */
export interface FoundNotes {
  readonly diagnostics?: readonly SkillDiagnostic[];
  readonly command?: string;
  /** Of a plugin that lies among other skills. */
  readonly pluginRoot?: string;
}

/** The root that was walked when it was found. */
export function walkedRoot({ within, root }: FoundSkill): SkillRoot {
  return within ?? root;
}

/** Path of the SKILL.md from the root that was walked. */
export function placeInRoot(found: FoundSkill): string {
  return found.file.slice(walkedRoot(found).folder.length);
}

/** True for a skill that somebody may call, whatever settings and rules say. */
export function claimsName({ status, frontmatter }: Pick<SkillFacts, 'status' | 'frontmatter'>): boolean {
  return status !== 'rejected' && !(frontmatter.disableModelInvocation === true && frontmatter.userInvocable === false);
}

/** True for a skill that the model may be offered, whatever settings and rules say. */
export function mayBeOffered(facts: Pick<SkillFacts, 'status' | 'frontmatter'>): boolean {
  return claimsName(facts) && facts.frontmatter.disableModelInvocation !== true;
}

/** A skill that was read, as it is kept. `real` is the real path of the root that was walked; `hasTags`: a model was asked for its tags. */
export function newSkill({ found, facts, signature }: IndexedSkill, { real, hasTags }: { readonly real: string; readonly hasTags: boolean }): NewSkill {
  const keeps = canBeKept(facts);
  const usual = real + found.folder.slice(walkedRoot(found).folder.length);
  return {
    place: placeInRoot(found),
    sortKey: sortKey(found),
    name: facts.name,
    nameKey: foldName(facts.name),
    linkedTo: found.realFolder === usual ? undefined : found.realFolder,
    claims: claimsName(facts),
    hasPaths: mayBeOffered(facts) && (facts.frontmatter.paths?.length ?? 0) > 0,
    signature: keeps ? signature : undefined,
    digest: undefined,
    notes: notesOf(found),
    facts: keeps ? JSON.stringify(facts) : undefined,
    wantsTags: !hasTags && mayBeOffered(facts),
  };
}

/** What is to be kept of how it was found, as JSON; undefined for most. */
export function notesOf({ diagnostics, command, root, within }: FoundSkill): string | undefined {
  const notes: FoundNotes = {
    ...(diagnostics.length > 0 ? { diagnostics } : {}),
    ...(command === undefined ? {} : { command }),
    ...(within && root.pluginRoot !== undefined ? { pluginRoot: root.pluginRoot } : {}),
  };
  return Object.keys(notes).length > 0 ? JSON.stringify(notes) : undefined;
}
