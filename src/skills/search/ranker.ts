import { documentTerms } from './document-terms.ts';
import type { IndexText } from './index-text.ts';
import type { Lexicon } from './lexicon.ts';
import { queryTerms } from './query-terms.ts';
import { MOST_CANDIDATES, rescore, termFactor } from './score.ts';
import { scoreBoard } from './score-board.ts';

/** A document with how well it fits a question; above zero. */
export interface RankedDocument {
  /** Its place in the list that the ranker was made for. */
  readonly index: number;
  readonly score: number;
}

/** Ranks the documents it was made for, in memory. */
export interface Ranker {
  /** The best `k` documents that share a term with the question, best first; equal ones in the order of the list. */
  rank(text: string, k: number): readonly RankedDocument[];
}

interface Postings {
  readonly docs: number[];
  readonly impacts: number[];
}

/** Takes the words of each document once. */
export function createRanker(documents: readonly IndexText[], lexicon?: Lexicon): Ranker {
  const postings = new Map<string, Postings>();
  const stems = new Map<string, string>();
  documents.forEach((document, index) => {
    for (const [term, impact] of documentTerms(document, stems)) {
      const list = postings.get(term) ?? { docs: [], impacts: [] };
      postings.set(term, list);
      list.docs.push(index);
      list.impacts.push(impact);
    }
  });
  return {
    rank: (text, k) => {
      const board = scoreBoard(documents.length);
      for (const term of queryTerms(text, lexicon)) {
        const list = postings.get(term.term);
        if (list) board.add(list, { group: term.group, factor: termFactor(term, list.docs.length, documents.length) });
      }
      const found = [...board.sums.keys()].map((index) => ({ index, score: board.sums[index] ?? 0 })).filter(({ score }) => score > 0);
      const best = found.sort((a, b) => b.score - a.score).slice(0, Math.max(k, MOST_CANDIDATES));
      const candidates = best.slice(0, MOST_CANDIDATES).flatMap(({ index, score }) => {
        const document = documents[index];
        return document ? [{ index, score, name: document.name, description: document.description }] : [];
      });
      return [...rescore(text, candidates), ...best.slice(MOST_CANDIDATES)].slice(0, k).map(({ index, score }) => ({ index, score }));
    },
  };
}
