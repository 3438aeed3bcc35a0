import { WORKTREES_FOLDER } from '../protocol/protected-paths.ts';
import { segmentsOf } from './path-pattern.ts';

const [SETTINGS, WORKTREES] = WORKTREES_FOLDER;

/** The path itself; for one in a worktree of a sub-agent also the path that it is a copy of, and for the folder of all worktrees the folder that they are copies of. */
export function originalsOf(path: string): readonly string[] {
  if (!/worktrees/i.test(path)) return [path];
  const segments = segmentsOf(path);
  const found: string[] = [path];
  segments.forEach((segment, at) => {
    if (segment.toLowerCase() === SETTINGS && segments[at + 1]?.toLowerCase() === WORKTREES) found.push(`/${[...segments.slice(0, at), ...segments.slice(at + 3)].join('/')}`);
  });
  return found;
}
