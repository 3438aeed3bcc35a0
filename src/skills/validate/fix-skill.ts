import path from 'node:path';
import type { HostFiles, ReadTree } from '../../host/host.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import type { SkillPlace } from '../discover/read-entry.ts';
import { MAX_SKILL_MD_BYTES } from '../read/read-skill-md.ts';
import { repairSkillMd, type Repair } from './repair-file.ts';

/** What became of a skill that was to be repaired: what changed (nothing where nothing was wrong), and why the rest has to be done by a person. */
export interface Fixed {
  readonly changes: readonly string[];
  readonly refused?: string;
}

/** Repairs a SKILL.md in place; the file is replaced as a whole or not at all. Throws `io` when it cannot be written. */
export async function fixSkill(tree: ReadTree, files: Pick<HostFiles, 'write'>, place: SkillPlace): Promise<Fixed> {
  const repair = repairOf(tree, place);
  switch (repair.kind) {
    case 'unchanged': return { changes: [] };
    case 'refused': return { changes: [], refused: repair.why };
    case 'repaired':
      try {
        await files.write(place.file, repair.bytes);
      } catch (error) {
        throw new SkillmintError('io', `${place.file} cannot be written: ${messageOf(error)}`, { cause: error });
      }
      return { changes: repair.changes };
  }
}

function repairOf(tree: ReadTree, { file, folder }: SkillPlace): Repair {
  try {
    const { size, kind } = tree.stat(file);
    if (kind !== 'file' || size > MAX_SKILL_MD_BYTES) return { kind: 'refused', why: 'it is no regular file, or too large' };
    return repairSkillMd(tree.read(file), { folderName: path.basename(tree.realPath(folder)) });
  } catch (error) {
    return { kind: 'refused', why: `it cannot be read: ${messageOf(error)}` };
  }
}
