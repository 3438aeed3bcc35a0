import path from 'node:path';
import { withFileLock } from '../../host/file-lock.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import type { Postgres } from '../../store/postgres/postgres.ts';
import { DATA_FILES, type Counted } from './counted-files.ts';
import { reconcile, type ReconcileParts } from './reconcile.ts';
import { readState, writeState, type ReplicaState } from './replica-state.ts';
import { scanFiles } from './scan-files.ts';
import { sharedFiles } from './shared-files.ts';

/** How often a worker that stays looks whether others have changed something, ms: one small query. */
const LOOK_MS = 1_000;
/** How often files are looked at for what was changed by hand, ms. */
const SCAN_MS = 5_000;

/** A folder whose files all workers on a database have. */
export interface Replica {
  /** Takes what others have changed, and sends what was changed here if that was not looked at for a while. Before a turn, a listing, an execution. */
  fresh(): Promise<void>;
  /** Makes both sides the same now. Resolves to a sentence on each thing that could not be kept. */
  sync(): Promise<readonly string[]>;
  /** Does something that changes files, and resolves once all workers can have them. @throws SkillmintError library_busy where another worker has changed the same at the same time, and what `work` throws */
  change<T>(work: () => Promise<T>): Promise<T>;
  /** Sends what is not sent. Waits for no database that is down. */
  close(): Promise<void>;
}

/** What a replica is made of. */
export interface ReplicaParts {
  readonly db: Postgres;
  readonly tenant: string;
  /** The data folder, absolute. */
  readonly folder: string;
  /** Which folder of the tenant it is; `data` when left out. */
  readonly scope?: string;
  /** What of it is shared; the files of a data folder when left out. */
  readonly counted?: Counted;
  /** ms since 1970. */
  readonly now: () => number;
  /** Looks by itself from time to time. */
  readonly stays: boolean;
  /** Is told of files that are others than when it was last told: others have changed them, or this machine. */
  readonly onChanged?: (paths: readonly string[]) => void;
  /** Is told, one sentence each, of what could not be kept and of a database that does not answer. */
  readonly log: (line: string) => void;
}

/** Opens a replica and fills the folder. @throws SkillmintError store_unavailable, config_invalid where the folder has files that do not belong there */
export async function openReplica(given: ReplicaParts): Promise<Replica> {
  const { db, tenant, folder, scope = 'data', counted = DATA_FILES, now, stays, log } = given;
  const stateFile = path.join(folder, 'replica', `${encodeURIComponent(scope)}.json`);
  const parts: ReconcileParts = { root: folder, counted, shared: sharedFiles(db, { tenant, scope }), place: db.place, now, keep: (known) => writeState(stateFile, known) };
  const told: string[] = [];
  let state = readState(stateFile);
  let scannedAt = Number.NEGATIVE_INFINITY;
  const isSame = async (scans: boolean): Promise<boolean> => {
    const head = await parts.shared.head();
    return state.id === head.id && state.revision === head.revision && (!scans || (await isAsKnown(parts, state)));
  };
  const once = async (scans: boolean): Promise<void> => {
    if (scans) scannedAt = now();
    if (await isSame(scans)) return;
    await withFileLock(stateFile, async () => {
      const before = readState(stateFile);
      const { state: after, problems } = await reconcile(parts, before);
      if (after !== before) await writeState(stateFile, after);
      const changed = differing(state, after);
      state = after;
      told.push(...problems);
      problems.forEach(log);
      if (changed.length > 0) given.onChanged?.(changed);
    });
  };
  const inTurn = joined(once);
  const timer = stays ? setInterval(quietly(() => inTurn(now() - scannedAt >= SCAN_MS), log), LOOK_MS).unref() : undefined;
  await inTurn(true);
  return {
    fresh: () => inTurn(now() - scannedAt >= SCAN_MS),
    async sync() {
      const from = told.length;
      await inTurn(true);
      return told.slice(from);
    },
    async change(work) {
      await inTurn(true);
      const from = told.length;
      const result = await work();
      await inTurn(true);
      if (told.length > from) throw new SkillmintError('library_busy', told.slice(from).join(' '));
      return result;
    },
    async close() {
      clearInterval(timer);
      await inTurn(true).catch((error: unknown) => log(messageOf(error)));
    },
  };
}

/** Paths of files that differ, or that only one of them has. */
function differing({ files: before }: ReplicaState, { files: after }: ReplicaState): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((at) => before.get(at)?.digest !== after.get(at)?.digest);
}

async function isAsKnown({ root, counted }: ReconcileParts, { files: known }: ReplicaState): Promise<boolean> {
  const { files, refused } = await scanFiles(root, counted, known);
  return refused.length === 0 && files.size === known.size && [...files.values()].every(({ path: at, mark }) => known.get(at)?.mark === mark);
}

/** Runs one after the other; calls that come while one waits to begin are one with it. */
function joined(once: (scans: boolean) => Promise<void>): (scans: boolean) => Promise<void> {
  let last = Promise.resolve();
  let next: { scans: boolean; readonly done: Promise<void> } | undefined;
  return (scans) => {
    if (next) {
      next.scans ||= scans;
      return next.done;
    }
    const done = last.then(() => {
      const wanted = next?.scans ?? scans;
      next = undefined;
      return once(wanted);
    });
    last = done.catch(() => undefined);
    next = { scans, done };
    return done;
  };
}

/** Says once what goes wrong, until it goes well. */
function quietly(work: () => Promise<void>, log: (line: string) => void): () => void {
  let said = '';
  let busy = false;
  return () => {
    if (busy) return;
    busy = true;
    work().then(() => { said = ''; }, (error: unknown) => {
      if (messageOf(error) !== said) log(`the files of other workers cannot be had: ${messageOf(error)}`);
      said = messageOf(error);
    }).finally(() => { busy = false; });
  };
}
