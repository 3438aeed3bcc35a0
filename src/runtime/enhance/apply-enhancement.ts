import path from 'node:path';
import { PermissionError, SkillmintError } from '../../protocol/errors.ts';
import { replaceContent } from '../../skills/library/replace-content.ts';
import { carryTrust } from '../../skills/trust/edit-trust.ts';
import { examineSkill } from '../../skills/trust/trust-report.ts';
import { changeableSkill, libraryAround } from '../library/changeable-skill.ts';
import type { RuntimeParts } from '../parts.ts';
import { findSkills } from '../skills/find-skills.ts';
import type { AppliedEnhancement, ApplyOptions } from './enhancement.ts';
import { keepEnhancement, readEnhancement, versionFolder } from './enhancement-folder.ts';

/**
 * Puts the best edit of an enhancement into the library in one step with the lock file. Rejects with `not_found`,
 * `invalid_argument` where there is no edit, `permission_denied` for one that was not accepted, and as `replaceContent` does.
 */
export async function applyEnhancement(parts: RuntimeParts, id: string, { byHand = false }: ApplyOptions): Promise<AppliedEnhancement> {
  const enhancement = await readEnhancement(parts.dataFolder, id);
  const { skill, best, result, cwd } = enhancement;
  if (!skill || best === undefined || !result) throw new SkillmintError('invalid_argument', `The enhancement ${id} has no edit that could be taken: ${enhancement.stopped ?? `its decision is ${enhancement.decision ?? 'still open'}`}.`);
  if (enhancement.applied !== undefined) throw new SkillmintError('invalid_argument', `The enhancement ${id} was applied already, at ${enhancement.applied}.`);
  if (result.verdict !== 'accepted' && !byHand) throw new PermissionError(`The edit of ${skill.name} was not accepted (${result.verdict}): ${result.reasons.join(' ')} A person can still take it by hand.`);
  const { tree, files } = parts.host;
  const { entries } = await findSkills(cwd, { ...parts, tree, settings: await parts.settings(cwd) }, parts.skillViews.listing);
  const entry = changeableSkill(entries.filter(({ folder }) => folder === skill.folder), { name: skill.id, done: 'changed' }, { home: parts.home, data: parts.dataFolder });
  const place = { folder: entry.folder, file: entry.path };
  const was = await examineSkill(tree, place);
  const edit = enhancement.tried.find(({ round }) => round === best);
  if (!edit) throw new SkillmintError('io', `The enhancement in ${enhancement.folder} is not complete: enhance the skill again.`);
  const changed = await replaceContent({ tree, library: libraryAround(entry, parts.dataFolder), name: path.basename(entry.folder), from: versionFolder(enhancement, best, skill.name), files: edit.files, digest: skill.digest, now: parts.now });
  const is = await examineSkill(tree, place);
  // Nobody has said yet that what runs may run.
  const runsTheSame = is.runs.every(({ path: file }) => is.files[file] === was.files[file]);
  const trusted = runsTheSame && (await carryTrust({ tree, files, dataFolder: parts.dataFolder, now: parts.now }, { ...entry, file: entry.path }, changed));
  await keepEnhancement({ ...enhancement, applied: new Date(parts.now()).toISOString() });
  await parts.skillViews.refresh(cwd, await parts.settings(cwd));
  return { id, skill: skill.id, folder: entry.folder, digest: changed.after, trusted };
}
