import { textHash } from '../../util/text-hash.ts';
import type { DocumentTerms } from '../search/document-terms.ts';
import type { WordPostings } from './postings.ts';

/** Gathers the words of documents until they are written as one segment. */
export interface WordCollector {
  /** Documents must come in rising order. */
  add(doc: number, terms: DocumentTerms): void;
  /** What was gathered, in the order of the keys. */
  words(): readonly WordPostings[];
}

interface Gathered extends WordPostings {
  readonly docs: number[];
  readonly impacts: number[];
}

/** An empty collector. */
export function collectWords(): WordCollector {
  const byKey = new Map<number, Gathered>();
  return {
    add: (doc, terms) => {
      for (const [term, impact] of terms) {
        const key = textHash(term);
        const word = byKey.get(key);
        if (!word) byKey.set(key, { key, docs: [doc], impacts: [impact] });
        // Two words of one document with the same key, as unlikely as that is, count once.
        else if (word.docs.at(-1) !== doc) {
          word.docs.push(doc);
          word.impacts.push(impact);
        }
      }
    },
    words: () => [...byKey.values()].sort((a, b) => a.key - b.key),
  };
}
