import { trustDifference, type TrustDifference } from '../../skills/trust/trust-difference.ts';
import { readTrust, trustFile } from '../../skills/trust/trust-file.ts';
import { examineSkill, type TrustReport } from '../../skills/trust/trust-report.ts';
import { openTrust, trustedBefore, type TrustVerdict } from '../../skills/trust/trust-store.ts';
import type { NamedSkill } from './named-skill.ts';
import type { SkillsHere } from './skills-here.ts';

/** A skill with all that a person decides by. */
export interface ExaminedSkill {
  readonly skill: NamedSkill;
  readonly verdict: TrustVerdict;
  readonly report: TrustReport;
  readonly difference: TrustDifference | undefined;
}

/** Reads all that a person decides by. Rejects with `io` for a skill that cannot be read, and for a broken trust file. */
export async function examine({ tree, data }: SkillsHere, skill: NamedSkill): Promise<ExaminedSkill> {
  const report = await examineSkill(tree, { folder: skill.folder, file: skill.path });
  const verdict = openTrust({ tree, dataFolder: data }).of(skill, report.digest, [process.cwd()]);
  const before = verdict.trusted || verdict.why !== 'changed since it was trusted' ? undefined : trustedBefore(tree, readTrust(tree, trustFile(data)), skill);
  return { skill, verdict, report, difference: before && trustDifference(before, report) };
}
