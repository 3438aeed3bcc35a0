import path from 'node:path';
import type { OpenRoot } from './index-root.ts';
import type { IndexStore } from './index-store.ts';
import { rootKey } from './root-key.ts';
import { verifySkills } from './verify-skills.ts';
import type { WorkerParts } from './work-on-roots.ts';
import { watchFolders } from './watch-folders.ts';

/** Keeps an eye on the skills of a process that stays, so that the next view has what changed. */
export interface HotReload {
  /** Watches the folders of all skills of these roots, and those between. */
  watch(parts: WorkerParts, roots: readonly OpenRoot[]): void;
  /** Brings into the index what has changed since the last call. */
  takeIn(parts: WorkerParts): Promise<void>;
  close(): void;
}

/** Skills that are read before a view is made; when more have changed at once, the rest is found by the next check. */
const MOST_AT_ONCE = 300;

const PAGE = 500;

/** Nothing is watched yet. */
export function hotReload(): HotReload {
  const changed = new Set<string>();
  const watches = watchFolders((folder) => changed.add(folder));
  const watched = new Map<string, OpenRoot>();
  /** State of the roots when the watches were set. */
  let seen: string | undefined;
  return {
    watch: ({ store }, roots) => {
      for (const at of roots) watched.set(rootKey(at.root), at);
      const state = store.generations([...watched.values()].map(({ record }) => record.id));
      if (state === seen) return;
      seen = state;
      watches.set(foldersOf(store, [...watched.values()]));
    },
    takeIn: async (parts) => {
      if (changed.size === 0) return;
      const folders = [...changed].slice(0, MOST_AT_ONCE);
      changed.clear();
      for (const at of watched.values()) {
        const inside = folders.filter((folder) => folder === at.real || folder.startsWith(at.real + path.sep));
        if (inside.length === 0) continue;
        const places = inside.flatMap((folder) => ['SKILL.md', 'skill.md', 'Skill.md'].map((name) => folder.slice(at.real.length) + path.sep + name));
        await verifySkills({ ...parts, roots: [at], visibility: { disabled: new Set(), denied: () => undefined } }, parts.store.skillsAt(at.record.id, places));
        // A folder may have come or gone, at any depth.
        parts.store.changeRoot(at.record.id, { listedMs: null });
      }
    },
    close: () => watches.close(),
  };
}

/** The folders of roots and skills, and those between, as far as they are asked for. */
function* foldersOf(store: IndexStore, roots: readonly OpenRoot[]): Generator<string> {
  for (const { real } of roots) yield real;
  for (const { record, real } of roots) {
    for (let after = 0; ; ) {
      const page = store.places(record.id, after, PAGE);
      for (const { place } of page) for (let folder = path.dirname(place); folder !== path.dirname(folder); folder = path.dirname(folder)) yield real + folder;
      const last = page.at(-1);
      if (!last) break;
      after = last.id;
    }
  }
}
