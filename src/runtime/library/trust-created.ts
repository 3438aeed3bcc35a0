import path from 'node:path';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import type { CreatedSkill } from '../../skills/library/create.ts';
import { trustNow } from './trust-now.ts';
import { examine, verdictOf, type TrustHere } from './examined-skill.ts';

/**
 * Trusts a skill that the person has just made out of their own words, unless it is already, as it was made and no other way.
 * Resolves to whether it is trusted. Rejects with what `trustSkill` throws; the message says that the skill is there.
 */
export async function trustCreated(here: TrustHere, made: CreatedSkill, source: string): Promise<boolean> {
  const place = { id: made.id, name: made.name, description: '', source, folder: made.folder, path: path.join(made.folder, 'SKILL.md') };
  try {
    if (verdictOf(here, place, made.digest).trusted) return true;
    const examined = await examine(here, place);
    if (examined.report.digest !== made.digest) return false;
    await trustNow(here, examined);
    return true;
  } catch (error) {
    if (!(error instanceof SkillmintError)) throw error;
    throw new SkillmintError(error.code, `${made.id} was made in ${made.folder}, but it could not be trusted: ${messageOf(error)}`, { cause: error });
  }
}
