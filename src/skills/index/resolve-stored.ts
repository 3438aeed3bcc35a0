import { foldName, namedSkill, resolveSkill, strippedName, type Resolution } from '../discover/resolve-skill.ts';
import { hasBit } from './bits.ts';
import type { SkillRecord } from './index-store.ts';
import { nearNames } from './near-names.ts';
import { placeSkills, rootIds, withRivals, type PlacedSkill, type ViewParts } from './view-entries.ts';

/** What a name leads to, and the records that the answer rests on. */
export interface StoredResolution {
  readonly answer: Resolution;
  readonly used: readonly SkillRecord[];
}

/** The skill that a name means, as `resolveSkill` finds it among all, out of those whose names could be meant. */
export async function resolveStored(parts: ViewParts, name: string): Promise<StoredResolution> {
  const wanted = strippedName(name);
  const named = await placedNames(parts, keysFor(wanted));
  const answer = namedSkill({ entries: named.map(({ entry }) => entry) }, wanted);
  if (answer) return restingOn(named, answer);
  const near = await placedNames(parts, [...nearNames(liveNames(parts), wanted).map(foldName), ...keysFor(wanted)]);
  return restingOn(near, resolveSkill({ entries: near.map(({ entry }) => entry) }, wanted));
}

async function placedNames(parts: ViewParts, nameKeys: readonly string[]): Promise<readonly PlacedSkill[]> {
  return placeSkills(parts, withRivals(parts, parts.store.skillsById(parts.store.idsNamed(rootIds(parts), [...new Set(nameKeys)]))));
}

function restingOn(placed: readonly PlacedSkill[], answer: Resolution): StoredResolution {
  const entry = answer.kind === 'found' || answer.kind === 'unusable' ? answer.entry : undefined;
  return { answer, used: placed.flatMap((each) => (each.entry === entry ? [each.record] : [])) };
}

/** The folded names that a text could name: itself, and what follows one of its colons, as in `SOURCE:NAME`. */
function keysFor(wanted: string): readonly string[] {
  const parts = wanted.split(':');
  return [...new Set(parts.map((_, i) => foldName(parts.slice(i).join(':'))))].filter((key) => key !== '');
}

function* liveNames(parts: ViewParts): Generator<string> {
  const order = new Map(rootIds(parts).map((id, i) => [id, i]));
  const segments = [...parts.store.segments(rootIds(parts))].sort((a, b) => (order.get(a.rootId) ?? 0) - (order.get(b.rootId) ?? 0));
  for (const segment of segments) {
    for (const [doc, name] of parts.store.names(segment.id).entries()) if (!hasBit(segment.gone, doc) && !hasBit(segment.hidden, doc)) yield name;
  }
}
