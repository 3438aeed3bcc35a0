import type { Resolution } from './discover/resolve-skill.ts';
import type { SkillEntry } from './discover/skill-entry.ts';
import type { SkillProblem } from './discover/skill-root.ts';

/** A skill with how well it fits a text; 0 when it shares no word with it. */
export interface RankedSkill {
  readonly entry: SkillEntry;
  readonly score: number;
}

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
