import path from 'node:path';
import type { ReadTree } from '../host/host.ts';
import { SkillmintError } from '../protocol/errors.ts';

/**
 * The real path of a folder to work in.
 * @throws SkillmintError invalid_argument when it is no folder or cannot be read
 */
export function existingFolder(tree: ReadTree, folder: string): string {
  const absolute = path.resolve(folder);
  try {
    const real = tree.realPath(absolute);
    if (tree.stat(real).kind === 'directory') return real;
  } catch (error) {
    throw new SkillmintError('invalid_argument', `The folder ${absolute} cannot be worked in: it does not exist or may not be read.`, { cause: error });
  }
  throw new SkillmintError('invalid_argument', `${absolute} is no folder. Give the folder to work in.`);
}
