import { indexRoot, mergeRoot, type IndexingParts, type OpenRoot } from './index-root.ts';
import type { IndexStore } from './index-store.ts';
import { paceOf } from './pace.ts';
import { rootKey } from './root-key.ts';

/** What a process works on roots with. */
export interface WorkerParts extends IndexingParts {
  /** Tells this process from others that use the same index. */
  readonly worker: string;
}

/** How far the indexing of a root has come. */
export interface IndexProgress {
  /** Skills of the root that are indexed so far. */
  readonly done: number;
  readonly folder: string;
}

/** How roots are brought up to date. */
export interface FillOptions {
  readonly progress?: ((progress: IndexProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How one root is worked on. */
export interface WorkOptions extends FillOptions {
  /** Compares known skills with their files. */
  readonly recheck: boolean;
  /** Stops at this time, without pauses until then. */
  readonly until?: number;
}

/** A process that has not renewed its claim for so long has lost it, ms. */
const CLAIM_MS = 5_000;
/** How often it is looked whether another process has finished, ms. */
const WAIT_MS = 100;
/** Slices of work that somebody waits for, and of work that nobody must notice, ms. */
const FILLING = { sliceMs: 10, pauseMs: 0 } as const;
const CHECKING = { sliceMs: 4, pauseMs: 10 } as const;

/** Brings roots up to date that were never searched to their end. Where another process is at it, waits for that. */
export async function fillRoots(parts: WorkerParts, roots: readonly OpenRoot[], { progress, signal }: FillOptions): Promise<void> {
  for (const at of roots) {
    while (signal?.aborted !== true && !isComplete(parts.store, at) && !(await workOnRoot(parts, at, { recheck: false, signal, progress }))) {
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  }
}

/** True when the root was searched to its end once. */
export function isComplete(store: IndexStore, { root }: OpenRoot): boolean {
  return store.roots([rootKey(root)])[0]?.complete === true;
}

/** Indexes a root, or checks it, while no other process does. False when one does, or when it had to stop. */
export async function workOnRoot(parts: WorkerParts, at: OpenRoot, { recheck, until, signal, progress }: WorkOptions): Promise<boolean> {
  const { store, now, worker } = parts;
  const record = store.roots([rootKey(at.root)])[0] ?? store.openRoot(rootKey(at.root), now());
  const claim = (): boolean => store.claimRoot(record.id, worker, now(), now() + CLAIM_MS);
  if (!claim()) return false;
  const pace = paceOf({ now, ...(recheck && until === undefined ? CHECKING : FILLING), ...(signal ? { signal } : {}), ...(until === undefined ? {} : { until }) });
  const ended = await indexRoot(parts, { ...at, record }, { pace, recheck, mayWrite: claim, progress: progress && ((done) => progress({ done, folder: at.root.folder })) });
  if (ended && claim()) await mergeRoot(store, record.id, { pace, atRest: true });
  store.claimRoot(record.id, worker, now(), 0);
  return ended;
}
