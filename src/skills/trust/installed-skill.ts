import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { systemCode } from '../../protocol/errors.ts';
import { isObject, parseJson } from '../../protocol/json.ts';
import { realOrSame } from './real-folder.ts';

/** What installers write beside or above the skill folders: this program's own, and that of the `skills` package. */
const LOCK_FILES = ['skills.lock.json', '.skill-lock.json'] as const;
/** A root is searched so deep, and a lock file may lie one folder above it. */
const LEVELS = 7;

/**
 * Whether an installer brought the skill in this folder, by the lock files above it. A lock file that cannot be read or
 * understood counts as naming every skill below it: what is unclear is a stranger's.
 */
export function isInstalledSkill(tree: ReadTree, folder: string): boolean {
  const real = realOrSame(tree, folder);
  return [...new Set([path.resolve(folder), real])].some((each) => isNamedAbove(tree, each));
}

function isNamedAbove(tree: ReadTree, folder: string): boolean {
  for (let at = folder, level = 0; level < LEVELS && path.dirname(at) !== at; level += 1) {
    at = path.dirname(at);
    const names = new Set(path.relative(at, folder).toLowerCase().split(path.sep));
    if (LOCK_FILES.some((file) => lockNames(tree, path.join(at, file), names))) return true;
  }
  return false;
}

function lockNames(tree: ReadTree, file: string, names: ReadonlySet<string>): boolean {
  let text: string;
  try {
    text = Buffer.from(tree.read(file)).toString();
  } catch (error) {
    const code = systemCode(error);
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
  const lock = parseJson(text);
  const skills = isObject(lock) ? lock['skills'] : undefined;
  return !isObject(skills) || Object.keys(skills).some((name) => names.has(name.toLowerCase()));
}
