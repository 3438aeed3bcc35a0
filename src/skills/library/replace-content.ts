import fs from 'node:fs/promises';
import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../digest.ts';
import { commitChange, finishAbandoned } from './commit-change.ts';
import type { EditResult } from './edit-skill.ts';
import { exists } from './exists.ts';
import { goneSkill } from './gone-skill.ts';
import { inLibrary, type SkillLibrary } from './library-folder.ts';
import { withLibraryLock } from './library-lock.ts';
import { lockFiles, readLockFile, type LockEntry } from './lock-file.ts';
import { refusal } from './refusal.ts';
import { stagedFolder } from './work-folder.ts';

/** Which skill gets which content. */
export interface ReplaceContent {
  readonly tree: ReadTree;
  /** The folder that holds the skill's folder. */
  readonly library: SkillLibrary;
  /** Name of the skill's folder. */
  readonly name: string;
  /** Folder of the edited skill, absolute; it stays. */
  readonly from: string;
  /** Paths of the files that change, with `/`: as they are there, or gone where they are not. All others stay. */
  readonly files: readonly string[];
  /** What the skill has to be now. */
  readonly digest: string;
  /** ms since 1970. */
  readonly now: () => number;
}

/**
 * Changes files of a skill that is there, in one step with its entry in the lock file: from then on it is no more what its source gave,
 * but a draft, which updates leave alone.
 * Throws `library_busy` for one that is another by now, `install_refused`, `skill_not_found`, `library_invalid`, `path_refused`, `io`.
 */
export async function replaceContent({ tree, library, name, from, files, digest, now }: ReplaceContent): Promise<EditResult> {
  return inLibrary(library, (open, workspace) => withLibraryLock(open.folder, async () => {
    await finishAbandoned(open);
    const folder = path.join(open.folder, name);
    if (!(await exists(folder))) throw goneSkill(name, open.folder);
    if ((await fs.lstat(folder)).isSymbolicLink()) throw refusal(`${folder} is a link to ${await fs.readlink(folder)}; change the skill there`);
    const before = digestSkill(tree, folder).digest;
    if (before !== digest) throw new SkillmintError('library_busy', `The skill in ${folder} is another one than the edit was made for. Nothing was changed: enhance it again.`);
    const staged = path.join(stagedFolder(workspace.folder), name);
    await fs.mkdir(path.dirname(staged), { recursive: true });
    await fs.cp(folder, staged, { recursive: true, verbatimSymlinks: true });
    for (const file of files) await overlay({ from, into: staged }, file);
    const after = lockFiles(tree, staged);
    const isLocked = readLockFile(open.folder)[name] !== undefined;
    const entry: LockEntry = { source: `draft:${name}`, kind: 'draft', path: name, ...after, installed_at: new Date(now()).toISOString() };
    await commitChange(open, workspace.folder, { put: [{ name, replaces: true }], drop: [], rewrite: [], lock: isLocked ? { [name]: entry } : {} });
    return { before, after: after.digest };
  }));
}

async function overlay({ from, into }: { readonly from: string; readonly into: string }, file: string): Promise<void> {
  const [edited, target] = [path.join(from, file), path.join(into, file)];
  if ((await exists(target)) && (await fs.realpath(target)) !== path.join(await fs.realpath(into), file)) throw refusal(`${file} is a link, or lies behind one; change it there`);
  if (!(await exists(edited))) return fs.rm(target, { force: true });
  await fs.mkdir(path.dirname(target), { recursive: true });
  const mode = (await exists(target)) ? (await fs.stat(target)).mode & 0o777 : 0o644;
  await fs.copyFile(edited, target);
  await fs.chmod(target, mode);
}
