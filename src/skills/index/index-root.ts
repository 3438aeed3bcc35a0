import path from 'node:path';
import type { FolderEntry, ReadTree } from '../../host/host.ts';
import { messageOf, systemCode } from '../../protocol/errors.ts';
import { canBeKept, type SkillFacts } from '../discover/kept-skill.ts';
import { foundReader } from '../discover/read-found.ts';
import { isSettled } from '../discover/signature.ts';
import type { SkillProblem, SkillRoot } from '../discover/skill-root.ts';
import type { FoundSkill, WalkStep } from '../discover/walk-root.ts';
import { walkSource } from '../discover/walk-source.ts';
import { fileSignature } from './file-signature.ts';
import { batchFor, type BatchBuilder } from './index-batch.ts';
import type { IndexStore, RootRecord } from './index-store.ts';
import { mergeCandidates, mergeSegments } from './merge-segments.ts';
import { claimsName, notesOf, placeInRoot } from './new-skill.ts';
import type { Pace } from './pace.ts';
import { isNestedKey, sortKey } from './sort-key.ts';

/** What indexing works with. */
export interface IndexingParts {
  readonly store: IndexStore;
  readonly tree: ReadTree;
  /** ms since 1970. */
  readonly now: () => number;
}

/** A root that lies in a folder which exists. */
export interface OpenRoot {
  readonly root: SkillRoot;
  /** Real path. */
  readonly real: string;
  readonly record: RootRecord;
}

/** How a root is indexed. */
export interface IndexRootOptions {
  readonly pace: Pace;
  /** Looks at the files of known skills too; otherwise only at what is not known yet. */
  readonly recheck: boolean;
  /** Called after every slice with the number of skills of the root that are known by then. */
  readonly progress?: ((done: number) => void) | undefined;
  /** Called before every write; false ends the work. */
  readonly mayWrite?: () => boolean;
}

/** Skills that are written at once: some ten milliseconds' work. */
const BATCH = 100;
const PAGE = 500;
/** Skills that every call deals with. */
const LEAST = 16;

interface KnownPlace {
  readonly place: string;
  readonly sortKey: string;
}

interface Known {
  /** By place. */
  readonly signatures: ReadonlyMap<string, number | undefined>;
  /** Skills of which the walk may leave out the folder: those in plugins and single files are always looked at. */
  readonly byFolder: ReadonlyMap<string, KnownPlace>;
  /** Places that the walk has not met. */
  readonly unseen: Set<string>;
}

/**
 * Walks a root and brings the index up to date: what is new or changed is read, what is gone is removed. True when it came
 * to the end; false when it had to stop, and then the next call goes on from there.
 */
export async function indexRoot(parts: IndexingParts, at: OpenRoot, options: IndexRootOptions): Promise<boolean> {
  const { store, now } = parts;
  const listedMs = listedTime(parts.tree, at.real, now());
  const known = await readKnown(store, at.record.id, options.pace);
  if (!known) return false;
  const batch = batchFor(store, at);
  const state: Work = { parts, at, options, known, batch, problems: [], last: undefined, done: 0, found: 0, read: foundReader(parts.tree) };
  const ended = await walk(state);
  if (options.mayWrite?.() === false) return false;
  if (ended) for (const place of known.unseen) batch.remove(place);
  batch.flush();
  if (!ended) {
    if (options.recheck && state.last !== undefined) store.changeRoot(at.record.id, { checkedTo: state.last });
    return false;
  }
  const problemsChanged = !at.record.complete || JSON.stringify(at.record.problems) !== JSON.stringify(state.problems);
  store.changeRoot(at.record.id, {
    listedMs: listedMs ?? null,
    ...(problemsChanged ? { complete: true, problems: state.problems } : {}),
    ...(options.recheck || !at.record.complete ? { checkedAt: now(), checkedTo: null } : {}),
  });
  return true;
}

interface Work {
  readonly parts: IndexingParts;
  readonly at: OpenRoot;
  readonly options: IndexRootOptions;
  readonly known: Known;
  readonly batch: BatchBuilder;
  readonly problems: SkillProblem[];
  readonly read: ReturnType<typeof foundReader>;
  /** Sort key of what was dealt with last. */
  last: string | undefined;
  done: number;
  /** Those of them that were not known. */
  found: number;
}

async function walk(state: Work): Promise<boolean> {
  const { at, options, parts, known } = state;
  const checkedTo = options.recheck ? at.record.checkedTo : undefined;
  const skips = (folder: string): boolean => {
    const place = known.byFolder.get(folder.slice(at.root.folder.length));
    return place !== undefined && (!options.recheck || (checkedTo !== undefined && place.sortKey <= checkedTo));
  };
  const steps = walkSource(parts.tree, at.root, { skips });
  for (;;) {
    const step = nextStep(steps, state);
    if (step === undefined) return true;
    if (step.kind === 'problem') state.problems.push(step.problem);
    if (step.kind === 'skipped') known.unseen.delete(known.byFolder.get(step.folder.slice(at.root.folder.length))?.place ?? '');
    if (step.kind === 'skill') await take(state, step.found, step.entries);
    // Each call gets on, however little time it has: otherwise short ones would never come to the end.
    if (!options.pace.isUp() || (state.done < LEAST && !options.pace.isAborted())) continue;
    options.progress?.(known.signatures.size + state.found);
    if (!(await options.pace.rest())) return false;
    if (state.batch.size() >= BATCH && !(await write(state))) return false;
  }
}

/** What goes wrong with a root is said of the root. */
function nextStep(steps: Generator<WalkStep>, { problems, at }: Work): WalkStep | undefined {
  try {
    const { value, done } = steps.next();
    return done === true ? undefined : value;
  } catch (error) {
    problems.push({ path: at.root.folder, message: messageOf(error) });
    return undefined;
  }
}

async function take(state: Work, found: FoundSkill, entries: readonly FolderEntry[]): Promise<void> {
  const { parts, known, batch } = state;
  const place = placeInRoot(found);
  // A command is one small file.
  const signature = found.command === undefined ? fileSignature(parts.tree, { folder: found.realFolder, entries }, parts.now) : undefined;
  state.last = sortKey(found);
  state.done += 1;
  if (!known.signatures.has(place)) state.found += 1;
  known.unseen.delete(place);
  if (known.signatures.has(place) && signature !== undefined && known.signatures.get(place) === signature && !isFoundOtherwise(state, found)) return;
  const { body, facts } = await state.read(found, entries);
  if (isUnchanged(state, found, { place, signature, facts })) return;
  batch.add({ found, facts, body, signature });
}

/** Of a skill in a plugin, something is known from the plugin's manifest, which is no file of the skill. */
function isFoundOtherwise({ parts, at }: Work, found: FoundSkill): boolean {
  return found.within !== undefined && parts.store.skillsAt(at.record.id, [placeInRoot(found)])[0]?.notes !== notesOf(found);
}

/** Skills whose files have no signature, or that cannot be kept, are read each time; they are written only when they say something else. */
function isUnchanged(state: Work, found: FoundSkill, { place, signature, facts }: { readonly place: string; readonly signature: number | undefined; readonly facts: SkillFacts }): boolean {
  const { parts, at, known } = state;
  if (!known.signatures.has(place) || known.signatures.get(place) !== undefined || isFoundOtherwise(state, found)) return false;
  const [record] = parts.store.skillsAt(at.record.id, [place]);
  if (!canBeKept(facts)) return record?.name === facts.name && !claimsName(facts);
  return signature === undefined && record?.facts === JSON.stringify(facts);
}

async function write(state: Work): Promise<boolean> {
  if (state.options.mayWrite?.() === false) return false;
  state.batch.flush();
  return mergeRoot(state.parts.store, state.at.record.id, { pace: state.options.pace, atRest: false });
}

/** Makes few segments of many, where there are many. False when it had to stop. `atRest` when nothing more is to come soon. */
export async function mergeRoot(store: IndexStore, root: number, { pace, atRest }: { readonly pace: Pace; readonly atRest: boolean }): Promise<boolean> {
  const from = mergeCandidates(store.segments([root]), { atRest });
  if (from.length === 0) return true;
  for (const _step of mergeSegments(store, from)) if (pace.isUp() && !(await pace.rest())) return false;
  return true;
}

async function readKnown(store: IndexStore, root: number, pace: Pace): Promise<Known | undefined> {
  const signatures = new Map<string, number | undefined>();
  const byFolder = new Map<string, KnownPlace>();
  for (let after = 0; ; ) {
    const page = store.places(root, after, PAGE);
    for (const { place, sortKey, signature } of page) {
      signatures.set(place, signature);
      if (!isNestedKey(sortKey) && /^skill\.md$/i.test(path.basename(place))) byFolder.set(path.dirname(place), { place, sortKey });
    }
    const last = page.at(-1);
    if (!last) return { signatures, byFolder, unseen: new Set(signatures.keys()) };
    after = last.id;
    if (pace.isUp()) await pace.rest();
    if (pace.isAborted()) return undefined;
  }
}

/** Time of the folder's last change; undefined when it is so late that another could look the same, or cannot be told. */
export function listedTime(tree: ReadTree, folder: string, now: number): number | undefined {
  let mtimeMs: number;
  try {
    ({ mtimeMs } = tree.stat(folder));
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return undefined;
  }
  return isSettled(mtimeMs, now) ? mtimeMs : undefined;
}
