import fs from 'node:fs/promises';
import path from 'node:path';
import { localFiles } from '../../host/local-files.ts';
import { locate, isInside } from '../../host/paths.ts';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { WORK_FOLDER } from '../discover/skill-root.ts';
import { finishAbandoned } from './commit-change.ts';
import { withLibraryLock } from './library-lock.ts';
import { abandonedWorkspaces, openWorkspace, refuseLink, type Workspace } from './work-folder.ts';

/** A folder of skills that can be changed. */
export interface SkillLibrary {
  /** `user` or `project`. */
  readonly scope: string;
  /** Absolute; need not exist. */
  readonly folder: string;
  /** The real folder must lie in this one: a project that a stranger made must not lead the program elsewhere. */
  readonly within?: string;
  /** The data folder, absolute: what is under way is written down there. */
  readonly data: string;
  /** Permission bits of folders that have to be made. */
  readonly folderMode?: number;
}

/** A library that exists and may be written to: the real path of its folder. */
export interface OpenLibrary {
  readonly scope: string;
  readonly folder: string;
  /** The data folder. */
  readonly data: string;
}

/** Where the folder really lies, whether it exists or not. Throws `path_refused` when that is outside of where it must be. */
export async function realLibraryFolder({ folder, within }: SkillLibrary): Promise<string> {
  const { realPath } = await locate(localFiles(), folder);
  if (within !== undefined && !isInside(await fs.realpath(within), realPath)) throw new SkillmintError('path_refused', `${folder} leads to ${realPath}, outside of ${within}. Nothing was changed: replace the link by a folder.`);
  return realPath;
}

/**
 * Works on a library: its folder is made if need be and what interrupted changes have left there is finished first. The
 * workspace goes at the end, and so do folders that were made and are still empty. Throws `path_refused`, `library_busy`, `io`.
 */
export async function inLibrary<T>(library: SkillLibrary, work: (library: OpenLibrary, workspace: Workspace) => Promise<T>): Promise<T> {
  const folder = await realLibraryFolder(library);
  try {
    const made = await fs.mkdir(folder, { recursive: true, ...(library.folderMode === undefined ? {} : { mode: library.folderMode }) });
    try {
      return await prepared({ scope: library.scope, folder, data: library.data }, work);
    } finally {
      if (made !== undefined) await removeEmpty(folder, made);
    }
  } catch (error) {
    if (error instanceof SkillmintError || !(error instanceof Error) || !('syscall' in error)) throw error;
    throw new SkillmintError('io', `The skills in ${folder} cannot be changed: ${messageOf(error)}. Nothing was changed.`, { cause: error });
  }
}

async function prepared<T>(library: OpenLibrary, work: (library: OpenLibrary, workspace: Workspace) => Promise<T>): Promise<T> {
  const { folder } = library;
  await refuseLink(path.join(folder, WORK_FOLDER));
  if ((await abandonedWorkspaces(folder)).length > 0) await withLibraryLock(folder, () => finishAbandoned(library));
  const workspace = await openWorkspace(folder);
  try {
    return await work(library, workspace);
  } finally {
    await workspace.close();
  }
}

/** Removes folders from `folder` up to `top`, as long as they are empty. */
async function removeEmpty(folder: string, top: string): Promise<void> {
  try {
    for (let at = folder; isInside(top, at); at = path.dirname(at)) await fs.rmdir(at);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error))) throw error;
  }
}
