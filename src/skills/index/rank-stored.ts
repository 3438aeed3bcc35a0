import { keptFacts } from '../discover/kept-skill.ts';
import { isOfferable, type SkillEntry } from '../discover/skill-entry.ts';
import type { Lexicon } from '../search/lexicon.ts';
import { queryTerms } from '../search/query-terms.ts';
import { MOST_CANDIDATES, rescore, type Candidate } from '../search/score.ts';
import type { SkillRecord } from './index-store.ts';
import { liveDocuments, scoreWords, type ScoredDocument, type ScoredWords } from './score-words.ts';
import { bySortKey } from './sort-key.ts';
import { placeSkills, rootIds, withRivals, type ViewParts } from './view-entries.ts';

/** A skill with how well it fits a text, and its record. */
export interface RankedRecord {
  readonly entry: SkillEntry;
  readonly score: number;
  readonly record: SkillRecord;
}

/** Orders the best candidates for a text anew. */
export type Refine = <T extends Candidate>(text: string, candidates: readonly T[]) => Promise<readonly T[]>;

/** How a text is ranked. */
export interface RankOptions {
  readonly k: number;
  readonly lexicon: Lexicon | undefined;
  /** Orders the best candidates by more than their words. */
  readonly refine?: Refine | undefined;
}

interface ScoredRecord extends Candidate {
  readonly record: SkillRecord;
}

/** So few skills are all looked at, whatever the question is. */
const FEW = 64;
/** Candidates that are judged at a time. */
const STEP = 16;
/** Candidates that are judged at most, until enough of them may be offered. */
const MOST_JUDGED = 800;

/** The best skills of the roots that the model may be offered, best first; all of them, those without a word in common last, when there are no more than `k`. */
export async function rankStored(parts: ViewParts, text: string, { k, lexicon, refine }: RankOptions): Promise<readonly RankedRecord[]> {
  const segments = parts.store.segments(rootIds(parts));
  const scored = scoreWords(parts.store, segments, queryTerms(text, lexicon));
  const pages = candidatePages(parts, text, scored);
  const first = pages.next().value ?? [];
  const ordered = refine ? await refine(text, first) : first;
  if (liveDocuments(segments) <= FEW) return rankFew(parts, [...ordered, ...[...pages].flat()], k);
  const chosen: RankedRecord[] = [];
  for (const some of inSteps(ordered, pages)) {
    const placed = new Map((await placeSkills(parts, withRivals(parts, some.map(({ record }) => record)))).map(({ record, entry }) => [record.id, entry]));
    for (const { record, score } of some) {
      const entry = placed.get(record.id);
      if (entry && isOfferable(entry)) chosen.push({ entry, score, record });
    }
    if (chosen.length >= k) break;
  }
  return chosen.slice(0, k);
}

async function rankFew(parts: ViewParts, candidates: readonly ScoredRecord[], k: number): Promise<readonly RankedRecord[]> {
  const all = (await placeSkills(parts, parts.roots.flatMap(({ record }) => parts.store.skillsOf(record.id)))).filter(({ entry }) => isOfferable(entry));
  const placed = new Map(all.map(({ record, entry }) => [record.id, entry]));
  const matched = candidates.flatMap(({ record, score }) => {
    const entry = placed.get(record.id);
    return entry ? [{ entry, score, record }] : [];
  });
  if (all.length > k) return matched.slice(0, k);
  const seen = new Set(matched.map(({ record }) => record.id));
  return [...matched, ...all.flatMap(({ entry, record }) => (seen.has(record.id) ? [] : [{ entry, score: 0, record }]))];
}

/**
 * The best are ordered anew with the whole question; the others follow, read when they are asked for. Equal ones come in the
 * order of precedence, whenever they were read into the index.
 */
function* candidatePages(parts: ViewParts, text: string, words: ScoredWords): Generator<readonly ScoredRecord[], undefined> {
  const skillIds = new Map<number, Uint32Array>();
  const idOf = ({ segment, doc }: ScoredDocument): number => {
    const ids = skillIds.get(segment.id) ?? parts.store.skillIds(segment.id);
    skillIds.set(segment.id, ids);
    return ids[doc] ?? 0;
  };
  const order = new Map(parts.roots.map(({ record }, i) => [record.id, i]));
  const inOrder = (scored: readonly ScoredDocument[]): readonly ScoredRecord[] => {
    const records = new Map(parts.store.skillsById(scored.map(idOf)).map((record) => [record.id, record]));
    const found = scored.flatMap((document): readonly ScoredRecord[] => {
      const record = records.get(idOf(document));
      return record ? [{ record, name: record.name, description: descriptionOf(record), score: rounded(document.score) }] : [];
    });
    return found.sort((a, b) => b.score - a.score || (order.get(a.record.rootId) ?? 0) - (order.get(b.record.rootId) ?? 0) || bySortKey(a.record, b.record));
  };
  const best = words.best(MOST_CANDIDATES, MOST_JUDGED);
  const first = inOrder(best);
  yield rescore(text, first.slice(0, MOST_CANDIDATES)).map((each) => ({ ...each, score: rounded(each.score) }));
  yield first.slice(MOST_CANDIDATES);
  if (best.length < MOST_CANDIDATES) return;
  const seen = new Set(best.map(idOf));
  yield inOrder(words.best(MOST_JUDGED, MOST_JUDGED).filter((document) => !seen.has(idOf(document))));
}

function descriptionOf({ facts }: SkillRecord): string {
  return (facts === undefined ? undefined : keptFacts(facts)?.description) ?? '';
}

function rounded(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}

function* inSteps<T>(first: readonly T[], others: Iterable<readonly T[]>): Generator<readonly T[]> {
  for (const page of [[first], others]) for (const items of page) for (let from = 0; from < items.length; from += STEP) yield items.slice(from, from + STEP);
}
