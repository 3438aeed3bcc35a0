import fs from 'node:fs/promises';
import { exactFiles } from './exact-files.ts';
import type { HostFiles } from './host.ts';
import { toFileStat, toFolderEntry } from './local-stat.ts';
import { writeWhole } from './local-write.ts';
import { readRangeOf, withFile } from './open-file.ts';

/** The files of this machine. */
export function localFiles(): HostFiles {
  return {
    stat: async (path) => toFileStat(await fs.stat(path)),
    lstat: async (path) => toFileStat(await fs.lstat(path)),
    realPath: (path) => fs.realpath(path),
    readLink: (path) => fs.readlink(path),
    list: async (path) => (await fs.readdir(path, { withFileTypes: true })).map(toFolderEntry),
    read: (path) => withFile(path, { shown: path, follow: true }, (handle) => handle.readFile()),
    readRange: (path, offset, length) => withFile(path, { shown: path, follow: true }, (handle) => readRangeOf(handle, offset, length)),
    write: (path, data, options = {}) => writeWhole(path, data, { ...options, shown: path, follow: true }),
    remove: (path) => fs.rm(path, { recursive: true }),
    exact: exactFiles(),
  };
}
