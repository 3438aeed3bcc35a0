import fs from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../host/local-write.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { finishAbandoned } from '../../skills/library/commit-change.ts';
import { inLibrary } from '../../skills/library/library-folder.ts';
import { withLibraryLock } from '../../skills/library/library-lock.ts';
import { sha256 } from '../../skills/sha256.ts';
import { applyFiles } from './apply-files.ts';
import { unitOf, type Counted } from './counted-files.ts';
import { isMerged, mergeJson } from './merge-json.ts';
import { NO_CONTACT, type KnownFile, type ReplicaState } from './replica-state.ts';
import { contentOf, scanFiles, type LocalFile, type Scanned } from './scan-files.ts';
import { setAside } from './set-aside.ts';
import type { FileChange, SharedFile, SharedFiles } from './shared-files.ts';

const ATTEMPTS = 50;
/** Made by each server for itself; that of the database counts. */
const OF_ANY_SERVER = 'serve-token';

/** What two sides are made the same with. */
export interface ReconcileParts {
  readonly root: string;
  readonly counted: Counted;
  readonly shared: SharedFiles;
  /** Host, port and name of the database. */
  readonly place: string;
  readonly now: () => number;
  /** Keeps what is known, for whoever goes on after a crash: called before files here are replaced. */
  readonly keep: (state: ReplicaState) => Promise<void>;
}

/** What came of it. */
export interface Reconciled {
  readonly state: ReplicaState;
  /** A sentence on each thing that could not be kept, and where it lies now. */
  readonly problems: readonly string[];
}

/**
 * Makes a folder and the database the same: sends what was changed here, takes what others have changed. Where both have changed the
 * same, entries of a list are joined; else what the database has counts, and what was here is set aside, with a sentence.
 * @throws SkillmintError config_invalid for a folder that belongs elsewhere, store_corrupt, invalid_argument, io
 */
export async function reconcile(parts: ReconcileParts, known: ReplicaState): Promise<Reconciled> {
  const { root, counted, shared } = parts;
  const problems: string[] = [];
  let state = known;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const head = await shared.head();
    state = contact(parts, state, head);
    const { files, refused } = await scanQuietly(parts, state);
    if (refused.length > 0) {
      const folder = await setAside(root, refused.map(({ path: at }) => at), { now: parts.now(), keep: false });
      problems.push(...refused.map(({ path: at, why }) => `${at} cannot be shared with other workers: ${why}. It lies in ${folder ?? root} now.`));
    }
    state = asBegun(state, files, head.revision);
    const theirs = head.revision > state.revision ? await shared.since(state.revision) : [];
    if (state.revision === 0) refuseMixture(parts, { state, files, theirs });
    const split = await settle(parts, { state, files, theirs });
    if (!split) continue;
    if (split.conflicts.length > 0) problems.push(await giveWay(parts, split.conflicts));
    if (split.take.length > 0) {
      state = { ...state, taking: split.take };
      await parts.keep(state);
    }
    if (!(await applyFiles({ root, counted, shared, known: state.files, seen: files }, split.take))) continue;
    for (const { path: at, text } of split.merged) await writeWhole(path.join(root, at), text, { mode: files.get(at)?.mode ?? 0o600, shown: at, follow: false });
    state = { ...state, revision: Math.max(state.revision, ...theirs.map(({ revision }) => revision)), files: asTaken(state, theirs) };
    const here = theirs.length > 0 ? (await scanQuietly(parts, state)).files : files;
    const changes = changesOf(root, state.files, here);
    const revision = changes.length === 0 ? state.revision : await push(shared, changes);
    if (revision === undefined) continue;
    state = asSame(root, { ...state, revision }, here);
    return { state, problems };
  }
  throw new SkillmintError('store_unavailable', `The files of ${root} and those in the database ${parts.place} keep changing; try again.`);
}

/** What lies here while nobody changes skills: what was begun is finished, so that no skill goes without its entry in the lock file. */
async function scanQuietly({ root, counted }: ReconcileParts, { files }: ReplicaState): Promise<Scanned> {
  const folder = path.join(root, 'skills');
  if (!counted.tops.includes('skills') || !fs.existsSync(folder)) return scanFiles(root, counted, files);
  return inLibrary({ scope: 'user', folder, data: root }, (open) => withLibraryLock(open.folder, async () => {
    await finishAbandoned(open);
    return scanFiles(root, counted, files);
  }));
}

/** The state that counts for the folder in the database. */
function contact({ root, place }: ReconcileParts, state: ReplicaState, head: { readonly id: string; readonly revision: number }): ReplicaState {
  if (state.id !== '' && state.id !== head.id) throw new SkillmintError('config_invalid', `The data folder ${root} holds the shared files of another database than ${place}, or of another user. Name another data folder with SKILLMINT_HOME: an empty one is filled from the database.`);
  // One that was restored from a backup knows less than was taken from it.
  return state.id === '' || head.revision < state.revision ? { ...NO_CONTACT, id: head.id } : state;
}

/** At the first contact nothing is mixed: a folder is filled, or fills a database that has no files, or is the same as far as it goes. */
function refuseMixture({ root, place }: ReconcileParts, { state, files, theirs }: Sides): void {
  const there = new Map(theirs.flatMap(({ path: at, digest }) => (digest === undefined ? [] : [[at, digest]])));
  if (there.size === 0) return;
  const other = [...files.values()].filter(({ path: at, digest }) => at !== OF_ANY_SERVER && there.get(at) !== digest && state.files.get(at)?.digest !== digest).map(({ path: at }) => at);
  if (other.length > 0) throw new SkillmintError('config_invalid', `The data folder ${root} has ${other.length} files that the database ${place} does not have like this (${other.slice(0, 3).join(', ')}${other.length > 3 ? ' …' : ''}), and they are not mixed without a word. Name an empty folder with SKILLMINT_HOME, which is filled from the database; what is missing there is taken over with: skillmint db import --from ${root} --replace`);
}

interface Sides {
  readonly state: ReplicaState;
  readonly files: ReadonlyMap<string, LocalFile>;
  readonly theirs: readonly SharedFile[];
}

interface Settled {
  /** Files that become what the database has. */
  readonly take: readonly SharedFile[];
  /** Files with the entries of both. */
  readonly merged: readonly { readonly path: string; readonly text: string }[];
  /** Units whose changes here give way. */
  readonly conflicts: readonly string[];
}

/** Undefined where what the others have was replaced meanwhile. */
async function settle({ root, shared }: ReconcileParts, { state, files, theirs }: Sides): Promise<Settled | undefined> {
  const news = theirs.filter(({ path: at, digest, mode }) => !(files.get(at)?.digest === digest && (digest === undefined || files.get(at)?.mode === mode)));
  const mine = new Set([...files.keys(), ...state.files.keys()].filter((at) => isOther(files.get(at), state.files.get(at)) && !isAsTheirs(files.get(at), theirs.find((one) => one.path === at))).map(unitOf));
  const both = news.filter(({ path: at }) => mine.has(unitOf(at)));
  const merged: { readonly path: string; readonly text: string }[] = [];
  const digests = both.flatMap(({ path: at, digest }) => (isMerged(at) && digest !== undefined && files.has(at) && state.texts.has(at) ? [digest] : []));
  const texts = new Map<string, string>();
  await shared.contents(digests, async (digest, content) => void texts.set(digest, Buffer.from(content).toString()));
  if (texts.size < new Set(digests).size) return undefined;
  for (const { path: at, digest = '' } of both) {
    const [base, other] = [state.texts.get(at), texts.get(digest)];
    const text = base === undefined || other === undefined ? undefined : mergeJson({ base, mine: fs.readFileSync(path.join(root, at), 'utf8'), theirs: other });
    if (text !== undefined) merged.push({ path: at, text });
  }
  const joined = new Set(merged.map(({ path: at }) => at));
  return { merged, take: news.filter(({ path: at }) => !joined.has(at)), conflicts: [...new Set(both.map(({ path: at }) => unitOf(at)))].filter((unit) => !joined.has(unit)) };
}

function isOther(here: LocalFile | undefined, known: Pick<KnownFile, 'digest' | 'mode'> | undefined): boolean {
  return here?.digest !== known?.digest || here?.mode !== known?.mode;
}

function isAsTheirs(here: LocalFile | undefined, there: SharedFile | undefined): boolean {
  return there !== undefined && here?.digest === there.digest && (there.digest === undefined || here?.mode === there.mode);
}

async function giveWay({ root, now }: ReconcileParts, units: readonly string[]): Promise<string> {
  const folder = await setAside(root, units, { now: now(), keep: true });
  return `Another worker has changed ${units.join(', ')} at the same time, and its change counts. ${folder === undefined ? 'Look at it' : `What was here lies in ${folder}: look at it`}, and make your change again.`;
}

/** What is known where taking it has begun and was not finished: files that lie here as they were to be taken are no changes of this worker. */
function asBegun(state: ReplicaState, here: ReadonlyMap<string, LocalFile>, newest: number): ReplicaState {
  return { ...state, files: asTaken(state, state.taking.filter((one) => one.revision <= newest && isAsTheirs(here.get(one.path), one))), taking: [] };
}

/** Which files are known once the changes of others are here; the files themselves are looked at next. */
function asTaken(state: ReplicaState, theirs: readonly SharedFile[]): ReplicaState['files'] {
  const files = new Map(state.files);
  for (const { path: at, digest, mode } of theirs) {
    if (digest === undefined) files.delete(at);
    else files.set(at, { digest, mode, mark: '' });
  }
  return files;
}

/** What is to be sent, so that the database has what lies here. */
export function changesOf(root: string, known: ReadonlyMap<string, Pick<KnownFile, 'digest' | 'mode'>>, files: ReadonlyMap<string, LocalFile>): readonly FileChange[] {
  return [...new Set([...files.keys(), ...known.keys()])].flatMap((at): FileChange[] => {
    const [here, before] = [files.get(at), known.get(at)];
    if (!isOther(here, before)) return [];
    return [{ path: at, digest: here?.digest, size: here?.size ?? 0, mode: here?.mode ?? 0, before: before?.digest, read: () => contentOf(path.join(root, at), here?.mode ?? 0) }];
  });
}

/** The revision that has them; undefined where others were faster, or a file was changed while it was read. */
async function push(shared: SharedFiles, changes: readonly FileChange[]): Promise<number | undefined> {
  const pushed = await shared.push(changes);
  return pushed.kind === 'kept' ? pushed.revision : undefined;
}

/** Both sides are what was seen here. */
function asSame(root: string, state: ReplicaState, seen: ReadonlyMap<string, LocalFile>): ReplicaState {
  const texts = new Map<string, string>();
  for (const [at, { digest }] of seen) {
    if (!isMerged(at)) continue;
    const known = state.texts.get(at);
    const text = known !== undefined && sha256(known) === digest ? known : Buffer.from(contentOf(path.join(root, at), 0)).toString();
    if (sha256(text) === digest) texts.set(at, text);
  }
  return { ...state, files: new Map([...seen].map(([at, { digest, mode, mark }]) => [at, { digest, mode, mark }])), texts, taking: [] };
}
