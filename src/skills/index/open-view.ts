import type { ReadTree } from '../../host/host.ts';
import type { Visibility } from '../discover/catalogue.ts';
import { skillRoots, type RootOptions } from '../discover/roots.ts';
import type { SkillProblem } from '../discover/skill-root.ts';
import { openRootFolder } from '../discover/walk-root.ts';
import type { SkillView } from '../skill-view.ts';
import { indexRoot, listedTime, type IndexingParts, type OpenRoot } from './index-root.ts';
import type { RootRecord } from './index-store.ts';
import { paceOf } from './pace.ts';
import { rootKey } from './root-key.ts';
import { storedView, type StoredViewOptions } from './stored-view.ts';
import { countUsable } from './view-total.ts';

/** Which skills a view has. */
export interface OpenViewOptions extends RootOptions, Partial<Visibility>, Pick<StoredViewOptions, 'lexicon' | 'refine'> {
  /** Everything that `disabled`, `denied` and `offersMeta` were made from. */
  readonly visibilityKey: string;
  /** How long roots that are new or have changed may be searched before the view is made, ms. */
  readonly budgetMs: number;
}

/** A view with the roots that it was made of. */
export interface OpenedView {
  readonly view: Omit<SkillView, 'takeNotices'>;
  readonly roots: readonly OpenRoot[];
}

/** A root that was not asked for in this time is remembered as asked for again, ms. */
const SEEN_EVERY_MS = 86_400_000;

/**
 * The skills that a folder's session can use. Roots that the index knows are taken as it has them; those that are new or
 * were changed are searched first, for `budgetMs` at most: then the view is not complete.
 */
export async function openView(parts: IndexingParts, options: OpenViewOptions): Promise<OpenedView> {
  const { roots, problems } = openRoots(parts, options);
  const unready = roots.filter((at) => !isReady(parts.tree, at, parts.now()));
  const complete = await search(parts, unready, options.budgetMs);
  const fresh = unready.length === 0 ? roots : refreshed(parts, roots);
  const visibility: Visibility = { disabled: options.disabled ?? new Set(), denied: options.denied ?? (() => undefined), offersMeta: options.offersMeta === true };
  const viewParts = { ...parts, roots: fresh, visibility };
  const total = await countUsable(viewParts, options);
  const view = storedView({
    ...viewParts,
    total,
    complete,
    problems: [...problems, ...fresh.flatMap(({ record }) => record.problems)],
    lexicon: options.lexicon,
    refine: options.refine,
  });
  return { view, roots: fresh };
}

/** The roots that exist, with what is known of them, and what is wrong with the others. */
export function openRoots({ store, tree, now }: IndexingParts, options: RootOptions): { readonly roots: readonly OpenRoot[]; readonly problems: readonly SkillProblem[] } {
  const { roots, problems } = skillRoots(options);
  const opened = roots.map((root) => ({ root, start: openRootFolder(tree, root) }));
  const known = new Map(store.roots(opened.map(({ root }) => rootKey(root))).map((record) => [record.key, record]));
  const existing = opened.flatMap(({ root, start }) => ('problem' in start ? [] : [{ root, real: start.real, record: seen({ store, now }, known.get(rootKey(root)) ?? store.openRoot(rootKey(root), now())) }]));
  return { roots: existing, problems: [...problems, ...opened.flatMap(({ start }) => ('problem' in start && start.problem ? [start.problem] : []))] };
}

function seen({ store, now }: Pick<IndexingParts, 'store' | 'now'>, record: RootRecord): RootRecord {
  if (now() - record.seenAt > SEEN_EVERY_MS) store.changeRoot(record.id, { seenAt: now() });
  return record;
}

/** True when nothing was added to the root's folder or taken from it since it was searched. */
function isReady(tree: ReadTree, { record, real }: OpenRoot, now: number): boolean {
  return record.complete && record.listedMs !== undefined && listedTime(tree, real, now) === record.listedMs;
}

async function search(parts: IndexingParts, roots: readonly OpenRoot[], budgetMs: number): Promise<boolean> {
  const pace = paceOf({ now: parts.now, sliceMs: 12, pauseMs: 0, until: parts.now() + budgetMs });
  for (const at of roots) if (!(await indexRoot(parts, at, { pace, recheck: false }))) return false;
  return true;
}

function refreshed({ store }: IndexingParts, roots: readonly OpenRoot[]): readonly OpenRoot[] {
  const records = new Map(store.roots(roots.map(({ root }) => rootKey(root))).map((record) => [record.key, record]));
  return roots.map((at) => ({ ...at, record: records.get(at.record.key) ?? at.record }));
}
