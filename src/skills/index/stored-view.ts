import { isOfferable, type SkillEntry } from '../discover/skill-entry.ts';
import type { SkillProblem } from '../discover/skill-root.ts';
import type { Lexicon } from '../search/lexicon.ts';
import type { RankedSkill, SkillView } from '../skill-view.ts';
import { readConsistently } from './consistent.ts';
import type { SkillRecord } from './index-store.ts';
import { rankStored, type Refine } from './rank-stored.ts';
import { resolveStored } from './resolve-stored.ts';
import { verifySkills } from './verify-skills.ts';
import { placeSkills, rootIds, withRivals, type ViewParts } from './view-entries.ts';

/** What a view is made with. */
export interface StoredViewOptions extends ViewParts {
  readonly total: number;
  readonly complete: boolean;
  readonly problems: readonly SkillProblem[];
  /** Opens the dictionary with the first question; left out, or undefined, where there is none. */
  readonly lexicon?: (() => Lexicon | undefined) | undefined;
  readonly refine?: Refine | undefined;
}

/** A file can change while it is looked at; the last answer stands then. */
const ATTEMPTS = 3;

/** The skills of some roots, out of the index: only what a question needs is read. What is offered or found was compared with its files just then. */
export function storedView(parts: StoredViewOptions): Omit<SkillView, 'takeNotices'> {
  let withPaths: Promise<readonly SkillEntry[]> | undefined;
  return {
    total: parts.total,
    complete: parts.complete,
    problems: parts.problems,
    rank: (text, k) => settled(parts, async () => {
      const ranked = await rankStored(parts, text, { k, lexicon: text === '' ? undefined : parts.lexicon?.(), refine: parts.refine });
      return { answer: ranked.map(({ entry, score }): RankedSkill => ({ entry, score })), used: ranked.map(({ record }) => record) };
    }),
    resolve: (name) => settled(parts, () => resolveStored(parts, name)),
    // Asked for after every call that touches a file.
    withPaths: () => (withPaths ??= skillsWithPaths(parts)),
  };
}

async function skillsWithPaths(parts: ViewParts): Promise<readonly SkillEntry[]> {
  const placed = await placeSkills(parts, withRivals(parts, parts.store.skillsWithPaths(rootIds(parts))));
  return placed.map(({ entry }) => entry).filter((entry) => isOfferable(entry) && (entry.frontmatter.paths?.length ?? 0) > 0);
}

/** Gives the answer once the skills that it rests on are as their files are. */
async function settled<T>(parts: ViewParts, ask: () => Promise<{ readonly answer: T; readonly used: readonly SkillRecord[] }>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const { answer, used } = await readConsistently(parts.store, parts.roots, ask);
    if (used.length === 0 || attempt === ATTEMPTS) return answer;
    if (!(await verifySkills(parts, withRivals(parts, used)))) return answer;
  }
}
