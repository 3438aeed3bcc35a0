import type { HostFiles, ReadTree } from '../../host/host.ts';
import { withFileLock } from '../../host/file-lock.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { realOrSame } from './real-folder.ts';
import { readTrust, trustFile, trustText, type TrustedSkill } from './trust-file.ts';
import { claimsOf, examineSkill, type ExaminedPlace, type TrustReport } from './trust-report.ts';
import { trustedBefore, type SkillAtPlace } from './trust-store.ts';

/** So many earlier states of a skill stay trusted, since work goes back and forth between them. */
const MOST_DIGESTS = 16;

/** What it takes to change what is trusted. */
export interface TrustEditing {
  readonly tree: ReadTree;
  readonly files: Pick<HostFiles, 'write'>;
  readonly dataFolder: string;
  /** ms since 1970. */
  readonly now: () => number;
}

/**
 * Trusts a skill with the content that the report speaks of. Rejects with `not_trusted` for one whose digest does not
 * stand for all of it, with `config_invalid` or `config_unreadable` for a broken trust file, and with what writing throws.
 */
export async function trustSkill(editing: TrustEditing, skill: SkillAtPlace, report: TrustReport): Promise<void> {
  checkTrustable(skill, report);
  await changeTrust(editing, (skills) => withTrusted(editing, skills, { skill, report }));
}

/** Throws `not_trusted` for a skill whose digest does not stand for all of it. */
export function checkTrustable({ id }: Pick<SkillAtPlace, 'id'>, { gaps: [gap] }: Pick<TrustReport, 'gaps'>): void {
  if (gap !== undefined) throw new SkillmintError('not_trusted', `${id} cannot be trusted, since not all of it can be checked for changes: ${gap}`);
}

/** Takes back trust in a skill: the record of its place and all that know its digest. Resolves to whether there was any. Rejects as `trustSkill` does. */
export async function revokeTrust(editing: TrustEditing, skill: SkillAtPlace, digest: string): Promise<boolean> {
  let found = false;
  await changeTrust(editing, (skills) => {
    const own = trustedBefore(editing.tree, skills, skill);
    const left = skills.filter((each) => each !== own && !each.digests.includes(digest));
    found = left.length < skills.length;
    return left;
  });
  return found;
}

/**
 * Keeps the trust in a skill that the person has just edited through the program: when the digest from before was
 * trusted, the one from after is. Resolves to whether that is so. Rejects as `trustSkill` does.
 */
export async function carryTrust(editing: TrustEditing, skill: SkillAtPlace & ExaminedPlace, digests: { readonly before: string; readonly after: string }): Promise<boolean> {
  const wasTrusted = readTrust(editing.tree, trustFile(editing.dataFolder)).some((each) => each.digests.includes(digests.before));
  if (!wasTrusted) return false;
  const report = await examineSkill(editing.tree, skill);
  if (report.digest !== digests.after) return false;
  await trustSkill(editing, skill, report);
  return true;
}

/** Reads, changes and writes the file while no other process does; what others have written stays. */
async function changeTrust({ tree, files, dataFolder }: TrustEditing, change: (skills: readonly TrustedSkill[]) => readonly TrustedSkill[]): Promise<void> {
  const file = trustFile(dataFolder);
  await withFileLock(file, async () => {
    const before = readTrust(tree, file);
    await files.write(file, trustText(change(before)), { mode: 0o600, folderMode: 0o700 });
  });
}

function withTrusted({ tree, now }: TrustEditing, skills: readonly TrustedSkill[], { skill, report }: { readonly skill: SkillAtPlace; readonly report: TrustReport }): readonly TrustedSkill[] {
  const own = trustedBefore(tree, skills, skill);
  const digests = [...new Set([report.digest, ...(own?.digests ?? [])])].slice(0, MOST_DIGESTS);
  const record: TrustedSkill = { id: skill.id, folder: realOrSame(tree, skill.folder), digests, trustedAt: new Date(now()).toISOString(), files: report.files, claims: claimsOf(report) };
  return [...skills.filter((each) => each !== own), record];
}
