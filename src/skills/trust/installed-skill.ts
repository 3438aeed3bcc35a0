import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { systemCode } from '../../protocol/errors.ts';
import { isObject, parseJson } from '../../protocol/json.ts';
import { realOrSame } from './real-folder.ts';

/** What installers write beside or above the skill folders: this program's own, and that of the `skills` package. */
const LOCK_FILES = ['skills.lock.json', '.skill-lock.json'] as const;
/** A root is searched so deep, and a lock file may lie one folder above it. */
const LEVELS = 7;

/** What a lock file names, in lower case; `all` where that is unclear. */
type LockedNames = ReadonlySet<string> | 'all';
const NO_NAMES: ReadonlySet<string> = new Set();

/** What lock files named when they were first looked at, by path: for a listing of many skills, which share theirs. */
export type LockMemory = Map<string, LockedNames>;

/**
 * Whether an installer brought the skill in this folder, by the lock files above it. A lock file that cannot be read or
 * understood counts as naming every skill below it: what is unclear is a stranger's.
 */
export function isInstalledSkill(tree: ReadTree, folder: string, locks: LockMemory = new Map()): boolean {
  const real = realOrSame(tree, folder);
  return [...new Set([path.resolve(folder), real])].some((each) => isNamedAbove({ tree, locks }, each));
}

function isNamedAbove(look: { readonly tree: ReadTree; readonly locks: LockMemory }, folder: string): boolean {
  for (let at = folder, level = 0; level < LEVELS && path.dirname(at) !== at; level += 1) {
    at = path.dirname(at);
    const names = new Set(path.relative(at, folder).toLowerCase().split(path.sep));
    if (LOCK_FILES.some((file) => isAmong(lockedNames(look, path.join(at, file)), names))) return true;
  }
  return false;
}

function isAmong(locked: LockedNames, names: ReadonlySet<string>): boolean {
  return locked === 'all' || [...names].some((name) => locked.has(name));
}

function lockedNames({ tree, locks }: { readonly tree: ReadTree; readonly locks: LockMemory }, file: string): LockedNames {
  const known = locks.get(file) ?? readLock(tree, file);
  locks.set(file, known);
  return known;
}

function readLock(tree: ReadTree, file: string): LockedNames {
  let text: string;
  try {
    text = Buffer.from(tree.read(file)).toString();
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? NO_NAMES : 'all';
  }
  const lock = parseJson(text);
  const skills = isObject(lock) ? lock['skills'] : undefined;
  return isObject(skills) ? new Set(Object.keys(skills).map((name) => name.toLowerCase())) : 'all';
}
