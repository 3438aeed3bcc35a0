import fs from 'node:fs/promises';
import path from 'node:path';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { exists } from './exists.ts';
import { namesArePlain, readJournal, removeJournal, removeStrayJournals, writeJournal, type Change, type JournalPlace } from './journal.ts';
import { readLockFile, writeLockFile, type LockEntry } from './lock-file.ts';
import { abandonedWorkspaces, refuseLink, stagedFolder } from './work-folder.ts';

/**
 * Makes a change as a whole. It is written down first; then folders are moved, and last the lock file is replaced. When a move
 * fails, those before it are taken back; when the process dies, whoever changes the skills next finishes what is written down
 * (`finishAbandoned`). Only under the lock of the library. Throws `io`, `path_refused` and `library_invalid`, after which all is
 * as it was.
 */
export async function commitChange(place: JournalPlace, workspace: string, change: Change): Promise<void> {
  // One that is broken ends the change before anything is moved.
  readLockFile(place.folder);
  await checkChange(place.folder, workspace, change);
  await writeJournal(place, workspace, change);
  try {
    await apply(place.folder, workspace, change);
  } catch (error) {
    await removeJournal(place, workspace);
    throw error instanceof SkillmintError ? error : new SkillmintError('io', `The skills in ${place.folder} cannot be changed: ${messageOf(error)}. Nothing was changed.`, { cause: error });
  }
  await removeJournal(place, workspace);
}

/**
 * Finishes what processes that died have begun and written down, and removes their workspaces. A workspace that nothing is
 * written down of is only removed: whoever can write to the folder of skills can make one. Only under the lock of the library.
 */
export async function finishAbandoned(place: JournalPlace): Promise<void> {
  for (const workspace of await abandonedWorkspaces(place.folder)) {
    try {
      const change = await readJournal(place, workspace);
      if (change) {
        await checkChange(place.folder, workspace, change);
        await apply(place.folder, workspace, change);
        await removeJournal(place, workspace);
      }
      await fs.rm(workspace, { recursive: true, force: true });
    } catch (error) {
      throw new SkillmintError('io', `An interrupted change of the skills in ${place.folder} cannot be finished: ${messageOf(error)}. What it needs lies in ${workspace}; mend the cause and try again, or remove that folder to give the change up.`, { cause: error });
    }
  }
  await removeStrayJournals(place);
}

/** Refuses a change that would leave the folder of skills or the workspace: by a name, or by a link on the way. */
async function checkChange(skills: string, workspace: string, change: Change): Promise<void> {
  if (!namesArePlain(change)) throw new SkillmintError('path_refused', `A change of the skills in ${skills} names something that is no name of a folder in it. Nothing was changed.`);
  const staged = stagedFolder(workspace);
  const folders = [path.dirname(workspace), workspace, staged, asideFolder(workspace), ...change.put.map(({ name }) => path.join(staged, name))];
  for (const { name } of change.rewrite) folders.push(...[staged, asideFolder(workspace), skills].map((folder) => path.join(folder, name)));
  for (const folder of folders) await refuseLink(folder);
}

function asideFolder(workspace: string): string {
  return path.join(workspace, 'old');
}

/** Does what is still to be done of a change: on a second run the steps of the first are seen as done. What fails is taken back. */
async function apply(skills: string, workspace: string, change: Change): Promise<void> {
  const undo: [from: string, to: string][] = [];
  const move = async (from: string, to: string): Promise<void> => {
    await fs.rename(from, to);
    undo.unshift([to, from]);
  };
  const old = asideFolder(workspace);
  await fs.mkdir(old, { recursive: true });
  try {
    const left = new Set<string>();
    for (const one of change.put) if (!(await putOne({ skills, workspace, old, move }, one))) left.add(one.name);
    for (const name of change.drop) if ((await exists(path.join(skills, name))) && !(await exists(path.join(old, name)))) await move(path.join(skills, name), path.join(old, name));
    for (const one of change.rewrite) if (!(await rewriteOne({ skills, workspace, old, move, undo }, one))) left.add(one.name);
    await patchLock(skills, workspace, Object.entries(change.lock).filter(([name]) => !left.has(name)));
  } catch (error) {
    for (const [from, to] of undo) await fs.rename(from, to);
    throw error;
  }
}

interface Moves {
  readonly skills: string;
  readonly workspace: string;
  readonly old: string;
  readonly move: (from: string, to: string) => Promise<void>;
}

/** False when somebody else put a folder of that name there, between a crash and now: theirs stays. */
async function putOne({ skills, workspace, old, move }: Moves, { name, replaces }: Change['put'][number]): Promise<boolean> {
  const [staged, target, aside] = [path.join(stagedFolder(workspace), name), path.join(skills, name), path.join(old, name)];
  if (!(await exists(staged))) return true;
  if (await exists(target)) {
    if (!replaces || (await exists(aside))) return false;
    await move(target, aside);
  }
  await move(staged, target);
  return true;
}

/** The old file is there until the new one takes its place in one step. False when it has gone meanwhile. */
async function rewriteOne({ skills, workspace, old, move, undo }: Moves & { readonly undo: [from: string, to: string][] }, { name, file }: Change['rewrite'][number]): Promise<boolean> {
  const [staged, target, aside] = [path.join(stagedFolder(workspace), name, file), path.join(skills, name, file), path.join(old, name, file)];
  if (!(await exists(staged))) return true;
  if (!(await exists(target))) return false;
  if (!(await fs.lstat(target)).isFile()) throw new Error(`${target} is no plain file`);
  await fs.mkdir(path.dirname(aside), { recursive: true });
  await fs.rm(aside, { force: true });
  await fs.copyFile(target, aside, fs.constants.COPYFILE_EXCL);
  undo.unshift([aside, target]);
  await move(staged, target);
  return true;
}

async function patchLock(skills: string, workspace: string, changes: readonly (readonly [string, LockEntry | null])[]): Promise<void> {
  const entries = new Map(Object.entries(readLockFile(skills)));
  if (changes.every(([name, entry]) => entry === null && !entries.has(name))) return;
  for (const [name, entry] of changes) {
    if (entry === null) entries.delete(name);
    else entries.set(name, entry);
  }
  await writeLockFile(skills, Object.fromEntries(entries), workspace);
}
