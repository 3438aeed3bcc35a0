import path from 'node:path';

/** True when `real` is `root` or lies below it, decided segment by segment. Both are real paths. */
export function isInside(root: string, real: string): boolean {
  const relative = path.relative(root, real);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}
