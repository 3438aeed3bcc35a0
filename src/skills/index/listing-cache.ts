import type { ReadTree } from '../../host/host.ts';
import { messageOf } from '../../protocol/errors.ts';
import type { ReadSkill } from '../discover/catalogue.ts';
import { keptFacts } from '../discover/kept-skill.ts';
import type { SkillCache } from '../discover/skill-cache.ts';
import type { SkillProblem, SkillRoot } from '../discover/skill-root.ts';
import { fileSignature } from './file-signature.ts';
import type { IndexStore, RootRecord, SkillRecord } from './index-store.ts';
import { placeInRoot, walkedRoot } from './new-skill.ts';
import { rootKey } from './root-key.ts';

/** What a cache works with. */
export interface ListingCacheOptions {
  readonly store: IndexStore;
  /** For messages. */
  readonly file: string;
  readonly tree: ReadTree;
  /** ms since 1970. */
  readonly now: () => number;
}

interface Known {
  readonly record: RootRecord | undefined;
  readonly byPlace: ReadonlyMap<string, SkillRecord>;
}

/** The index as what searches of all skills keep between them. A root is read when the first of its skills is looked up. */
export function listingCache(options: ListingCacheOptions): SkillCache {
  const roots = new Map<SkillRoot, Known>();
  const knownOf = (root: SkillRoot): Known => {
    const known = roots.get(root) ?? readRoot(options.store, root);
    roots.set(root, known);
    return known;
  };
  return {
    look: (found, entries) => {
      const signature = fileSignature(options.tree, { folder: found.realFolder, entries }, options.now);
      const record = signature === undefined ? undefined : knownOf(walkedRoot(found)).byPlace.get(placeInRoot(found));
      const facts = record?.facts === undefined || record.signature !== signature ? undefined : keptFacts(record.facts);
      return { signature, kept: facts && { facts, ...(record?.digest === undefined ? {} : { digest: record.digest }) } };
    },
    save: async (skills) => {
      try {
        for (const [root, own] of byRoot(skills)) await saveRoot(options, { root, known: knownOf(root), skills: own });
        return undefined;
      } catch (error) {
        return notKept(options.file, error);
      }
    },
  };
}

/** Says that the next search has to read everything again. */
export function notKept(file: string, error: unknown): SkillProblem {
  return { path: file, message: `what was found could not be kept for the next search: ${messageOf(error)}` };
}

function readRoot(store: IndexStore, root: SkillRoot): Known {
  const [record] = store.roots([rootKey(root)]);
  return { record, byPlace: new Map(record ? store.skillsOf(record.id).map((skill) => [skill.place, skill]) : []) };
}

function byRoot(skills: readonly ReadSkill[]): ReadonlyMap<SkillRoot, readonly ReadSkill[]> {
  const roots = new Map<SkillRoot, ReadSkill[]>();
  for (const skill of skills) {
    const own = roots.get(walkedRoot(skill.found)) ?? [];
    if (own.length === 0) roots.set(walkedRoot(skill.found), own);
    own.push(skill);
  }
  return roots;
}

/** Writes what is new. What it takes to find the words of a skill is loaded only then. */
async function saveRoot({ store, tree, now }: ListingCacheOptions, { root, known, skills }: { readonly root: SkillRoot; readonly known: Known; readonly skills: readonly ReadSkill[] }): Promise<void> {
  const places = new Set(skills.map(({ found }) => placeInRoot(found)));
  const removed = [...known.byPlace.keys()].filter((place) => !places.has(place));
  const changed = skills.filter((skill) => skill.kept === undefined && !isKnown(skill, known.byPlace.get(placeInRoot(skill.found))));
  const digests = skills.flatMap((skill) => {
    const record = skill.keepsDigest === true && skill.kept ? known.byPlace.get(placeInRoot(skill.found)) : undefined;
    return record && skill.digest !== undefined ? [{ id: record.id, digest: skill.digest }] : [];
  });
  if (digests.length > 0) store.setDigests(digests);
  if (changed.length + removed.length === 0) return;
  const { batchFor } = await import('./index-batch.ts');
  const record = known.record ?? store.openRoot(rootKey(root), now());
  const batch = batchFor(store, { real: tree.realPath(root.folder), record });
  for (const place of removed) batch.remove(place);
  for (const skill of changed) batch.add({ ...skill, digest: skill.keepsDigest === true ? skill.digest : undefined });
  batch.flush();
}

/** A skill that cannot be kept is read each time, and written only when it says something else. */
function isKnown({ facts, signature }: ReadSkill, record: SkillRecord | undefined): boolean {
  if (!record || signature !== undefined || record.signature !== undefined) return false;
  return record.facts === undefined ? facts.status === 'rejected' && record.name === facts.name : record.facts === JSON.stringify(facts);
}
