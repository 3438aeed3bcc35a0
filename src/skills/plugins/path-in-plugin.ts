import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { messageOf, systemCode } from '../../protocol/errors.ts';
import { isInside } from '../../host/paths.ts';

/** A place inside of a folder, or why a path does not lead to one. */
export type PathInside = { readonly kind: 'inside'; readonly path: string } | { readonly kind: 'refused'; readonly why: string };

/** Follows a path that a plugin or a marketplace gives; it has to stay inside, links included, and to exist. */
export function pathInside(tree: ReadTree, folder: string, given: string): PathInside {
  const refused = (why: string): PathInside => ({ kind: 'refused', why: `the path ${JSON.stringify(given)} ${why}` });
  if (given.includes('\0') || path.isAbsolute(given) || /^[A-Za-z]:|^~|\\/.test(given)) return refused('is no relative path');
  if (given.split('/').includes('..')) return refused('leads upward');
  const full = path.join(folder, ...given.split('/').filter((part) => part !== '' && part !== '.'));
  try {
    return isInside(tree.realPath(folder), tree.realPath(full)) ? { kind: 'inside', path: full } : refused('leads out of its folder through a link');
  } catch (error) {
    return refused(systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be followed: ${messageOf(error)}`);
  }
}
