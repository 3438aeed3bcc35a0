import { localFiles } from '../../host/local-files.ts';
import { trustSkill } from '../../skills/trust/edit-trust.ts';
import type { ExaminedSkill, TrustHere } from './examined-skill.ts';

/** Trusts a skill with the content that was examined. Rejects as `trustSkill` does. */
export async function trustNow({ tree, data }: TrustHere, { skill, report }: ExaminedSkill): Promise<void> {
  await trustSkill({ tree, files: localFiles(), dataFolder: data, now: Date.now }, skill, report);
}
