import path from 'node:path';

/** Order in which a walk comes upon two places of one root: level by level, and by name. */
export function compareDiscovery(a: string, b: string): number {
  const [left, right] = [a.split(path.sep), b.split(path.sep)];
  if (left.length !== right.length) return left.length - right.length;
  for (const [i, name] of left.entries()) {
    const other = right[i] ?? '';
    if (name !== other) return name < other ? -1 : 1;
  }
  return 0;
}
