import path from 'node:path';
import type { OpenRoot } from './index-root.ts';
import type { IndexStore } from './index-store.ts';
import { rootKey } from './root-key.ts';
import { verifySkills } from './verify-skills.ts';
import type { WorkerParts } from './work-on-roots.ts';
import { watchFolders } from './watch-folders.ts';

/** Keeps what has changed of skills, so that the next view has it. */
export interface HotReload {
  /** Watches the folders of all skills of these roots, and those between: for a process that stays. */
  watch(parts: WorkerParts, roots: readonly OpenRoot[]): void;
  /** Something was changed right in these folders, real paths. */
  note(folders: readonly string[]): void;
  /** Brings into the index what has changed since the last call in these roots, and in those that are watched. */
  takeIn(parts: WorkerParts, roots: () => readonly OpenRoot[]): Promise<void>;
  close(): void;
}

/** Skills of a root that are read before a view is made; when more have changed at once, the rest is found by the next check. */
const MOST_AT_ONCE = 300;

const PAGE = 500;

/** Nothing has changed and nothing is watched yet. */
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
    note: (folders) => folders.forEach((folder) => changed.add(folder)),
    takeIn: async (parts, roots) => {
      if (changed.size === 0) return;
      const folders = [...changed];
      changed.clear();
      const all = new Map([...watched, ...roots().map((at) => [rootKey(at.root), at] as const)]);
      for (const at of all.values()) {
        const inside = folders.filter((folder) => folder === at.real || folder.startsWith(at.real + path.sep)).slice(0, MOST_AT_ONCE);
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
