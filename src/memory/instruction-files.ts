import path from 'node:path';
import type { ReadTree } from '../host/host.ts';
import { systemCode } from '../protocol/errors.ts';

/** Whose words a file holds: those in the person's own places, in a trusted folder above the project, or in the project. */
export type InstructionAuthor = 'person' | 'trusted' | 'project';

/** A file with instructions that is there. */
export interface InstructionFile {
  readonly path: string;
  readonly of: InstructionAuthor;
}

/** Where to look; all paths absolute. */
export interface InstructionPlaces {
  readonly tree: Pick<ReadTree, 'stat' | 'realPath'>;
  /** The session's folder. */
  readonly cwd: string;
  /** See `projectRoot`. */
  readonly root: string;
  readonly home: string;
  readonly dataFolder: string;
  /** Whether the files of this folder above the repository count. */
  readonly trusted: (folder: string) => boolean;
}

const NAMES = ['AGENTS.md', 'CLAUDE.md', path.join('.claude', 'CLAUDE.md'), 'CLAUDE.local.md'] as const;
const WRITABLE_BY_ALL = 0o002;

/**
 * The root of the repository that a folder lies in; outside of one the folder itself. A repository of the whole home, as some
 * keep their settings in, makes no project of all that lies there. Both paths real.
 */
export function projectRoot(tree: Pick<ReadTree, 'stat'>, cwd: string, home: string): string {
  const root = foldersUpward(cwd).find((folder) => isThere(tree, path.join(folder, '.git')));
  return root === undefined || foldersUpward(home).includes(root) ? cwd : root;
}

/**
 * The files with instructions for a folder, in the order in which they are read: the person's own, then from the farthest
 * folder to the session's. Above the repository only trusted folders count, and above the session's folder none that every
 * user of the machine can write to.
 */
export function instructionFiles({ tree, cwd, root, home, dataFolder, trusted }: InstructionPlaces): readonly InstructionFile[] {
  const chain = foldersUpward(cwd);
  const inside = Math.max(chain.indexOf(root), 0);
  const own = [path.join(dataFolder, 'AGENTS.md'), path.join(home, '.claude', 'CLAUDE.md')];
  const others = chain.filter((folder, i) => i <= inside || trusted(folder)).flatMap((folder): (readonly InstructionFile[])[] => {
    const there = NAMES.map((name) => path.join(folder, name)).filter((file) => !own.includes(file) && isThere(tree, file));
    return there.length === 0 || (folder !== chain[0] && isOpenToAll(tree, folder)) ? [] : [there.map((file) => ({ path: file, of: chain.indexOf(folder) <= inside ? 'project' : 'trusted' }))];
  });
  return [
    ...own.filter((file) => isThere(tree, file)).map((file): InstructionFile => ({ path: file, of: 'person' })),
    ...others.toReversed().flat(),
  ];
}

function foldersUpward(from: string): string[] {
  const chain: string[] = [];
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    chain.push(folder);
    if (path.dirname(folder) === folder) return chain;
  }
}

/** One that is gone meanwhile, or cannot be looked at, counts as open. */
function isOpenToAll(tree: Pick<ReadTree, 'stat'>, folder: string): boolean {
  try {
    return path.sep === '/' && (tree.stat(folder).mode & WRITABLE_BY_ALL) !== 0;
  } catch (error) {
    if (systemCode(error) !== '') return true;
    throw error;
  }
}

function isThere(tree: Pick<ReadTree, 'stat'>, file: string): boolean {
  try {
    tree.stat(file);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(systemCode(error));
  }
}
