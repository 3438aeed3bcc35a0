import type { SkillSummary } from '../../protocol/skill.ts';
import { listSummaries } from '../../skills/discover/discover-skills.ts';
import type { SkillCatalogue } from '../../skills/discover/catalogue.ts';
import { timeSlices } from '../../skills/discover/time-slices.ts';
import { openTrust } from '../../skills/trust/trust-store.ts';
import type { TrustHere } from './examined-skill.ts';

/** A skill in a listing of one folder. */
export interface ListedSkill extends SkillSummary {
  /** As it lies there now. */
  readonly trusted: boolean;
}

/** The catalogue as listings show it. Rejects with `config_invalid` or `config_unreadable` for a broken trust file. */
export async function listSkills(catalogue: SkillCatalogue, { tree, data, cwd }: TrustHere, now: () => number): Promise<readonly ListedSkill[]> {
  const trust = openTrust({ tree, dataFolder: data, locks: new Map() });
  const folders = new Map(catalogue.entries.map((entry) => [entry.path, entry.folder]));
  const summaries = await listSummaries(catalogue, { tree, now });
  const slices = timeSlices(now);
  const listed: ListedSkill[] = [];
  for (const skill of summaries) {
    listed.push({ ...skill, trusted: trust.of({ id: skill.id, source: skill.source, folder: folders.get(skill.path) ?? skill.path }, skill.digest, [cwd]).trusted });
    if (slices.isUp()) await slices.rest();
  }
  return listed;
}
