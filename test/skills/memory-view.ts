import type { SkillCatalogue } from '../../src/skills/discover/catalogue.ts';
import { resolveSkill } from '../../src/skills/discover/resolve-skill.ts';
import { isOfferable, isUsable, type SkillEntry } from '../../src/skills/discover/skill-entry.ts';
import { indexText } from '../../src/skills/search/index-text.ts';
import { createRanker, type Ranker } from '../../src/skills/search/ranker.ts';
import type { RankedSkill, SkillView } from '../../src/skills/skill-view.ts';

/** A view of skills that are all in memory. Their instructions and the dictionary are not searched. */
export function viewOf(catalogue: SkillCatalogue): SkillView {
  const offerable = catalogue.entries.filter(isOfferable);
  let ranker: Ranker | undefined;
  return {
    total: catalogue.entries.filter(isUsable).length,
    complete: catalogue.complete,
    problems: catalogue.problems,
    takeNotices: () => [],
    resolve: async (name) => resolveSkill(catalogue, name),
    rank: async (text, k) => {
      ranker ??= createRanker(offerable.map((entry) => indexText(entry, '')));
      const ranked = ranker.rank(text, k).flatMap(({ index, score }): RankedSkill[] => {
        const entry = offerable[index];
        return entry ? [{ entry, score }] : [];
      });
      return offerable.length > k ? ranked : withUnmatched(ranked, offerable);
    },
    withPaths: async () => offerable.filter((entry) => (entry.frontmatter.paths?.length ?? 0) > 0),
  };
}

function withUnmatched(ranked: readonly RankedSkill[], all: readonly SkillEntry[]): readonly RankedSkill[] {
  const matched = new Set(ranked.map(({ entry }) => entry.id));
  return [...ranked, ...all.filter(({ id }) => !matched.has(id)).map((entry) => ({ entry, score: 0 }))];
}
