import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { localFiles } from '../../host/local-files.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { checkDescription } from '../../skills/library/create.ts';
import { editSkill, type EditResult } from '../../skills/library/edit-skill.ts';
import { carryTrust } from '../../skills/trust/edit-trust.ts';
import { libraryAround } from './changeable-skill.ts';

/** Gives a skill of the person another description. Whoever trusted the skill has made the difference, so that the trust stays. Rejects as `editSkill` does. */
export async function describeSkill({ tree, data }: { readonly tree: ReadTree; readonly data: string }, entry: SkillEntry, description: string): Promise<EditResult> {
  checkDescription(description);
  const changed = await editSkill({ tree, library: libraryAround(entry, data), name: path.basename(entry.folder), file: path.basename(entry.path), description });
  await carryTrust({ tree, files: localFiles(), dataFolder: data, now: Date.now }, { ...entry, file: entry.path }, changed);
  return changed;
}
