import { localFiles } from '../../host/local-files.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import { revokeTrust } from '../../skills/trust/edit-trust.ts';
import { verdictOf, type TrustHere } from './examined-skill.ts';
import type { NamedSkill } from './named-skill.ts';

/** Takes back the trust in a skill as it is; resolves to whether there was any. @throws SkillmintError not_trusted where it comes from somewhere else, and stays */
export async function revokeNow(here: TrustHere, skill: NamedSkill): Promise<boolean> {
  const { tree, data } = here;
  const { digest } = digestSkill(tree, skill.folder);
  const revoked = await revokeTrust({ tree, files: localFiles(), dataFolder: data, now: Date.now }, skill, digest);
  const left = verdictOf(here, skill, digest);
  if (left.trusted) throw new SkillmintError('not_trusted', `Trust in ${skill.id} cannot be taken back, since ${left.why}. Switch it off instead: skillmint skills disable ${skill.id}`);
  return revoked;
}
