import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { systemCode } from '../../protocol/errors.ts';
import type { Environment } from '../../protocol/events.ts';

const HEAD = /^ref: refs\/heads\/(.+)$/m;

/** Facts that a session keeps from its start. */
export function describeEnvironment(tree: ReadTree, cwd: string, facts: { readonly platform: string; readonly now: number }): Environment {
  const branch = gitBranch(tree, cwd);
  return { platform: facts.platform, date: new Date(facts.now).toISOString().slice(0, 10), ...(branch === undefined ? {} : { git_branch: branch }) };
}

/** Branch of the repository that the folder lies in; undefined outside of one, and for a detached head or a linked worktree. */
function gitBranch(tree: ReadTree, cwd: string): string | undefined {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const head = readOrNothing(tree, path.join(folder, '.git', 'HEAD'));
    if (head !== undefined) return HEAD.exec(head)?.[1]?.trim();
    if (path.dirname(folder) === folder) return undefined;
  }
}

function readOrNothing(tree: ReadTree, file: string): string | undefined {
  try {
    return new TextDecoder().decode(tree.read(file));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error))) return undefined;
    throw error;
  }
}
