import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import { commitChange, finishAbandoned } from './commit-change.ts';
import { lockEntryOf } from './install.ts';
import { entriesCalled, installedState, type InstalledState } from './installed-state.ts';
import { inLibrary, type OpenLibrary, type SkillLibrary } from './library-folder.ts';
import { withLibraryLock } from './library-lock.ts';
import { lockFiles, readLockFile, type LockEntry } from './lock-file.ts';
import { diffSkill, type SkillDiff } from './skill-diff.ts';
import { bySource, stageLocked, type NamedEntry, type StagedEntry, type StageLockedOptions } from './stage-locked.ts';
import type { Workspace } from './work-folder.ts';

/** What updating works with. */
export interface UpdateOptions extends Omit<StageLockedOptions, 'workspace' | 'pinned'> {
  readonly library: SkillLibrary;
  /** Only these; all skills of the lock file when left out. */
  readonly names?: readonly string[] | undefined;
  /** Skills that were changed by hand are updated too. */
  readonly replace: boolean;
  /** Only looks. */
  readonly check: boolean;
  /** Is shown what will change and says whether it may. */
  readonly review: (updates: readonly SkillUpdate[]) => Promise<boolean>;
  /** ms since 1970. */
  readonly now: () => number;
}

/** What the source of a skill has for it. */
export interface SkillUpdate {
  readonly name: string;
  readonly source: string;
  /** `changed`: there is a newer version, but the skill was changed by hand; `failed`: the source could not be looked at;
   * `skillpack`: a skillpack is as it is, and another file takes its place when the person installs that. */
  readonly status: 'current' | 'outdated' | 'changed' | 'failed' | 'skillpack';
  readonly updated: boolean;
  readonly changed_by_hand: boolean;
  readonly from: Pick<LockEntry, 'commit' | 'version' | 'digest'>;
  readonly to?: Pick<LockEntry, 'commit' | 'version' | 'digest'>;
  readonly diff?: SkillDiff;
  /** Why it failed. */
  readonly problem?: string;
}

/**
 * Brings skills to what their sources have now: looks at all of them, shows the differences, and if the person agrees replaces them
 * together. One source that fails is a result and keeps the others from nothing. Throws `permission_denied` when the person says
 * no, `skill_not_found`, `library_invalid`, `library_busy`, `path_refused` and `io`.
 */
export async function updateSkills(options: UpdateOptions): Promise<readonly SkillUpdate[]> {
  return inLibrary(options.library, async (library, workspace) => {
    const entries = entriesCalled(readLockFile(library.folder), options.names, library.folder);
    const looked: Looked[] = [];
    for (const group of bySource(entries, { pinned: false })) looked.push(...(await lookAt(options, library, { workspace, group })));
    const updates = looked.map(({ update }) => update);
    const due = looked.filter(({ update }) => update.status === 'outdated');
    if (options.check || due.length === 0) return updates;
    if (!(await options.review(due.map(({ update }) => update)))) throw new SkillmintError('permission_denied', 'Nothing was updated.');
    await replaceAll(options, library, { workspace, due });
    return updates.map((update) => (update.status === 'outdated' ? { ...update, updated: true } : update));
  });
}

interface Looked {
  readonly update: SkillUpdate;
  readonly staged?: StagedEntry;
  readonly state: InstalledState;
}

/** Looks at the source of a group. When one of its skills makes that fail, each is looked at by itself. */
async function lookAt(options: UpdateOptions, library: OpenLibrary, { workspace, group }: { readonly workspace: Workspace; readonly group: readonly [NamedEntry, ...NamedEntry[]] }): Promise<readonly Looked[]> {
  if (group[0][1].kind === 'draft') return Promise.all(group.map((named) => unlooked(options, library, { named, status: 'current' })));
  if (group[0][1].kind === 'skillpack') return Promise.all(group.map((named) => unlooked(options, library, { named, status: 'skillpack' })));
  try {
    const staged = await stageLocked(group, { ...options, workspace: workspace.folder, pinned: false });
    return await Promise.all(staged.map((one) => compare(options, library, one)));
  } catch (error) {
    if (!(error instanceof SkillmintError) || error.code === 'interrupted') throw error;
    const byOne = group.length > 1 && (error.code === 'skill_not_found' || error.code === 'install_refused');
    const each: Looked[] = [];
    for (const named of group) each.push(...(byOne ? await lookAt(options, library, { workspace, group: [named] }) : [await unlooked(options, library, { named, status: 'failed', problem: error.message })]));
    return each;
  }
}

async function compare(options: UpdateOptions, library: OpenLibrary, staged: StagedEntry): Promise<Looked> {
  const { name, entry, skill, provenance } = staged;
  const { tree, replace } = options;
  const folder = path.join(library.folder, name);
  const state = await installedState(tree, folder, entry);
  const known = { ...unknown(name, entry, state), to: versionOf(provenance, skill.digest) };
  const keep = state === 'as-locked' || (state === 'changed' && !replace);
  if (skill.digest === entry.digest && keep) return { update: { ...known, status: 'current' }, state };
  const before = state === 'missing' ? {} : lockFiles(tree, folder).files;
  const diff = await diffSkill(tree, { folder, files: before }, { folder: skill.folder, files: skill.files });
  return { update: { ...known, status: state === 'changed' && !replace ? 'changed' : 'outdated', diff }, staged, state };
}

async function unlooked({ tree }: UpdateOptions, library: OpenLibrary, { named: [name, entry], ...why }: { readonly named: NamedEntry } & Pick<SkillUpdate, 'status' | 'problem'>): Promise<Looked> {
  const state = await installedState(tree, path.join(library.folder, name), entry);
  return { update: { ...unknown(name, entry, state), ...why }, state };
}

function unknown(name: string, entry: LockEntry, state: InstalledState): Omit<SkillUpdate, 'status'> {
  return { name, source: entry.source, updated: false, changed_by_hand: state === 'changed', from: versionOf(entry, entry.digest) };
}

function versionOf({ commit, version }: Pick<LockEntry, 'commit' | 'version'>, digest: string): Pick<LockEntry, 'commit' | 'version' | 'digest'> {
  return { ...(commit === undefined ? {} : { commit }), ...(version === undefined ? {} : { version }), digest };
}

function replaceAll(options: UpdateOptions, library: OpenLibrary, { workspace, due }: { readonly workspace: Workspace; readonly due: readonly Looked[] }): Promise<void> {
  return withLibraryLock(library.folder, async () => {
    await finishAbandoned(library);
    const lock: Record<string, LockEntry> = {};
    for (const { staged, state } of due) {
      if (!staged) continue;
      const { name, entry, skill, provenance } = staged;
      if ((await installedState(options.tree, path.join(library.folder, name), entry)) !== state) throw new SkillmintError('library_busy', `The skill ${name} in ${library.folder} was changed while it was being updated. Nothing was updated: try again.`);
      lock[name] = { ...lockEntryOf(skill, { provenance, library: options.library, now: options.now() }), ...(entry.description === undefined ? {} : { description: entry.description }) };
    }
    await commitChange(library, workspace.folder, { put: Object.keys(lock).map((name) => ({ name, replaces: true })), drop: [], rewrite: [], lock });
  });
}
