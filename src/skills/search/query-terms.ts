import { chineseWords } from './chinese-words.ts';
import { withoutDeclined } from './declined-parts.ts';
import type { Lexicon } from './lexicon.ts';
import { CHINESE_STOP_WORDS, isWeak } from './stop-words.ts';
import { isCjk, termsOf } from './words.ts';

/** A term to look for, with its weight in the question. */
export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  /** Terms of one group stand for the same word of the question: of those that a skill has, only the best one counts. They follow each other. */
  readonly group: number;
}

/** Only so much of a question is read, in UTF-16 units. */
export const LONGEST_QUERY = 4_000;
const MOST_TERMS = 96;
const WEAK_WEIGHT = 0.9;
const NUMBER_WEIGHT = 0.5;
/** A character alone says less than the pairs it is in. */
const CHARACTER_WEIGHT = 0.5;
/** What is said not to be wanted is still about the matter, but less so. */
const DECLINED_SHARE = 0.2;
/** Related words help a short question; in one of more words than this the words themselves suffice, and the others count less. */
const SHORT_QUERY = 8;
const LEAST_WEIGHT = 0.08;
const CHINESE_RUN = /\p{Script=Han}{2,}/gu;

/**
 * The terms of a question to look for, at most 96: its words, with a lexicon also words related to them and English ones
 * for Chinese. In a question with too many, words at the front and own words of the question come first.
 */
export function queryTerms(text: string, lexicon?: Lexicon): readonly QueryTerm[] {
  const cut = text.slice(0, LONGEST_QUERY);
  const literal = literalTerms(cut);
  const groups = [...literal].map(([term, weight]) => new Map([[term, weight]]));
  if (lexicon) {
    const share = Math.min(1, SHORT_QUERY / Math.max(1, literal.size));
    for (const group of groups) addRelated(group, { lexicon, literal, share });
    groups.push(...translations(cut, lexicon));
  }
  return limit(groups.flatMap((group, i) => [...group].map(([term, weight]) => ({ term, weight, group: i }))));
}

function literalTerms(text: string): Map<string, number> {
  const wanted = new Set(termsOf(withoutDeclined(text)));
  const terms = termsOf(text).filter((term) => !CHINESE_STOP_WORDS.has(term));
  return new Map(terms.map((term) => [term, wanted.has(term) ? weightOf(term) : weightOf(term) * DECLINED_SHARE]));
}

function weightOf(term: string): number {
  if (/^\p{N}+$/u.test(term)) return NUMBER_WEIGHT;
  if (isCjk(term)) return Array.from(term).length === 1 ? CHARACTER_WEIGHT : 1;
  return isWeak(term) ? WEAK_WEIGHT : 1;
}

function addRelated(group: Map<string, number>, { lexicon, literal, share }: { readonly lexicon: Lexicon; readonly literal: ReadonlyMap<string, number>; readonly share: number }): void {
  const [first] = group;
  if (!first || isCjk(first[0])) return;
  for (const { term, weight } of lexicon.lookup(first[0])) {
    const own = first[1] * weight * share;
    if (own >= LEAST_WEIGHT && !literal.has(term) && !isWeak(term)) group.set(term, own);
  }
}

/** One group for each Chinese word: the English terms for it. */
function translations(text: string, lexicon: Lexicon): readonly Map<string, number>[] {
  const words = new Set([...text.normalize('NFKC').matchAll(CHINESE_RUN)].flatMap(([run]) => chineseWords(run, lexicon)));
  return [...words].flatMap((word) => {
    const terms = word.length > 1 && !CHINESE_STOP_WORDS.has(word) ? lexicon.lookup(word) : [];
    return terms.length > 0 ? [new Map(terms.map(({ term, weight }) => [term, weight]))] : [];
  });
}

function limit(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  if (terms.length <= MOST_TERMS) return terms;
  const best = new Set(terms.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_TERMS));
  return terms.filter((term) => best.has(term));
}
