import fs from 'node:fs';
import type { ReadTree } from './host.ts';
import { toFileStat, toFolderEntry } from './local-stat.ts';

/** The synchronous view of this machine's files. */
export function localTree(): ReadTree {
  return {
    list: (path) => fs.readdirSync(path, { withFileTypes: true }).map(toFolderEntry),
    stat: (path) => toFileStat(fs.statSync(path)),
    isFolder: (path) => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
    realPath: (path) => fs.realpathSync.native(path),
    read: (path) => fs.readFileSync(path),
  };
}
