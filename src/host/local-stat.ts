import type { Dirent, Stats } from 'node:fs';
import type { FileStat, FolderEntry } from './host.ts';

/** What the operating system says of a file, in the host's terms. */
export function toFileStat(stats: Stats): FileStat {
  return { kind: kindOf(stats), size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, mode: stats.mode & 0o7777, links: stats.nlink, inode: stats.ino };
}

/** An entry of a folder, in the host's terms. */
export function toFolderEntry(entry: Dirent): FolderEntry {
  return { name: entry.name, kind: kindOf(entry) };
}

function kindOf(entry: Stats | Dirent): FileStat['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
