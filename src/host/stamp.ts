import type { FileStat } from './host.ts';

/** What tells one state of a file from another: its size and time of change. Compared for equality only. */
export function stampOf(stat: Pick<FileStat, 'size' | 'mtimeMs'>): string {
  return `${stat.mtimeMs}:${stat.size}`;
}
