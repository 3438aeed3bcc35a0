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
export const MOST_CANDIDATES = 50;

/** Even a word that all skills have tells a little. */
const LEAST_RARITY = 0.5;
/** What two words that follow each other in the question and in the skill are worth. */
const PAIR_BONUS = 0.8;

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
  const asked = pairsOf(termsOf(text.slice(0, LONGEST_QUERY), stems));
  const shared = ({ name, description }: Candidate): number => {
    const pairs = new Set([...pairsOf(termsOf(name, stems)), ...pairsOf(termsOf(withoutExclusions(description), stems))]);
    return [...pairs].filter((pair) => asked.has(pair)).length;
  };
  return candidates.map((each) => ({ ...each, score: each.score + PAIR_BONUS * shared(each) })).sort((a, b) => b.score - a.score);
}

/** Chinese is not looked at: its terms are pairs of characters already. */
function pairsOf(terms: readonly string[]): ReadonlySet<string> {
  return new Set(terms.slice(1).flatMap((term, i) => (isCjk(term) || isCjk(terms[i] ?? '') ? [] : [`${terms[i] ?? ''} ${term}`])));
}
