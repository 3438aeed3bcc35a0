import { isOfferable } from '../discover/skill-entry.ts';
import { generateTags, TAG_BATCH, type AskForTags, type TagBatch, type UntaggedSkill } from '../search/generate-tags.ts';
import type { SharedWords } from '../search/shared-words.ts';
import { indexText } from '../search/index-text.ts';
import { textDigest } from '../search/text-digest.ts';
import { batchFor } from './index-batch.ts';
import { mergeRoot, type OpenRoot } from './index-root.ts';
import type { SkillRecord } from './index-store.ts';
import { mayBeOffered, type IndexedSkill } from './new-skill.ts';
import { paceOf, type Pace } from './pace.ts';
import { readAgain } from './verify-skills.ts';
import { placeSkills, withRivals, type ViewParts } from './view-entries.ts';

/** How tags are written. */
export interface TagOptions {
  readonly ask: AskForTags;
  /** Tags that other workers have; looked for before a model is asked. */
  readonly shared?: SharedWords | undefined;
  /** Skills at most. */
  readonly limit: number;
  /** Paths of the SKILL.md files that come first, where they want tags. */
  readonly first?: Iterable<string>;
  /** Nobody waits for it: it gives way to other work, and waits its turn after other processes and after failures. */
  readonly background?: boolean;
  /** Is told how many skills and calls it will be; false ends it before the first call. */
  readonly confirm?: (skills: number, calls: number) => Promise<boolean>;
  readonly progress?: (done: number, of: number) => void;
}

/** What became of it. Skills with the same text count once. */
export interface TagOutcome {
  /** Skills without tags that were found, up to the limit. */
  readonly wanted: number;
  readonly tagged: number;
  /** Skills of answers that could not be understood. */
  readonly unreadable: number;
  /** Why the model did not go on. */
  readonly failure: string | undefined;
  /** It was not to begin, or was stopped. */
  readonly stopped: boolean;
}

interface TaggingParts extends ViewParts {
  readonly signal: AbortSignal;
  readonly pace: Pace;
}

interface Placed {
  readonly at: OpenRoot;
  readonly record: SkillRecord;
}

/** Skills by the digest of their text. */
type Groups = ReadonlyMap<string, readonly Placed[]>;

const PAGE = 32;
/** So many answers in a row that cannot be understood end the work. */
const MOST_UNREADABLE = 3;
/** Another process may write tags in the background so long after one that was stopped or has crashed, ms: short runs would pay again and again for answers that they do not wait for. */
const CLAIM_MS = 600_000;
/** The same after a model failed, or could not be understood. */
const AFTER_FAILURE_MS = 3_600_000;

/**
 * Has a model write tags for skills that may be offered and have none, and takes them into the index. A batch is kept as soon
 * as it is answered. Skills whose text has tags already, from another place, get those without a call. Throws the errors of the store.
 */
export async function tagSkills(parts: Omit<TaggingParts, 'pace'>, options: TagOptions): Promise<TagOutcome> {
  const { store, now, signal } = parts;
  const nobodyWaits = options.background === true;
  const pace = paceOf({ now, sliceMs: nobodyWaits ? 4 : 12, pauseMs: nobodyWaits ? 10 : 0, signal });
  const groups = await untaggedSkills({ ...parts, pace }, options);
  const nothing: TagOutcome = { wanted: groups.size, tagged: 0, unreadable: 0, failure: undefined, stopped: signal.aborted };
  if (groups.size === 0 || signal.aborted) return nothing;
  if (nobodyWaits && !store.claimTagging(now(), now() + CLAIM_MS)) return { ...nothing, stopped: true };
  if (options.confirm && !(await options.confirm(groups.size, Math.ceil(groups.size / TAG_BATCH)))) return { ...nothing, stopped: true };
  const outcome = await tagGroups({ ...parts, pace }, groups, options);
  if (nobodyWaits && !outcome.stopped) store.setTaggingFrom(outcome.failure !== undefined || outcome.unreadable > 0 ? now() + AFTER_FAILURE_MS : 0);
  return outcome;
}

async function tagGroups(parts: TaggingParts, groups: Groups, { ask, shared, progress }: TagOptions): Promise<TagOutcome> {
  const { signal } = parts;
  const all = [...groups];
  let [done, tagged, unreadable, inARow] = [0, 0, 0, 0];
  let failure: string | undefined;
  while (done < all.length && failure === undefined && inARow < MOST_UNREADABLE && !signal.aborted) {
    const some = all.slice(done, done + TAG_BATCH);
    const result = await tagBatch(parts, some, { ask, shared });
    if (result.kind === 'failed') failure = result.message;
    else done += some.length;
    if (result.kind === 'unreadable') unreadable += some.length;
    if (result.kind === 'written') tagged += result.count;
    inARow = result.kind === 'unreadable' ? inARow + 1 : 0;
    progress?.(done, all.length);
  }
  const stopped = signal.aborted && done < all.length;
  return { wanted: all.length, tagged, unreadable, failure: stopped ? undefined : failure, stopped };
}

async function tagBatch(parts: TaggingParts, groups: readonly (readonly [string, readonly Placed[]])[], { ask, shared }: Pick<TagOptions, 'ask' | 'shared'>): Promise<TagBatch> {
  const { store, signal } = parts;
  const skills: UntaggedSkill[] = [];
  for (const [digest, [first]] of groups) {
    const skill = first && (await readAgain(parts, first.at, first.record));
    // One that has changed since it was found has its turn another time.
    if (skill && skill !== 'gone' && digestOf(skill) === digest) skills.push({ digest, name: skill.facts.name, description: skill.facts.description, body: skill.body });
  }
  const result = await generateTags(skills, { ask, shared, store: store.tags, signal });
  if (result.kind === 'written') await takeIn(parts, groups.flatMap(([, placed]) => placed));
  return result;
}

/** Reads skills into the index anew, with the tags that their texts have now. */
async function takeIn(parts: TaggingParts, placed: readonly Placed[]): Promise<void> {
  const { store, pace } = parts;
  for (const at of new Set(placed.map((each) => each.at))) {
    const batch = batchFor(store, at);
    for (const { record } of placed.filter((each) => each.at === at)) {
      const skill = await readAgain(parts, at, record);
      if (skill !== 'gone') batch.add(skill);
    }
    batch.flush();
    await mergeRoot(store, at.record.id, { pace, atRest: false });
  }
}

/** Skills of the view that may be offered and have no tags. Those that were disabled, denied or shadowed are nobody's to offer, so nothing of them is sent. */
async function untaggedSkills(parts: TaggingParts, { first = [], limit }: TagOptions): Promise<Groups> {
  const { store, pace } = parts;
  const roots = new Map(parts.roots.map((at) => [at.record.id, at]));
  const groups = new Map<string, Placed[]>();
  const seen = new Set<number>();
  for (const page of pagesOf(parts, first)) {
    const wanting = new Set(page.filter(({ id }) => !seen.has(id)).map(({ id }) => id));
    const shared: Placed[] = [];
    for (const { record, entry } of await placeSkills(parts, withRivals(parts, page))) {
      if (groups.size >= limit || (pace.isUp() && !(await pace.rest()))) break;
      const at = roots.get(record.rootId);
      if (!at || !wanting.has(record.id) || !isOfferable(entry)) continue;
      seen.add(record.id);
      const skill = await readAgain(parts, at, record);
      if (skill === 'gone' || !mayBeOffered(skill.facts)) continue;
      const digest = digestOf(skill);
      const group = groups.get(digest);
      if (store.tags.get(digest) !== undefined) shared.push({ at, record });
      else if (group) group.push({ at, record });
      else groups.set(digest, [{ at, record }]);
    }
    await takeIn(parts, shared);
    if (groups.size >= limit || pace.isAborted()) break;
  }
  return groups;
}

function* pagesOf({ store, roots }: ViewParts, first: Iterable<string>): Generator<readonly SkillRecord[]> {
  const paths = [...first];
  for (let from = 0; from < paths.length; from += TAG_BATCH) {
    const some = paths.slice(from, from + TAG_BATCH);
    yield roots.flatMap(({ root: { folder }, record }) => store.skillsAt(record.id, some.filter((file) => file.startsWith(folder)).map((file) => file.slice(folder.length))).filter(({ wantsTags }) => wantsTags));
  }
  for (const { record } of roots) {
    for (let after = 0; ; ) {
      const page = store.skillsWantingTags(record.id, after, PAGE);
      const last = page.at(-1);
      if (!last) break;
      yield page;
      after = last.id;
    }
  }
}

function digestOf({ facts, body }: IndexedSkill): string {
  return textDigest(indexText(facts, body));
}
