import { systemCode } from '../../protocol/errors.ts';
import { canBeKept } from '../discover/kept-skill.ts';
import { foundReader } from '../discover/read-found.ts';
import { fileSignature } from './file-signature.ts';
import { batchFor } from './index-batch.ts';
import type { OpenRoot } from './index-root.ts';
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

type Look = 'same' | 'gone' | IndexedSkill;

async function lookAgain({ tree, now }: ViewParts, at: OpenRoot, record: SkillRecord): Promise<Look> {
  const found = foundOf(record, at);
  try {
    const realFolder = record.linkedTo === undefined ? realFolderOf(record, at) : tree.realPath(found.folder);
    tree.stat(found.file);
    const signature = found.command === undefined ? fileSignature(tree, { folder: realFolder }, now) : undefined;
    if (signature !== undefined && signature === record.signature && realFolder === realFolderOf(record, at)) return 'same';
    const { body, facts } = await foundReader(tree)(found);
    if (signature === undefined && record.facts === JSON.stringify(facts)) return 'same';
    // What cannot be kept is read each time that it is used.
    if (!canBeKept(facts) && record.facts === undefined && record.name === facts.name) return 'same';
    return { found: { ...found, realFolder }, facts, body, signature };
  } catch (error) {
    if (systemCode(error) === '') throw error;
    // What cannot be reached cannot be used either; the next check of its root says what is there.
    return 'gone';
  }
}
