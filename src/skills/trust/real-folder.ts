import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { systemCode } from '../../protocol/errors.ts';

/** The real path of a folder, or the path itself where it is not there. */
export function realOrSame(tree: Pick<ReadTree, 'realPath'>, folder: string): string {
  try {
    return tree.realPath(folder);
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return path.resolve(folder);
  }
}
