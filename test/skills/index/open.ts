import path from 'node:path';
import { onTestFinished } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import type { ReadTree } from '../../../src/host/host.ts';
import type { OpenViewOptions } from '../../../src/skills/index/open-view.ts';
import { rootKey } from '../../../src/skills/index/root-key.ts';
import { SkillIndex, type SkillIndexOptions } from '../../../src/skills/index/skill-index.ts';
import type { SkillView } from '../../../src/skills/skill-view.ts';
import type { Place } from '../place.ts';

/** The index of a place as one process has it, with what it reads of skills. */
export interface TestIndex {
  readonly index: SkillIndex;
  /** Paths of files that were read, relative to the place. */
  readonly reads: string[];
  view(more?: Partial<OpenViewOptions>): ReturnType<SkillIndex['openView']>;
  /** A view after all was read. */
  whole(more?: Partial<OpenViewOptions>): ReturnType<SkillIndex['openView']>;
}

export function fileIn(place: Place): string {
  return path.join(place.home, '.skillmint', 'cache', 'skills.db');
}

/** Opens the index of a place. Close it at the end of the test. */
export function openIndex(place: Place, more: Partial<SkillIndexOptions> = {}): TestIndex {
  const reads: string[] = [];
  const tree: ReadTree = {
    ...localTree(),
    read: (file) => {
      reads.push(path.relative(place.root, file));
      return localTree().read(file);
    },
  };
  const index = new SkillIndex({ tree, program: '1.0.0', worker: `test ${Math.random()}`, now: Date.now, file: fileIn(place), ...more });
  const view = (options: Partial<OpenViewOptions> = {}): ReturnType<SkillIndex['openView']> => index.openView({ tree, cwd: place.project, home: place.home, dataFolder: path.join(place.home, '.skillmint'), env: {}, visibilityKey: '', budgetMs: 60_000, ...options });
  return { index, reads, view, whole: async (options = {}) => {
    const { roots } = await view(options);
    await index.fill(roots);
    return view(options);
  } };
}

/** A view of all skills of a place, out of an index that is closed when the test ends. */
export async function viewOf(place: Place, options: Partial<OpenViewOptions> = {}): Promise<SkillView> {
  const { index, whole } = openIndex(place);
  onTestFinished(() => index.close());
  return (await whole(options)).view;
}

/** Key of a root that is a usual place. */
export function usualRoot(folder: string): string {
  return rootKey({ folder, source: 'user', namedBy: undefined, holdsPlugins: true });
}
