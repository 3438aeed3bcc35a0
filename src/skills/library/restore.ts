import path from 'node:path';
import { commitChange, finishAbandoned } from './commit-change.ts';
import { entriesCalled, installedState } from './installed-state.ts';
import { inLibrary, type OpenLibrary, type SkillLibrary } from './library-folder.ts';
import { withLibraryLock } from './library-lock.ts';
import { readLockFile } from './lock-file.ts';
import { refusal } from './refusal.ts';
import { bySource, stageLocked, type NamedEntry, type StagedEntry, type StageLockedOptions } from './stage-locked.ts';
import type { Workspace } from './work-folder.ts';

/** What restoring works with. */
export interface RestoreOptions extends Omit<StageLockedOptions, 'workspace' | 'pinned'> {
  readonly library: SkillLibrary;
  /** Only these entries; all when left out. */
  readonly names?: readonly string[] | undefined;
  /** Skills that were changed by hand are replaced by what the lock file says. */
  readonly replace: boolean;
  /** Fetches and checks, and changes nothing. */
  readonly dryRun: boolean;
}

/** What came of it: names of skills that were brought back, and of those that were as they should be. */
export interface RestoreResult {
  readonly restored: readonly string[];
  readonly kept: readonly string[];
  readonly scope: string;
}

/**
 * Makes the skills what the lock file says: those that match are not touched, the others are fetched as they were locked and must
 * have the same digest. All or nothing. Throws `install_refused` for another digest or a change by hand, `skill_not_found`,
 * `library_invalid`, `library_busy`, `path_refused`, `io`, and what fetching throws.
 */
export async function restoreSkills(options: RestoreOptions): Promise<RestoreResult> {
  return inLibrary(options.library, async (library, workspace) => {
    const entries = entriesCalled(readLockFile(library.folder), options.names, library.folder);
    const { kept, wanted } = await compare(options, library, entries);
    const staged: StagedEntry[] = [];
    const how = { ...options, workspace: workspace.folder, pinned: true };
    for (const group of bySource(wanted, how)) staged.push(...(await stageLocked(group, how)));
    for (const one of staged) checkDigest(one);
    const restored = staged.map(({ name }) => name);
    if (!options.dryRun && restored.length > 0) await putInPlace(library, workspace, { options, wanted, restored });
    return { restored, kept, scope: library.scope };
  });
}

async function compare({ tree, replace }: RestoreOptions, library: OpenLibrary, entries: readonly NamedEntry[]): Promise<{ readonly kept: readonly string[]; readonly wanted: readonly NamedEntry[] }> {
  const kept: string[] = [];
  const wanted: NamedEntry[] = [];
  for (const [name, entry] of entries) {
    const state = await installedState(tree, path.join(library.folder, name), entry);
    if (state === 'changed' && !replace) throw refusal(`The skill ${name} in ${library.folder} was changed by hand and is not what the lock file says. Nothing was changed: say --replace to give up the change.`);
    if (state === 'as-locked') kept.push(name);
    else wanted.push([name, entry]);
  }
  return { kept, wanted };
}

function checkDigest({ name, entry, skill }: StagedEntry): void {
  if (skill.digest !== entry.digest) throw refusal(`The skill ${name} of ${entry.source} is no longer what the lock file says: its digest is ${skill.digest} instead of ${entry.digest}. Nothing was changed: if you trust what is there now, say skillmint skills update ${name}.`);
}

function putInPlace(library: OpenLibrary, workspace: Workspace, { options, wanted, restored }: { readonly options: RestoreOptions; readonly wanted: readonly NamedEntry[]; readonly restored: readonly string[] }): Promise<void> {
  return withLibraryLock(library.folder, async () => {
    await finishAbandoned(library);
    await compare(options, library, wanted);
    await commitChange(library, workspace.folder, { put: restored.map((name) => ({ name, replaces: true })), drop: [], rewrite: [], lock: {} });
  });
}
