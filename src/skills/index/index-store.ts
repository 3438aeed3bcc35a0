import type { SkillProblem } from '../discover/skill-root.ts';
import type { TagStore } from '../search/generate-tags.ts';
import type { Bits } from './bits.ts';
import type { PostingBlock } from './postings.ts';

/** What the index knows of a root. */
export interface RootRecord {
  readonly id: number;
  /** See `rootKey`. */
  readonly key: string;
  /** Rises with every change of what is known of the root. */
  readonly generation: number;
  /** All of the root has been walked once. */
  readonly complete: boolean;
  /** Time of the folder when it was last listed; undefined when it has to be listed again. */
  readonly listedMs: number | undefined;
  readonly problems: readonly SkillProblem[];
  /** Sort key at which the check of the known skills stopped; undefined when it ended, or never began. */
  readonly checkedTo: string | undefined;
  /** When the last check ended, ms since 1970. */
  readonly checkedAt: number;
  readonly seenAt: number;
}

/** What may be changed of a root. */
export type RootChange = Partial<Pick<RootRecord, 'complete' | 'problems' | 'checkedAt' | 'seenAt'>> & { readonly listedMs?: number | null; readonly checkedTo?: string | null };

/** A skill as it is kept, facts and notes as JSON. */
export interface SkillRecord {
  readonly id: number;
  readonly rootId: number;
  /** Path of the SKILL.md from its root. */
  readonly place: string;
  /** See `sortKey`. */
  readonly sortKey: string;
  readonly name: string;
  readonly nameKey: string;
  /** Real folder, where a link leads to it. */
  readonly linkedTo: string | undefined;
  /** Undefined when the files have to be read again. */
  readonly signature: number | undefined;
  readonly digest: string | undefined;
  /** What the walk had to say of it, as JSON; see `FoundNotes`. */
  readonly notes: string | undefined;
  /** Undefined for what cannot be kept: a file that cannot be used, or values that JSON does not know. */
  readonly facts: string | undefined;
  /** It may be offered, and no model has been asked for tags of it yet. */
  readonly wantsTags: boolean;
}

/** A skill to keep. */
export interface NewSkill extends Omit<SkillRecord, 'id' | 'rootId'> {
  /** It can be used, so it takes its name from those behind it. Such a skill is a document. */
  readonly claims: boolean;
  /** It names paths, and may be offered. */
  readonly hasPaths: boolean;
}

/** Changes of one root that belong together. */
export interface IndexBatch {
  /** Documents are numbered in the order of those that claim. */
  readonly skills: readonly NewSkill[];
  readonly blocks: readonly PostingBlock[];
  /** Places that are gone. */
  readonly removed: readonly string[];
}

/** A run of documents whose words are stored together. */
export interface SegmentRecord {
  readonly id: number;
  readonly rootId: number;
  readonly docs: number;
  /** Documents whose skill has changed or is gone. */
  readonly gone: Bits;
  /** Documents behind another of the same root with the same name. */
  readonly hidden: Bits;
}

/** Segments that become one. `docOf` tells where a document went; undefined for one that was left out. */
export interface MergedSegments {
  readonly from: readonly SegmentRecord[];
  readonly id: number;
  /** How many were written for it. */
  readonly blocks: number;
  readonly skillIds: Uint32Array;
  readonly docOf: (segment: number, doc: number) => number | undefined;
}

/**
 * The skill index as tables. It holds what was read of local files, so it lies beside them and answers at once; every
 * method is one short step, and one transaction where it writes. Throws the errors of the store.
 */
export interface IndexStore {
  /** Records by their keys. */
  roots(keys: readonly string[]): readonly RootRecord[];
  /** Stands for the state of these roots: the same as long as nothing of them is changed. */
  generations(roots: readonly number[]): string;
  /** The root's record; what another version of the program has written about it is forgotten. */
  openRoot(key: string, now: number): RootRecord;
  changeRoot(id: number, change: RootChange): void;
  /** Takes or prolongs the right to index a root. False while another process has it. */
  claimRoot(id: number, worker: string, now: number, until: number): boolean;
  /** Forgets roots that no process has asked for since that time. */
  forgetRoots(before: number): void;
  /** Places of a root with the signatures of their files, a page at a time, in the order of their ids. */
  places(root: number, after: number, limit: number): readonly Pick<SkillRecord, 'id' | 'place' | 'sortKey' | 'signature'>[];
  skillsOf(root: number): readonly SkillRecord[];
  skillsAt(root: number, places: readonly string[]): readonly SkillRecord[];
  skillsById(ids: readonly number[]): readonly SkillRecord[];
  /** Ids of the skills with these names. */
  idsNamed(roots: readonly number[], nameKeys: readonly string[]): readonly number[];
  /** Ids of the skills that links lead to, with one of these real folders. */
  idsLinkedTo(roots: readonly number[], folders: readonly string[]): readonly number[];
  /** Ids of all skills that links lead to. */
  idsLinked(roots: readonly number[]): readonly number[];
  skillsWithPaths(roots: readonly number[]): readonly SkillRecord[];
  /** The next skills of a root that want tags, in the order of their ids. */
  skillsWantingTags(root: number, after: number, limit: number): readonly SkillRecord[];
  /** Tags that a model wrote, by `textDigest`. */
  readonly tags: TagStore;
  /** Takes the right to have tags written in the background, until then. False before the time that was set last. */
  claimTagging(now: number, until: number): boolean;
  /** From then on tags may be written in the background again. */
  setTaggingFrom(time: number): void;
  setDigests(digests: readonly { readonly id: number; readonly digest: string }[]): void;
  /** Writes a batch; skills that another process has kept meanwhile with the same signature stay as they are, unless they lack tags that the new ones have. */
  apply(root: number, batch: IndexBatch): void;
  segments(roots: readonly number[]): readonly SegmentRecord[];
  skillIds(segment: number): Uint32Array;
  /** Names of a segment's documents. */
  names(segment: number): readonly string[];
  /** The block in which a word would be. */
  block(segment: number, key: number): Uint8Array | undefined;
  /** The next blocks of a segment, in order. */
  blocksAfter(segment: number, key: number, limit: number): readonly PostingBlock[];
  /** A number for a segment that is yet to be written. */
  newSegment(): number;
  addBlocks(segment: number, blocks: readonly PostingBlock[]): void;
  /** Puts a finished segment in the place of others. False when one of them, or a block, is no longer there; the new one is dropped then. */
  finishMerge(merged: MergedSegments): boolean;
  /** Removes some blocks of a segment. False when none are left. */
  dropBlocks(segment: number, most: number): boolean;
  /** Segments that have blocks and are not there: those that were never finished, or not wholly removed. */
  straySegments(): readonly number[];
  /** Number of skills that a view had when it was counted. */
  countOf(view: string): number | undefined;
  keepCount(view: string, total: number, now: number): void;
}
