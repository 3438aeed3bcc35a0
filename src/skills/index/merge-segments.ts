import { hasBit } from './bits.ts';
import type { IndexStore, SegmentRecord } from './index-store.ts';
import { packBlocks, unpackBlock, type PostingBlock, type WordPostings } from './postings.ts';

/** So many segments of about one size become one. */
const TOGETHER = 10;
/** More than so many are never left when a root was walked to its end. */
const MOST_AT_REST = 3;
const PAGE = 16;
const DROPPED_AT_ONCE = 200;

/** The segments that should become one now; none when all is well. `atRest` when nothing more is to come soon. */
export function mergeCandidates(segments: readonly SegmentRecord[], { atRest }: { readonly atRest: boolean }): readonly SegmentRecord[] {
  if (atRest && segments.length > MOST_AT_REST) return segments;
  const rising = [...segments].sort((a, b) => a.docs - b.docs);
  const chosen: SegmentRecord[] = [];
  let docs = 0;
  for (const segment of rising) {
    if (chosen.length >= TOGETHER && segment.docs > docs / 2) break;
    chosen.push(segment);
    docs += segment.docs;
  }
  const smallest = rising[0]?.docs ?? 0;
  const alike = chosen.filter((segment) => segment.docs <= Math.max(smallest, 1) * TOGETHER);
  return alike.length >= TOGETHER ? alike : [];
}

/** Makes one segment of several, in steps after each of which others may run. The merged words are readable only when all is done. */
export function* mergeSegments(store: IndexStore, from: readonly SegmentRecord[]): Generator<undefined> {
  const { docOf, skillIds } = renumber(store, from);
  const id = store.newSegment();
  let waiting: PostingBlock[] = [];
  let blocks = 0;
  for (const block of packBlocks(mergedWords(from.map((segment) => wordsOf(store, segment)), docOf))) {
    waiting.push(block);
    blocks += 1;
    if (waiting.length < PAGE) continue;
    store.addBlocks(id, waiting);
    waiting = [];
    yield;
  }
  store.addBlocks(id, waiting);
  yield;
  if (!store.finishMerge({ from, id, blocks, skillIds, docOf })) return;
  for (const segment of from) while (store.dropBlocks(segment.id, DROPPED_AT_ONCE)) yield;
}

/** Documents get new numbers, one segment after the other; those that are gone get none. */
function renumber(store: IndexStore, from: readonly SegmentRecord[]): { readonly docOf: (segment: number, doc: number) => number | undefined; readonly skillIds: Uint32Array } {
  const numbers = new Map<number, Int32Array>();
  const ids: number[] = [];
  for (const segment of from) {
    const own = new Int32Array(segment.docs).fill(-1);
    store.skillIds(segment.id).forEach((skill, doc) => {
      if (hasBit(segment.gone, doc)) return;
      own[doc] = ids.length;
      ids.push(skill);
    });
    numbers.set(segment.id, own);
  }
  return {
    docOf: (segment, doc) => {
      const at = numbers.get(segment)?.[doc] ?? -1;
      return at < 0 ? undefined : at;
    },
    skillIds: Uint32Array.from(ids),
  };
}

interface SegmentWords {
  readonly segment: number;
  next: WordPostings | undefined;
  readonly advance: () => WordPostings | undefined;
}

function wordsOf(store: IndexStore, { id }: SegmentRecord): SegmentWords {
  const words = readWords(store, id);
  const advance = (): WordPostings | undefined => {
    const { value } = words.next();
    return value ?? undefined;
  };
  return { segment: id, next: advance(), advance };
}

function* readWords(store: IndexStore, segment: number): Generator<WordPostings, undefined> {
  for (let after = -1; ; ) {
    const page = store.blocksAfter(segment, after, PAGE);
    for (const { data } of page) yield* unpackBlock(data);
    const last = page.at(-1);
    if (!last) return undefined;
    after = last.firstKey;
  }
}

function* mergedWords(sources: readonly SegmentWords[], docOf: (segment: number, doc: number) => number | undefined): Generator<WordPostings> {
  for (;;) {
    let key = Number.POSITIVE_INFINITY;
    for (const { next } of sources) if (next && next.key < key) ({ key } = next);
    if (key === Number.POSITIVE_INFINITY) return;
    const docs: number[] = [];
    const impacts: number[] = [];
    for (const source of sources) {
      if (source.next?.key !== key) continue;
      source.next.docs.forEach((doc, i) => {
        const at = docOf(source.segment, doc);
        if (at === undefined) return;
        docs.push(at);
        impacts.push(source.next?.impacts[i] ?? 1);
      });
      source.next = source.advance();
    }
    if (docs.length > 0) yield { key, docs, impacts };
  }
}
