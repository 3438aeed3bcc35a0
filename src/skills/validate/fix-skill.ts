import path from 'node:path';
import type { HostFiles, ReadTree } from '../../host/host.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import type { SkillPlace } from '../discover/read-entry.ts';
import { MAX_SKILL_MD_BYTES } from '../read/read-skill-md.ts';
import { repairSkillMd } from './repair-file.ts';

/** What became of a skill that was to be repaired: what changed (nothing where nothing was wrong), and why the rest has to be done by a person. */
export interface Fixed {
  readonly changes: readonly string[];
  readonly refused?: string;
}

/** Repairs a SKILL.md in place; the file is replaced as a whole or not at all. Throws `io` when it cannot be read or written. */
export async function fixSkill(tree: ReadTree, files: Pick<HostFiles, 'write'>, { file, folder }: SkillPlace): Promise<Fixed> {
  try {
    const { size, kind } = tree.stat(file);
    if (kind !== 'file' || size > MAX_SKILL_MD_BYTES) return { changes: [], refused: 'it is no regular file, or too large' };
    const repair = repairSkillMd(tree.read(file), { folderName: path.basename(tree.realPath(folder)) });
    switch (repair.kind) {
      case 'unchanged': return { changes: [] };
      case 'refused': return { changes: [], refused: repair.why };
      case 'repaired':
        await files.write(file, repair.bytes);
        return { changes: repair.changes };
    }
  } catch (error) {
    throw new SkillmintError('io', `${file} cannot be repaired: ${messageOf(error)}`, { cause: error });
  }
}
