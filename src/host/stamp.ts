import type { FileStat } from './host.ts';

/**
 * What tells one state of a file from another: size, time of change and inode, as two changes may fall into one tick of
 * the file system's clock. Compared for equality only.
 */
export function stampOf(stat: Pick<FileStat, 'size' | 'mtimeMs' | 'inode'>): string {
  return `${stat.mtimeMs}:${stat.size}:${stat.inode ?? 0}`;
}
