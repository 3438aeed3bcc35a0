import { textHash } from '../../util/text-hash.ts';
import { foldName } from '../discover/resolve-skill.ts';
import { isUsable } from '../discover/skill-entry.ts';
import { hasBit } from './bits.ts';
import { readConsistently } from './consistent.ts';
import type { SegmentRecord } from './index-store.ts';
import { placeSkills, rootIds, withRivals, type ViewParts } from './view-entries.ts';

/** Skills of one name in several sources, and those that links lead to, are compared up to so many; beyond, each counts. */
const MOST_COMPARED = 400;

/** Says what hides skills, so that a count can be kept until something of it changes. */
export interface CountOptions {
  /** Everything that `visibility` was made from. */
  readonly visibilityKey: string;
}

/**
 * Number of skills that can be used. It is counted when roots, settings or rules have changed, and known otherwise. What other
 * processes change while it is counted is counted anew, and kept by whoever counts next.
 */
export async function countUsable(parts: ViewParts, { visibilityKey }: CountOptions): Promise<number> {
  const { store, roots, now } = parts;
  const generations = store.generations(rootIds(parts));
  const view = String(textHash(JSON.stringify([visibilityKey, roots.map(({ root, record }) => [root.source, record.id]), generations])));
  const known = store.countOf(view);
  if (known !== undefined) return known;
  const total = await readConsistently(store, roots, () => count(parts, store.segments(rootIds(parts))));
  if (store.generations(rootIds(parts)) === generations) store.keepCount(view, total, now());
  return total;
}

async function count(parts: ViewParts, segments: readonly SegmentRecord[]): Promise<number> {
  const { store, roots, visibility } = parts;
  const sources = new Map(roots.map(({ root, record }) => [record.id, root.source]));
  const ids = new Set<string>();
  const idsByName = new Map<string, number>();
  for (const segment of segments) {
    const source = sources.get(segment.rootId) ?? '';
    store.names(segment.id).forEach((name, doc) => {
      if (hasBit(segment.gone, doc) || hasBit(segment.hidden, doc)) return;
      const id = `${source}:${name}`;
      if (ids.has(id) || visibility.disabled.has(id) || visibility.disabled.has(name) || visibility.denied({ id, name }) !== undefined) return;
      ids.add(id);
      idsByName.set(name, (idsByName.get(name) ?? 0) + 1);
    });
  }
  const shared = [...idsByName].flatMap(([name, count]) => (count > 1 ? [foldName(name)] : []));
  const doubtful = [...store.idsNamed(rootIds(parts), shared), ...store.idsLinked(rootIds(parts))];
  if (doubtful.length === 0 || doubtful.length > MOST_COMPARED) return ids.size;
  const placed = await placeSkills(parts, withRivals(parts, store.skillsById([...new Set(doubtful)])));
  const counted = new Set(placed.map(({ entry }) => entry.id).filter((id) => ids.has(id)));
  return ids.size - counted.size + placed.filter(({ entry }) => isUsable(entry)).length;
}
