import { textHash } from '../../util/text-hash.ts';
import type { QueryTerm } from '../search/query-terms.ts';
import { idf } from '../search/score.ts';
import { countEither, hasBit } from './bits.ts';
import type { IndexStore, SegmentRecord } from './index-store.ts';
import { findWord } from './postings.ts';

/** A document that shares words with a question. */
export interface ScoredDocument {
  readonly segment: SegmentRecord;
  readonly doc: number;
  readonly score: number;
}

const MOST_IMPACT = 255;

interface Hit {
  readonly segment: SegmentRecord;
  readonly docs: readonly number[];
  readonly impacts: readonly number[];
}

/** How many documents count. */
export function liveDocuments(segments: readonly SegmentRecord[]): number {
  return segments.reduce((sum, { docs, gone, hidden }) => sum + docs - countEither(gone, hidden), 0);
}

/**
 * The best `most` documents of these segments for the words, best first; equal ones in the order of segments and documents.
 * Only the words' own lists are read. How rare a word is, is counted among these segments alone.
 */
export function scoreWords(store: IndexStore, segments: readonly SegmentRecord[], words: readonly QueryTerm[], most: number): readonly ScoredDocument[] {
  const total = liveDocuments(segments);
  const sums = new Map(segments.map((segment) => [segment, new Float64Array(segment.docs)]));
  for (const { term, weight } of words) {
    const hits = hitsOf(store, segments, textHash(term));
    const df = hits.reduce((sum, { docs }) => sum + docs.length, 0);
    if (df === 0) continue;
    const each = (weight * idf(df, total)) / MOST_IMPACT;
    for (const { segment, docs, impacts } of hits) {
      const sum = sums.get(segment);
      if (sum) docs.forEach((doc, i) => (sum[doc] = (sum[doc] ?? 0) + each * (impacts[i] ?? 0)));
    }
  }
  return best(sums, most);
}

/** Lists of one word, without the documents that do not count. */
function hitsOf(store: IndexStore, segments: readonly SegmentRecord[], key: number): readonly Hit[] {
  return segments.flatMap((segment) => {
    const block = store.block(segment.id, key);
    const word = block && findWord(block, key);
    if (!word) return [];
    const live = word.docs.map((doc) => !hasBit(segment.gone, doc) && !hasBit(segment.hidden, doc));
    if (live.every(Boolean)) return [{ segment, docs: word.docs, impacts: word.impacts }];
    return [{ segment, docs: word.docs.filter((_, i) => live[i]), impacts: word.impacts.filter((_, i) => live[i]) }];
  });
}

/** A score has to be above the worst of the best that were seen so far to be looked at closer. */
function best(sums: ReadonlyMap<SegmentRecord, Float64Array>, most: number): readonly ScoredDocument[] {
  let found: ScoredDocument[] = [];
  let least = 0;
  const cut = (): void => {
    found.sort((a, b) => b.score - a.score);
    found = found.slice(0, most);
    least = found.length < most ? 0 : (found.at(-1)?.score ?? 0);
  };
  for (const [segment, sum] of sums) {
    sum.forEach((score, doc) => {
      if (score <= least) return;
      found.push({ segment, doc, score });
      if (found.length >= most * 4) cut();
    });
  }
  cut();
  return found;
}
