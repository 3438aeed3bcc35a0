import { systemCode } from '../../protocol/errors.ts';
import { canBeKept } from '../discover/kept-skill.ts';
import { foundReader } from '../discover/read-found.ts';
import type { FoundSkill } from '../discover/walk-root.ts';
import { fileSignature } from './file-signature.ts';
import { batchFor } from './index-batch.ts';
import type { IndexingParts, OpenRoot } from './index-root.ts';
import type { SkillRecord } from './index-store.ts';
import type { IndexedSkill } from './new-skill.ts';
import { foundOf, realFolderOf, type ViewParts } from './view-entries.ts';

/** Looks whether skills are as the index has them; what changed is read, what is gone is removed. True when the index was changed. */
export async function verifySkills(parts: ViewParts, records: readonly SkillRecord[]): Promise<boolean> {
  let changed = false;
  for (const at of parts.roots) {
    const own = records.filter(({ rootId }) => rootId === at.record.id);
    const batch = batchFor(parts.store, at);
    for (const record of own) {
      const now = await lookAgain(parts, at, record);
      if (now === 'gone') batch.remove(record.place);
      else if (now !== 'same') batch.add(now);
    }
    if (batch.size() === 0) continue;
    batch.flush();
    changed = true;
  }
  return changed;
}

/** The skill of a record as its file is now; `gone` when it cannot be reached. */
export async function readAgain({ tree, now }: Pick<IndexingParts, 'tree' | 'now'>, at: OpenRoot, record: SkillRecord): Promise<IndexedSkill | 'gone'> {
  return reached(async () => {
    const { found, signature } = locate({ tree, now }, at, record);
    return { found, signature, ...(await foundReader(tree)(found)) };
  });
}

async function lookAgain({ tree, now }: ViewParts, at: OpenRoot, record: SkillRecord): Promise<IndexedSkill | 'same' | 'gone'> {
  return reached(async () => {
    const { found, signature } = locate({ tree, now }, at, record);
    if (signature !== undefined && signature === record.signature && found.realFolder === realFolderOf(record, at)) return 'same';
    const { body, facts } = await foundReader(tree)(found);
    if (signature === undefined && record.facts === JSON.stringify(facts)) return 'same';
    // What cannot be kept is read each time that it is used.
    if (!canBeKept(facts) && record.facts === undefined && record.name === facts.name) return 'same';
    return { found, facts, body, signature };
  });
}

/** Throws the errors of the system where there is nothing. */
function locate({ tree, now }: Pick<IndexingParts, 'tree' | 'now'>, at: OpenRoot, record: SkillRecord): { readonly found: FoundSkill; readonly signature: number | undefined } {
  const known = foundOf(record, at);
  const realFolder = record.linkedTo === undefined ? known.realFolder : tree.realPath(known.folder);
  tree.stat(known.file);
  return { found: { ...known, realFolder }, signature: known.command === undefined ? fileSignature(tree, { folder: realFolder }, now) : undefined };
}

async function reached<T>(look: () => Promise<T>): Promise<T | 'gone'> {
  try {
    return await look();
  } catch (error) {
    if (systemCode(error) === '') throw error;
    // What cannot be reached cannot be used either; the next check of its root says what is there.
    return 'gone';
  }
}
