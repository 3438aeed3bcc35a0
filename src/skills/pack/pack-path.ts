import { nameFault } from '../library/entry-path.ts';
import { LIMITS } from '../library/limits.ts';

/** What cannot stand in the name of a file on Windows, or nowhere. Archives of others are unpacked where it can. */
const SPECIAL = /[\\*?"<>|\p{Cs}]/u;

/** Why a path cannot stand in a skillpack, or undefined: it has to be relative, plain, and the name of a file on every system. */
export function pathFault(path: string): string | undefined {
  const segments = path.split('/');
  if (segments.length > LIMITS.depth) return `lies more than ${LIMITS.depth} folders deep`;
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return 'is no plain relative path';
  if (segments.some((segment) => segment.toLowerCase() === '.git')) return 'lies in a version history';
  if (SPECIAL.test(path)) return 'has a name that not every system can store';
  return segments.map(nameFault).find((why) => why !== undefined);
}
