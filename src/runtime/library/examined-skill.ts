import type { ReadTree } from '../../host/host.ts';
import { trustDifference, type TrustDifference } from '../../skills/trust/trust-difference.ts';
import { readTrust, trustFile } from '../../skills/trust/trust-file.ts';
import { examineSkill, type TrustReport } from '../../skills/trust/trust-report.ts';
import { openTrust, trustedBefore, type TrustVerdict } from '../../skills/trust/trust-store.ts';
import type { NamedSkill } from './named-skill.ts';

/** A skill with all that a person decides by. */
export interface ExaminedSkill {
  readonly skill: NamedSkill;
  readonly verdict: TrustVerdict;
  readonly report: TrustReport;
  readonly difference: TrustDifference | undefined;
}

/** Where skills and what is trusted of them are looked up. */
export interface TrustHere {
  readonly tree: ReadTree;
  /** The data folder. */
  readonly data: string;
  readonly cwd: string;
}

/** Whether a skill as it is now is trusted here. */
export function verdictOf({ tree, data, cwd }: TrustHere, skill: Pick<NamedSkill, 'id' | 'source' | 'folder'>, digest: string): TrustVerdict {
  return openTrust({ tree, dataFolder: data }).of(skill, digest, [cwd]);
}

/** Reads all that a person decides by. Rejects with `io` for a skill that cannot be read, and for a broken trust file. */
export async function examine(here: TrustHere, skill: NamedSkill): Promise<ExaminedSkill> {
  const { tree, data } = here;
  const report = await examineSkill(tree, { folder: skill.folder, file: skill.path });
  const verdict = verdictOf(here, skill, report.digest);
  const before = verdict.trusted || verdict.why !== 'changed since it was trusted' ? undefined : trustedBefore(tree, readTrust(tree, trustFile(data)), skill);
  return { skill, verdict, report, difference: before && trustDifference(before, report) };
}
