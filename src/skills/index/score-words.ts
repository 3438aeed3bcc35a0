import { textHash } from '../../util/text-hash.ts';
import type { QueryTerm } from '../search/query-terms.ts';
import { scoreBoard } from '../search/score-board.ts';
import { termFactor } from '../search/score.ts';
import { countEither, hasBit } from './bits.ts';
import type { IndexStore, SegmentRecord } from './index-store.ts';
import { findWord, unpackWord } from './postings.ts';

/** A document that shares words with a question. */
export interface ScoredDocument {
  readonly segment: SegmentRecord;
  readonly doc: number;
  readonly score: number;
}

/** How many documents count. */
export function liveDocuments(segments: readonly SegmentRecord[]): number {
  return segments.reduce((sum, { docs, gone, hidden }) => sum + docs - countEither(gone, hidden), 0);
}

/** The documents that share words with a question. */
export interface ScoredWords {
  /** The best `most`, best first, and those that are as good as the last of them: `atMost` in all. Equal ones come in the order of segments and documents. */
  best(most: number, atMost: number): readonly ScoredDocument[];
}

/**
 * Scores the documents of these segments for the words. Only the words' own lists are read. How rare a word is, is counted
 * among these segments alone.
 */
export function scoreWords(store: IndexStore, segments: readonly SegmentRecord[], words: readonly QueryTerm[]): ScoredWords {
  const total = liveDocuments(segments);
  const boards = segments.map((segment) => ({ segment, isWhole: countEither(segment.gone, segment.hidden) === 0, board: scoreBoard(segment.docs) }));
  for (const word of words) {
    const key = textHash(word.term);
    const hits = boards.flatMap((at) => {
      const block = store.block(at.segment.id, key);
      const found = block && findWord(block, key);
      return found ? [{ postings: unpackWord(found), ...at }] : [];
    });
    const df = hits.reduce((count, { postings, isWhole, segment }) => count + (isWhole ? postings.docs.length : postings.docs.filter((doc) => isLive(segment, doc)).length), 0);
    if (df === 0) continue;
    const factor = termFactor(word, df, total);
    for (const { postings, board } of hits) board.add(postings, { group: word.group, factor });
  }
  const sums = boards.map(({ segment, board }) => ({ segment, sum: board.sums }));
  return {
    best: (most, atMost) => {
      const found = best(sums, most);
      const last = found.length < most ? undefined : found.at(-1)?.score;
      return last === undefined ? found : [...found.filter(({ score }) => score > last), ...scoredAs(last, sums)].slice(0, atMost);
    },
  };
}

/** True for a document that counts. */
function isLive({ gone, hidden }: SegmentRecord, doc: number): boolean {
  return !hasBit(gone, doc) && !hasBit(hidden, doc);
}

interface Sums {
  readonly segment: SegmentRecord;
  readonly sum: Float64Array;
}

/** The documents that count and have this score. */
function scoredAs(score: number, sums: readonly Sums[]): readonly ScoredDocument[] {
  const found: ScoredDocument[] = [];
  for (const { segment, sum } of sums) {
    for (let doc = sum.indexOf(score); doc !== -1; doc = sum.indexOf(score, doc + 1)) if (isLive(segment, doc)) found.push({ segment, doc, score });
  }
  return found;
}

/** Keeps the best that were seen so far in rising order: most documents are not above the least of them. */
function best(sums: readonly Sums[], most: number): readonly ScoredDocument[] {
  const found: ScoredDocument[] = [];
  let least = 0;
  for (const { segment, sum } of sums) {
    for (let doc = 0; doc < sum.length; doc += 1) {
      const score = sum[doc] ?? 0;
      if (score <= least || !isLive(segment, doc)) continue;
      let [low, high] = [0, found.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((found[middle]?.score ?? 0) < score) low = middle + 1;
        else high = middle;
      }
      found.splice(low, 0, { segment, doc, score });
      if (found.length > most) found.shift();
      if (found.length === most) least = found[0]?.score ?? 0;
    }
  }
  return found.reverse();
}
