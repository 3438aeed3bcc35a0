import fs from 'node:fs/promises';
import path from 'node:path';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { exists } from './exists.ts';
import { readLockFile, writeLockFile, type LockEntry } from './lock-file.ts';
import { abandonedWorkspaces, stagedFolder } from './work-folder.ts';

/** A change of the skills of one folder, whose new folders lie complete in a workspace. */
export interface Change {
  /** Names of the folders that come into place; `replaces` when one of that name has to go for it. */
  readonly put: readonly { readonly name: string; readonly replaces: boolean }[];
  /** Names of the folders that go. */
  readonly drop: readonly string[];
  /** Files that are replaced in folders which stay; the new ones lie in the workspace as those of `put` do. */
  readonly rewrite: readonly { readonly name: string; readonly file: string }[];
  /** New entries of the lock file; null removes one. */
  readonly lock: Readonly<Record<string, LockEntry | null>>;
}

const JOURNAL = 'change.json';

/**
 * Makes a change as a whole. It is written down first; then folders are moved, and last the lock file is replaced. When a move
 * fails, those before it are taken back; when the process dies, whoever changes the skills next finishes what is written down
 * (`finishAbandoned`). Only under the lock of the library. Throws `io` and `library_invalid`, after which all is as it was.
 */
export async function commitChange(skills: string, workspace: string, change: Change): Promise<void> {
  // One that is broken ends the change before anything is moved.
  readLockFile(skills);
  const journal = path.join(workspace, JOURNAL);
  await fs.writeFile(`${journal}.tmp`, JSON.stringify(change));
  await fs.rename(`${journal}.tmp`, journal);
  await apply(skills, workspace, change);
  await fs.rm(journal);
}

/** Finishes or takes back what processes that died have left behind. Only under the lock of the library. */
export async function finishAbandoned(skills: string): Promise<void> {
  for (const workspace of await abandonedWorkspaces(skills)) {
    try {
      const change = await journalOf(workspace);
      if (change) await apply(skills, workspace, change);
      await fs.rm(workspace, { recursive: true, force: true });
    } catch (error) {
      throw new SkillmintError('io', `An interrupted change of the skills in ${skills} cannot be finished: ${messageOf(error)}. What it needs lies in ${workspace}; mend the cause and try again.`, { cause: error });
    }
  }
}

/** A journal is renamed into place when it is complete, so that one which can be seen can be read. */
async function journalOf(workspace: string): Promise<Change | undefined> {
  try {
    const value: unknown = JSON.parse(await fs.readFile(path.join(workspace, JOURNAL), 'utf8'));
    if (isChange(value)) return value;
    throw new Error(`${JOURNAL} is not what skillmint wrote`);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isChange(value: unknown): value is Change {
  return isObject(value) && Array.isArray(value['put']) && Array.isArray(value['drop']) && Array.isArray(value['rewrite']) && isObject(value['lock']);
}

/** Does what is still to be done of a change: on a second run the steps of the first are seen as done. */
async function apply(skills: string, workspace: string, change: Change): Promise<void> {
  const undo: [from: string, to: string][] = [];
  const move = async (from: string, to: string): Promise<void> => {
    await fs.rename(from, to);
    undo.unshift([to, from]);
  };
  const old = path.join(workspace, 'old');
  await fs.mkdir(old, { recursive: true });
  try {
    const left = new Set<string>();
    for (const one of change.put) if (!(await putOne({ skills, workspace, old, move }, one))) left.add(one.name);
    for (const name of change.drop) if ((await exists(path.join(skills, name))) && !(await exists(path.join(old, name)))) await move(path.join(skills, name), path.join(old, name));
    for (const one of change.rewrite) if (!(await rewriteOne({ skills, workspace, old, move }, one))) left.add(one.name);
    await patchLock(skills, workspace, Object.entries(change.lock).filter(([name]) => !left.has(name)));
  } catch (error) {
    for (const [from, to] of undo) await fs.rename(from, to);
    for (const { name, file } of change.rewrite) await putBack(path.join(old, name, file), path.join(skills, name, file));
    await fs.rm(path.join(workspace, JOURNAL), { force: true });
    throw error instanceof SkillmintError ? error : new SkillmintError('io', `The skills in ${skills} cannot be changed: ${messageOf(error)}. Nothing was changed.`, { cause: error });
  }
}

async function putBack(aside: string, target: string): Promise<void> {
  if (await exists(aside)) await fs.rename(aside, target);
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

/** The old file is there until the new one takes its place in one step. False when the folder has gone meanwhile. */
async function rewriteOne({ skills, workspace, old, move }: Moves, { name, file }: Change['rewrite'][number]): Promise<boolean> {
  const [staged, target, aside] = [path.join(stagedFolder(workspace), name, file), path.join(skills, name, file), path.join(old, name, file)];
  if (!(await exists(staged))) return true;
  if (!(await exists(target))) return false;
  await fs.mkdir(path.dirname(aside), { recursive: true });
  await fs.copyFile(target, aside);
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
