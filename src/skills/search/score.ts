import { withoutDeclined } from './declined-parts.ts';
import { MOST_IMPACT } from './document-terms.ts';
import { LONGEST_QUERY, type QueryTerm } from './query-terms.ts';
import { withoutExclusions } from './without-exclusions.ts';
import { isCjk, termsOf } from './words.ts';

/** A skill that the words of a question led to. */
export interface Candidate {
  readonly name: string;
  readonly description: string;
  /** What the score board gave it; at the end, what `rescore` made of that. */
  readonly score: number;
}

/** Most candidates that `rescore` is given. */
export const MOST_CANDIDATES = 32;

/** Even a word that all skills have tells a little. */
const LEAST_RARITY = 0.3;
/** What two words that follow each other in the question and in the skill are worth. */
const PAIR_BONUS = 1;

/** How much a term that `df` of `total` skills have tells; above zero for every one. */
export function idf(df: number, total: number): number {
  return LEAST_RARITY + Math.log(1 + (total - df + 0.5) / (df + 0.5));
}

/** What one unit of impact of a term gives a skill that has it. */
export function termFactor({ weight }: QueryTerm, df: number, total: number): number {
  return (weight * idf(df, total)) / MOST_IMPACT;
}

/**
 * Orders the best candidates anew, best first, by what single words do not tell: whether words follow each other in the
 * question and in a candidate. Equal ones keep their order.
 */
export function rescore<T extends Candidate>(text: string, candidates: readonly T[]): readonly T[] {
  const stems = new Map<string, string>();
  const asked = followers(termsOf(withoutDeclined(text.slice(0, LONGEST_QUERY)), stems));
  const shared = ({ name, description }: Candidate): number => {
    const found = new Set<string>();
    for (const terms of [termsOf(name, stems), termsOf(withoutExclusions(description), stems)]) {
      terms.forEach((term, i) => {
        const next = terms[i + 1];
        if (next !== undefined && asked.get(term)?.has(next)) found.add(`${term} ${next}`);
      });
    }
    return found.size;
  };
  return candidates.map((each) => ({ ...each, score: each.score + PAIR_BONUS * shared(each) })).sort((a, b) => b.score - a.score);
}

/** For each term those that follow it. Chinese is not looked at: its terms are pairs of characters already. */
function followers(terms: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const after = new Map<string, Set<string>>();
  terms.forEach((term, i) => {
    const next = terms[i + 1];
    if (next === undefined || isCjk(term) || isCjk(next)) return;
    after.set(term, (after.get(term) ?? new Set()).add(next));
  });
  return after;
}
