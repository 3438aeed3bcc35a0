import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { stampOf } from '../../host/stamp.ts';
import { systemCode } from '../../protocol/errors.ts';
import { PROTECTED_FROM_COMMANDS } from '../../protocol/protected-paths.ts';
import { isInside } from '../../host/paths.ts';
import { isInstalledSkill, type LockMemory } from './installed-skill.ts';
import { realOrSame } from './real-folder.ts';
import { readTrust, trustFile, type TrustedSkill } from './trust-file.ts';

/** The skill that is asked about. */
export interface SkillAtPlace {
  readonly id: string;
  /** As in the catalogue: `memory`, `bundled`, `user`, `env`, `project`, `plugin:NAME`, `npm:PACKAGE` or `path`. */
  readonly source: string;
  readonly folder: string;
}

/** Whether a skill is trusted; `why` is a short reason for people. `before` is the digest that was trusted last. */
export type TrustVerdict =
  | { readonly trusted: true; readonly why: 'it comes with skillmint' | 'the program brings it' | 'it is your own file' | 'you have trusted this content' }
  | { readonly trusted: false; readonly why: 'it cannot be read' | 'never trusted' }
  | { readonly trusted: false; readonly why: 'changed since it was trusted'; readonly before: string };

/** The digests that a person trusts. */
export interface SkillTrust {
  /**
   * Whether a skill, as it lies there now, is trusted; `digest` is the one of now, never one out of a cache. Sees what
   * other processes have written. `workspace`: folders in which the agent may change files; a skill there is not the person's
   * own, whoever put it there. Throws `config_invalid` or `config_unreadable` for a trust file that is broken.
   */
  of(skill: SkillAtPlace, digest: string, workspace?: readonly string[]): TrustVerdict;
}

/** Where trust is looked up. */
export interface TrustPlaces {
  readonly tree: ReadTree;
  readonly dataFolder: string;
  /** Lock files are read once, as for a listing; with each question when left out. */
  readonly locks?: LockMemory;
}

/** Opens the trust of a data folder; the file is read with the first question that needs it. */
export function openTrust({ tree, dataFolder, locks }: TrustPlaces): SkillTrust {
  const file = trustFile(dataFolder);
  let known: { readonly stamp: string; readonly skills: readonly TrustedSkill[] } | undefined;
  const trusted = (): readonly TrustedSkill[] => {
    const stamp = stampOrMissing(tree, file);
    if (known?.stamp !== stamp) known = { stamp, skills: readTrust(tree, file) };
    return known.skills;
  };
  return {
    of(skill, digest, workspace = []) {
      if (skill.source === 'bundled') return { trusted: true, why: 'it comes with skillmint' };
      if (skill.source === 'memory') return { trusted: true, why: 'the program brings it' };
      if (digest === '') return { trusted: false, why: 'it cannot be read' };
      if (isOwn({ tree, locks }, skill, workspace)) return { trusted: true, why: 'it is your own file' };
      const skills = trusted();
      if (skills.some(({ digests }) => digests.includes(digest))) return { trusted: true, why: 'you have trusted this content' };
      const before = trustedBefore(tree, skills, skill)?.digests[0];
      return before === undefined ? { trusted: false, why: 'never trusted' } : { trusted: false, why: 'changed since it was trusted', before };
    },
  };
}

/** The record of the same skill: of the same folder, or, where an update moves the folder, of the same id. */
export function trustedBefore(tree: ReadTree, skills: readonly TrustedSkill[], { id, source, folder }: SkillAtPlace): TrustedSkill | undefined {
  const real = realOrSame(tree, folder);
  // Two projects, or two folders named on the command line, can hold different skills of one id.
  const moves = source !== 'project' && source !== 'path';
  return skills.find((skill) => skill.folder === real) ?? (moves ? skills.find((skill) => skill.id === id) : undefined);
}

/** Skills of the person's own folders are theirs unless an installer brought them or the agent can write there. */
function isOwn({ tree, locks }: Pick<TrustPlaces, 'tree'> & { readonly locks: LockMemory | undefined }, { source, folder }: SkillAtPlace, workspace: readonly string[]): boolean {
  if (source !== 'user' && source !== 'env') return false;
  const real = realOrSame(tree, folder);
  return !workspace.some((root) => isOpenTo(realOrSame(tree, root), real)) && !isInstalledSkill(tree, folder, locks);
}

/** True for a folder below the root, except under the names that sandboxed commands cannot touch and edits ask for. */
function isOpenTo(root: string, real: string): boolean {
  const first = path.relative(root, real).split(path.sep)[0] ?? '';
  return isInside(root, real) && !PROTECTED_FROM_COMMANDS.includes(first);
}

function stampOrMissing(tree: ReadTree, file: string): string {
  try {
    return stampOf(tree.stat(file));
  } catch (error) {
    return `none: ${systemCode(error)}`;
  }
}
