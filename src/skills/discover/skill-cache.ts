import type { FolderEntry } from '../../host/host.ts';
import type { ReadSkill } from './catalogue.ts';
import type { KeptSkill } from './kept-skill.ts';
import type { SkillProblem } from './skill-root.ts';
import type { FoundSkill } from './walk-root.ts';

/** What earlier searches have read. It is a help and no truth: without it, all is read again. */
export interface SkillCache {
  /** The signature of a skill's files as they are now, if there is one, and what is known of the skill when they have not changed since. `entries` are those of its folder, where the caller has listed them. */
  look(found: FoundSkill, entries?: readonly FolderEntry[]): { readonly signature: number | undefined; readonly kept: KeptSkill | undefined };
  /** Keeps what a complete search has found, where that is new. Resolves to the reason when it cannot be written. */
  save(skills: readonly ReadSkill[]): Promise<SkillProblem | undefined>;
}
