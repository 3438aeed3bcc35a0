import path from 'node:path';
import { messageOf, SkillmintError, systemCode } from '../protocol/errors.ts';
import type { HostFiles } from './host.ts';

const LONGEST_PATH = 4096;
const LONGEST_NAME = 255;
const MOST_SYMLINKS = 40;

/** A usable absolute path, or one sentence on why there is none. */
export type PathAnswer = { readonly path: string } | { readonly problem: string };

/**
 * Makes a path of a tool call absolute and lexically plain. Nothing is expanded or decoded: `~`, `$HOME`, URLs and
 * percent signs have no meaning in a path.
 */
export function absolutePath(given: string, cwd: string): PathAnswer {
  if (given === '') return { problem: 'the path is empty: give a file or folder' };
  if (given.includes('\0')) return { problem: 'the path holds a NUL character: give it without' };
  if (/^~(\/|\\|$)/.test(given)) return { problem: `"~" is not expanded in paths: give the absolute path instead of ${brief(given)}` };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(given)) return { problem: `${brief(given)} is a URL, not a path: give a path` };
  const absolute = path.resolve(cwd, given);
  if (Buffer.byteLength(absolute) >= LONGEST_PATH) return { problem: `the path is longer than ${LONGEST_PATH - 1} bytes: ${brief(absolute)}` };
  const name = absolute.split(path.sep).find((part) => Buffer.byteLength(part) > LONGEST_NAME);
  if (name !== undefined) return { problem: `a name in the path is longer than ${LONGEST_NAME} bytes: ${brief(name)}` };
  return { path: absolute };
}

/** Where a path really lies. */
export interface Location {
  /** All symlinks followed; for what does not exist, the real path of the deepest existing folder and the rest. */
  readonly realPath: string;
  readonly exists: boolean;
}

/**
 * Finds where an absolute path really lies, also for a file that does not exist yet or a symlink that leads to one.
 * @throws SkillmintError `path_refused` when it cannot be known: a loop of symlinks, a folder without rights, a name
 * that the system refuses.
 */
export async function locate(files: HostFiles, absolute: string): Promise<Location> {
  if (absolute.includes('\0')) throw new SkillmintError('path_refused', 'the path holds a NUL character');
  return locateFrom(files, path.resolve(absolute), MOST_SYMLINKS);
}

async function locateFrom(files: HostFiles, absolute: string, symlinksLeft: number): Promise<Location> {
  if (symlinksLeft === 0) throw new SkillmintError('path_refused', `too many symlinks: ${absolute}`);
  const real = await unlessMissing(() => files.realPath(absolute), absolute);
  if (real !== undefined) return { realPath: real, exists: true };
  const folder = path.dirname(absolute);
  if (folder === absolute) return { realPath: absolute, exists: false };
  const parent = await locateFrom(files, folder, symlinksLeft);
  const here = path.join(parent.realPath, path.basename(absolute));
  if (!parent.exists) return { realPath: here, exists: false };
  const link = await unlessMissing(() => files.lstat(here), absolute);
  if (link?.kind !== 'symlink') return { realPath: here, exists: false };
  const target = await unlessMissing(() => files.readLink(here), absolute);
  if (target === undefined) throw new SkillmintError('path_refused', `${absolute} changes while it is looked at; try again`);
  return locateFrom(files, path.resolve(parent.realPath, target), symlinksLeft - 1);
}

async function unlessMissing<T>(look: () => Promise<T>, absolute: string): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new SkillmintError('path_refused', `${absolute} cannot be resolved (${messageOf(error)})`, { cause: error });
  }
}

/** True when `inner` is `root` or lies below it, by segment. Both absolute and plain; give real paths to confine. */
export function isInside(root: string, inner: string): boolean {
  const relative = path.relative(root, inner);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** A path as a person writes it: relative to `cwd` where it lies below, absolute elsewhere. */
export function displayPath(absolute: string, cwd: string): string {
  return isInside(cwd, absolute) ? path.relative(cwd, absolute) || '.' : absolute;
}

function brief(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}
