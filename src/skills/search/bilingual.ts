import type { QueryTerm } from './query-terms.ts';

/** A dictionary between Chinese and English. */
export interface Bilingual {
  /** English words for the Chinese in a text. Empty for a text without Chinese. */
  glosses(text: string): readonly QueryTerm[];
}
