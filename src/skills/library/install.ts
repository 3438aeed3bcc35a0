import path from 'node:path';
import type { InstalledSkill } from '../../protocol/skill.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { commitChange, finishAbandoned } from './commit-change.ts';
import { exists } from './exists.ts';
import { inLibrary, realLibraryFolder, type OpenLibrary, type SkillLibrary } from './library-folder.ts';
import { withLibraryLock } from './library-lock.ts';
import { readLockFile, type LockEntry } from './lock-file.ts';
import { portableSource } from './portable-source.ts';
import type { Provenance, SkillSource } from './skill-source.ts';
import { stageSource, type StagedSkill, type StagedSource, type StageOptions } from './stage-source.ts';
import { temporaryWorkspace } from './work-folder.ts';

/** What installing works with. */
export interface InstallOptions extends Omit<StageOptions, 'workspace'> {
  readonly library: SkillLibrary;
  readonly source: SkillSource;
  /** Skills that are there already are replaced. */
  readonly replace: boolean;
  /** Asked before skills are replaced; false leaves all as it is. Left out, nobody is asked. */
  readonly confirm?: ((question: ReplaceQuestion) => Promise<boolean>) | undefined;
  /** Says what would be installed and changes nothing. */
  readonly dryRun: boolean;
  /** ms since 1970. */
  readonly now: () => number;
}

/** What a person is asked before skills are replaced. */
export interface ReplaceQuestion {
  readonly names: readonly string[];
  readonly folder: string;
}

/** What came of an installation. */
export interface InstallResult {
  readonly provenance: Provenance;
  readonly scope: string;
  readonly installed: readonly InstalledSkill[];
  readonly notes: readonly string[];
}

/**
 * Installs the skills of a source: fetched and unpacked beside the others, checked, and then moved into place together with their
 * entries in the lock file. Until then nothing is changed; none of their code runs. Throws `install_refused`, `skill_exists`,
 * `permission_denied` when the person says no, `library_busy`, `library_invalid`, `path_refused`, `io`, and what fetching throws.
 */
export async function installSkills(options: InstallOptions): Promise<InstallResult> {
  if (options.dryRun) return tryOut(options);
  return inLibrary(options.library, async (library, workspace) => {
    // One that is broken is told before anything is fetched.
    readLockFile(library.folder);
    const staged = await stageSource(options.source, { ...options, workspace: workspace.folder });
    const names = staged.skills.map(({ name }) => name);
    const present = await namesPresent(library.folder, names);
    await agree(options, library, present);
    return withLibraryLock(library.folder, async () => {
      await finishAbandoned(library);
      const there = await namesPresent(library.folder, names);
      const fresh = there.filter((name) => !present.includes(name));
      if (fresh.length > 0) throw alreadyThere(fresh, library.folder);
      const lock = Object.fromEntries(staged.skills.map((skill) => [skill.name, lockEntryOf(skill, { provenance: staged.provenance, library: options.library, now: options.now() })]));
      await commitChange(library, workspace.folder, { put: names.map((name) => ({ name, replaces: there.includes(name) })), drop: [], rewrite: [], lock });
      return resultOf(staged, library, there);
    });
  });
}

/** The entry of the lock file for a staged skill. */
export function lockEntryOf(skill: StagedSkill, { provenance, library, now }: { readonly provenance: Provenance; readonly library: SkillLibrary; readonly now: number }): LockEntry {
  return { ...portableSource(provenance, library), path: skill.path, digest: skill.digest, files: skill.files, installed_at: new Date(now).toISOString() };
}

async function tryOut(options: InstallOptions): Promise<InstallResult> {
  const folder = await realLibraryFolder(options.library);
  const workspace = await temporaryWorkspace();
  try {
    const staged = await stageSource(options.source, { ...options, workspace: workspace.folder });
    const present = await namesPresent(folder, staged.skills.map(({ name }) => name));
    if (present.length > 0 && !options.replace) throw alreadyThere(present, folder);
    return resultOf(staged, { scope: options.library.scope, folder, data: options.library.data }, present);
  } finally {
    await workspace.close();
  }
}

async function agree(options: InstallOptions, library: OpenLibrary, present: readonly string[]): Promise<void> {
  if (present.length === 0) return;
  if (!options.replace) throw alreadyThere(present, library.folder);
  if (options.confirm && !(await options.confirm({ names: present, folder: library.folder }))) throw new SkillmintError('permission_denied', 'Nothing was replaced or installed.');
}

function alreadyThere(names: readonly string[], folder: string): SkillmintError {
  const [subject, it] = names.length === 1 ? [`A skill ${names[0]} is`, 'it'] : [`The skills ${names.join(', ')} are`, 'them'];
  return new SkillmintError('skill_exists', `${subject} already in ${folder}. Nothing was installed: say --replace to replace ${it}, or skillmint skills update to bring ${it} up to date.`);
}

/** Those of the names that the folder has, in whatever way. */
async function namesPresent(folder: string, names: readonly string[]): Promise<readonly string[]> {
  const there: string[] = [];
  for (const name of names) if (await exists(path.join(folder, name))) there.push(name);
  return there;
}

function resultOf(staged: StagedSource, library: OpenLibrary, replaced: readonly string[]): InstallResult {
  const installed = staged.skills.map(({ name, document, digest, files, warnings }): InstalledSkill => ({
    name,
    id: `${library.scope}:${document.name}`,
    description: document.description,
    folder: path.join(library.folder, name),
    digest,
    replaced: replaced.includes(name),
    files: Object.keys(files).length,
    warnings,
  }));
  return { provenance: staged.provenance, scope: library.scope, installed, notes: staged.notes };
}
