import type { Bilingual } from './bilingual.ts';
import { termsOf } from './words.ts';

/** A word to look for, with its weight in the question. */
export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
}

const LONGEST_QUERY = 4_000;
const MOST_TERMS = 80;

/** The words of a question to look for, at most 80. With a dictionary, English words for the Chinese ones too. */
export function queryTerms(text: string, bilingual?: Bilingual): readonly QueryTerm[] {
  const cut = text.slice(0, LONGEST_QUERY);
  const weights = new Map<string, number>();
  for (const term of termsOf(cut)) weights.set(term, 1);
  for (const { term, weight } of bilingual?.glosses(cut) ?? []) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  return [...weights].slice(0, MOST_TERMS).map(([term, weight]) => ({ term, weight }));
}
