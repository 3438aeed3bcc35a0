import type { Visibility } from '../discover/catalogue.ts';
import type { ReadTree } from '../../host/host.ts';
import type { Resolution } from '../discover/resolve-skill.ts';
import type { SkillView } from '../skill-view.ts';
import type { VectorStore } from '../search/vector-store.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { hotReload } from './hot-reload.ts';
import type { OpenRoot } from './index-root.ts';
import type { IndexStore } from './index-store.ts';
import { openIndexFile, type IndexFileOptions, type OpenedIndexFile } from './open-index-file.ts';
import { keptVectors } from './kept-vectors.ts';
import { openRoots, openView, type OpenedView, type OpenViewOptions } from './open-view.ts';
import { rootKey } from './root-key.ts';
import type { TagOptions, TagOutcome } from './tag-skills.ts';
import { fillRoots, isComplete, workOnRoot, type FillOptions, type IndexProgress, type WorkerParts } from './work-on-roots.ts';
import { sqliteIndexStore } from './sqlite-index-store.ts';

/** How far the first indexing of skills has come beside other work. */
export interface IndexingState {
  /** Skills that are indexed so far, of the roots that were not when it began. */
  readonly done: number;
  /** `left` when this process ends before it is complete. */
  readonly state: 'running' | 'complete' | 'left';
}

/** What an index works with. */
export interface SkillIndexOptions extends IndexFileOptions {
  readonly tree: ReadTree;
  /** Version of the program: what another one has read is read again. */
  readonly program: string;
  /** Tells this process from others that use the same index. */
  readonly worker: string;
  /** ms since 1970. */
  readonly now: () => number;
  /** The process stays: skills are watched, and what changes is in the next view. */
  readonly stays?: boolean;
  /** Is told how far the first indexing has come in the background, if there is any, and how it ended. */
  readonly onProgress?: ((progress: IndexingState) => void) | undefined;
}

/** Roots that were checked so lately are not checked again, ms. */
const CHECK_EVERY_MS = 60_000;
/** Work that nobody waits for begins so long after it was asked for, ms: what is in progress then has gone its way. */
const CHECK_AFTER_MS = 300;
/** How long a name waits for skills that are being read for the first time, and how often it is looked for meanwhile, ms. */
const READ_WAIT_MS = 10_000;
const READ_AGAIN_MS = 50;
/** Blocks that are removed in one step. */
const DROPPED_AT_ONCE = 500;
/** Roots that no process has asked for in so long are forgotten, ms. */
const FORGET_AFTER_MS = 90 * 86_400_000;

/** The skill index of one process: opens views, and keeps the index up to date while the process has time for it. */
export class SkillIndex {
  readonly #options: SkillIndexOptions;
  #file: OpenedIndexFile;
  #store: IndexStore;
  readonly #notices: string[] = [];
  readonly #stop = new AbortController();
  /** Roots to bring up to date, by their folders. */
  readonly #waiting = new Map<string, OpenRoot>();
  #work: Promise<void> | undefined;
  #filling = false;
  readonly #tagging = new Set<Promise<TagOutcome>>();
  readonly #reload = hotReload();

  constructor(options: SkillIndexOptions) {
    this.#options = options;
    this.#file = openIndexFile(options);
    this.#store = this.#use(this.#file);
  }

  /** The tables. Changes when a damaged index is made anew. */
  get store(): IndexStore {
    return this.#store;
  }

  /** Vectors of texts, kept beside the index. */
  get vectors(): VectorStore {
    return keptVectors(this.#file.db);
  }

  /** False for an index of this process alone: what is put into it is gone with it. */
  get lasts(): boolean {
    return this.#file.lasts;
  }

  /** Adds to what a person should know. */
  addNotice(notice: string): void {
    this.#notices.push(notice);
  }

  /** What a person should know of the index; each is given once. */
  takeNotices(): readonly string[] {
    return this.#notices.splice(0);
  }

  /** Files right in these folders were changed, real paths: the next view has them as they are then. */
  noteChanged(folders: readonly string[]): void {
    this.#reload.note(folders);
  }

  /** The skills of some roots. An index that turns out to be damaged is made anew. */
  async openView(options: OpenViewOptions): Promise<OpenedView & { readonly view: SkillView }> {
    await this.#mended(() => this.#reload.takeIn(this.#parts(), () => openRoots(this.#parts(), options).roots));
    const { view, roots } = await this.#mended(() => openView(this.#parts(), options));
    const store = this.#store;
    // A view of an index that has been made anew since is of no use any more.
    const current = async (): Promise<OpenedView['view']> => (this.#store === store ? view : (await openView(this.#parts(), options)).view);
    return {
      roots,
      view: {
        ...view,
        takeNotices: () => this.takeNotices(),
        rank: (text, k) => this.#mended(async () => (await current()).rank(text, k)),
        resolve: (name) => this.#resolve(name, { roots, complete: view.complete, ask: () => this.#mended(async () => (await current()).resolve(name)) }),
        withPaths: () => this.#mended(async () => (await current()).withPaths()),
      },
    };
  }

  /** While skills are read for the first time, only one that has the very name is taken at once: a better one than any other may still come. */
  async #resolve(name: string, { roots, complete, ask }: { readonly roots: readonly OpenRoot[]; readonly complete: boolean; readonly ask: () => Promise<Resolution> }): Promise<Resolution> {
    const until = this.#options.now() + READ_WAIT_MS;
    let isRead = complete;
    for (;;) {
      const answer = await ask();
      if (isRead || (answer.kind === 'found' && [answer.entry.id, answer.entry.handle, answer.entry.name].includes(name))) return answer;
      if (this.#stop.signal.aborted || this.#options.now() >= until) return answer.kind === 'missing' ? { ...answer, unread: true } : answer;
      this.background(roots);
      await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
      isRead = roots.every((at) => isComplete(this.#store, at));
    }
  }

  /** Brings roots up to date, with nothing held back: a person waits for it. */
  async fill(roots: readonly OpenRoot[], { progress, signal }: FillOptions = {}): Promise<void> {
    const stop = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    await this.#mended(() => fillRoots(this.#parts(), this.#known(roots), { signal: stop, progress }));
  }

  /** Compares what is known of roots with their files, for `budgetMs` at most. */
  async check(roots: readonly OpenRoot[], budgetMs: number): Promise<void> {
    const until = this.#options.now() + budgetMs;
    await this.#mended(async () => {
      for (const at of this.#known(roots)) if (this.#options.now() < until) await workOnRoot(this.#parts(), at, { recheck: true, until, signal: this.#stop.signal });
    });
  }

  /** Compares all that is known of roots with their files, and finds what is new: for a person who wants it now. */
  async refresh(roots: readonly OpenRoot[]): Promise<void> {
    await this.#mended(async () => {
      const parts = this.#parts();
      for (const at of this.#known(roots)) {
        parts.store.changeRoot(at.record.id, { checkedTo: null });
        await workOnRoot(parts, at, { recheck: true, until: Number.POSITIVE_INFINITY, signal: this.#stop.signal });
      }
    });
  }

  /** Brings roots up to date in the background: at once what was never searched to its end, later what may have changed. */
  background(roots: readonly OpenRoot[]): void {
    if (this.#stop.signal.aborted) return;
    for (const at of roots) this.#waiting.set(at.root.folder, at);
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
    });
  }

  /** Has a model write tags for skills that want some, after the work in the background; see `tagSkills`. Stops when the index closes. */
  async tag(roots: readonly OpenRoot[], { visibility, signal, ...options }: TagOptions & { readonly visibility: Visibility; readonly signal?: AbortSignal }): Promise<TagOutcome> {
    const stop = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    const tagging = (async (): Promise<TagOutcome> => {
      await this.#work;
      const { tagSkills } = await import('./tag-skills.ts');
      if (stop.aborted) return { wanted: 0, tagged: 0, unreadable: 0, failure: undefined, stopped: true };
      return this.#mended(() => tagSkills({ ...this.#parts(), roots: this.#known(roots), visibility, signal: stop }, options));
    })();
    this.#tagging.add(tagging);
    try {
      return await tagging;
    } finally {
      this.#tagging.delete(tagging);
    }
  }

  /** Stops. Skills that are being indexed for the first time are gone on with for `finishMs` at most. */
  async close({ finishMs = 0 }: { readonly finishMs?: number } = {}): Promise<void> {
    if (this.#work && this.#filling && finishMs > 0) await Promise.race([this.#work, new Promise((resolve) => setTimeout(resolve, finishMs))]);
    this.#stop.abort();
    this.#reload.close();
    await this.#work;
    await Promise.allSettled(this.#tagging);
    this.#file.close();
  }

  #parts(): WorkerParts {
    const { tree, now, worker } = this.#options;
    return { store: this.#store, tree, now, worker };
  }

  #use(file: OpenedIndexFile): IndexStore {
    if (file.notice !== undefined) this.#notices.push(file.notice);
    return sqliteIndexStore(file.db, this.#options.program);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    try {
      while (this.#waiting.size > 0 && !signal.aborted) {
        const roots = [...this.#waiting.values()];
        this.#waiting.clear();
        await this.#fill(roots, signal);
        await this.#check(roots, signal);
        if (this.#options.stays === true && !signal.aborted) this.#reload.watch(this.#parts(), roots);
      }
    } catch (error) {
      if (isDamage(error)) this.#remake(error);
      else this.#notices.push(`Skills could not be indexed further: ${messageOf(error)}.`);
    } finally {
      this.#filling = false;
    }
  }

  async #fill(roots: readonly OpenRoot[], signal: AbortSignal): Promise<void> {
    const told = new Map<string, number>();
    const tell = (state: IndexingState['state']): void => this.#options.onProgress?.({ done: [...told.values()].reduce((sum, done) => sum + done, 0), state });
    const progress = ({ folder, done }: IndexProgress): void => {
      told.set(folder, done);
      tell('running');
    };
    this.#filling = true;
    for (const at of roots) if (!signal.aborted && !isComplete(this.#store, at)) await workOnRoot(this.#parts(), at, { recheck: false, signal, progress });
    this.#filling = false;
    if (told.size > 0) tell(roots.every((at) => isComplete(this.#store, at)) ? 'complete' : 'left');
  }

  async #check(roots: readonly OpenRoot[], signal: AbortSignal): Promise<void> {
    const { now } = this.#options;
    this.#store.forgetRoots(now() - FORGET_AFTER_MS);
    const due = roots.filter(({ root }) => (this.#store.roots([rootKey(root)])[0]?.checkedAt ?? 0) < now() - CHECK_EVERY_MS);
    if (due.length === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CHECK_AFTER_MS);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      }, { once: true });
    });
    for (const at of due) if (!signal.aborted) await workOnRoot(this.#parts(), at, { recheck: true, signal });
    if (!signal.aborted) dropStray(this.#store);
  }

  /** The roots as the index has them now: it may have been made anew since they were opened. */
  #known(roots: readonly OpenRoot[]): readonly OpenRoot[] {
    return roots.map((at) => ({ ...at, record: this.#store.openRoot(rootKey(at.root), this.#options.now()) }));
  }

  /** Does the work, and once more after an index that turned out to be damaged was made anew. */
  async #mended<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#remake(error);
      return work();
    }
  }

  #remake(why: SkillmintError): void {
    this.#file = this.#file.remake(why);
    this.#store = this.#use(this.#file);
  }
}

function isDamage(error: unknown): error is SkillmintError {
  return error instanceof SkillmintError && error.code === 'store_corrupt';
}

/** Removes what merges of processes that are gone have left over. */
function dropStray(store: IndexStore): void {
  for (const segment of store.straySegments()) while (store.dropBlocks(segment, DROPPED_AT_ONCE)) continue;
}
