import { createRanker, type RankedSkill, type SkillRanker } from './activate/rank-skills.ts';
import type { SkillCatalogue } from './discover/catalogue.ts';
import { resolveSkill, type Resolution } from './discover/resolve-skill.ts';
import { isOfferable, isUsable, type SkillEntry } from './discover/skill-entry.ts';
import type { SkillProblem } from './discover/skill-root.ts';

/**
 * The skills of one folder as a session uses them. What a turn asks for costs the same for ten skills and for fifty
 * thousand; how the skills are kept is the matter of whoever makes the view.
 */
export interface SkillView {
  /** Skills that can be used. */
  readonly total: number;
  /** False while roots are still to be searched: rankings then cover what was found so far. */
  readonly complete: boolean;
  readonly problems: readonly SkillProblem[];
  /** Sentences for the person on how skills are searched; each is given once. */
  takeNotices(): readonly string[];
  /** The skill that a name means. */
  resolve(name: string): Promise<Resolution>;
  /** The best `k` skills that the model may be offered, best first; all of them when there are no more than `k`. */
  rank(text: string, k: number): Promise<readonly RankedSkill[]>;
  /** Skills that the model may be offered and that name `paths`. */
  withPaths(): Promise<readonly SkillEntry[]>;
}

/** A view of skills that are all in memory. */
export function viewOf(catalogue: SkillCatalogue): SkillView {
  let ranker: SkillRanker | undefined;
  return {
    total: catalogue.entries.filter(isUsable).length,
    complete: catalogue.complete,
    problems: catalogue.problems,
    takeNotices: () => [],
    resolve: async (name) => resolveSkill(catalogue, name),
    rank: async (text, k) => (ranker ??= createRanker(catalogue.entries)).rank(text, k),
    withPaths: async () => catalogue.entries.filter((entry) => isOfferable(entry) && (entry.frontmatter.paths?.length ?? 0) > 0),
  };
}
