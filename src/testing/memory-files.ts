import { posix } from 'node:path';
import type { FileStat, FolderEntry, HostFiles, ReadTree } from '../host/host.ts';
import { systemError } from '../host/system-error.ts';

interface MemoryFile {
  readonly data: Uint8Array;
  readonly mode: number;
  readonly mtimeMs: number;
}

/** Files in memory with POSIX paths; folders exist by their files, or because they were made. There are no symlinks. */
export interface MemoryFiles {
  readonly files: HostFiles;
  readonly tree: ReadTree;
  /** Paths of all files, sorted. */
  paths(): readonly string[];
  /** Makes an empty folder, or the folders above a file. */
  makeFolder(path: string): void;
}

/** Makes the files; `now` gives the time of each change, which always rises by at least 1 ms. */
export function memoryFiles(initial: Readonly<Record<string, string | Uint8Array>>, now: () => number): MemoryFiles {
  const files = new Map<string, MemoryFile>();
  const folders = new Set<string>(['/']);
  let lastTime = 0;

  const makeFolder = (path: string): void => {
    for (let folder = posix.resolve('/', path); !folders.has(folder); folder = posix.dirname(folder)) {
      if (files.has(folder)) throw systemError('ENOTDIR', `is a file, not a folder: ${folder}`);
      folders.add(folder);
    }
  };
  const write = (given: string, data: string | Uint8Array, mode?: number): void => {
    const path = posix.resolve('/', given);
    if (folders.has(path)) throw systemError('EISDIR', `is a folder, not a file: ${path}`);
    makeFolder(posix.dirname(path));
    lastTime = Math.max(now(), lastTime + 1);
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data.slice();
    files.set(path, { data: bytes, mode: mode ?? files.get(path)?.mode ?? 0o644, mtimeMs: lastTime });
  };
  const stat = (given: string): FileStat => {
    const path = posix.resolve('/', given);
    const file = files.get(path);
    if (file !== undefined) return { kind: 'file', size: file.data.length, mtimeMs: file.mtimeMs, mode: file.mode, links: 1 };
    // There is nobody else who could get in.
    if (folders.has(path)) return { kind: 'directory', size: 0, mtimeMs: 0, mode: 0o700, links: 1 };
    throw systemError('ENOENT', `no such file or folder: ${path}`);
  };
  const read = (path: string): Uint8Array => {
    if (stat(path).kind === 'directory') throw systemError('EISDIR', `is a folder, not a file: ${path}`);
    return files.get(posix.resolve('/', path))?.data.slice() ?? new Uint8Array();
  };
  const list = (given: string): readonly FolderEntry[] => {
    const path = posix.resolve('/', given);
    if (stat(path).kind !== 'directory') throw systemError('ENOTDIR', `is a file, not a folder: ${path}`);
    const isChild = (other: string): boolean => other !== '/' && posix.dirname(other) === path;
    const entry = (kind: FolderEntry['kind']) => (other: string): FolderEntry => ({ name: posix.basename(other), kind });
    return [...[...folders].filter(isChild).map(entry('directory')), ...[...files.keys()].filter(isChild).map(entry('file'))];
  };
  const realPath = (path: string): string => {
    stat(path);
    return posix.resolve('/', path);
  };
  const remove = (given: string): void => {
    const path = posix.resolve('/', given);
    stat(path);
    for (const other of [...files.keys(), ...folders]) {
      if (other !== path && !other.startsWith(`${path}/`)) continue;
      files.delete(other);
      folders.delete(other);
    }
  };

  for (const [path, data] of Object.entries(initial)) write(path, data);
  const isThere = (path: string): boolean => files.has(posix.resolve('/', path)) || folders.has(posix.resolve('/', path));
  const hostFiles: HostFiles = {
    stat: async (path) => stat(path),
    lstat: async (path) => stat(path),
    realPath: async (path) => realPath(path),
    readLink: async (path) => {
      throw systemError('EINVAL', `is no symlink: ${realPath(path)}`);
    },
    list: async (path) => list(path),
    read: async (path) => read(path),
    readRange: async (path, offset, length) => read(path).subarray(offset, offset + length),
    write: async (path, data, options) => write(path, data, options?.mode),
    remove: async (path) => remove(path),
    exact: (path, use) => use({
      stat: async () => (isThere(path) ? stat(path) : undefined),
      list: async () => list(path),
      read: async () => read(path),
      readRange: async (offset, length) => read(path).subarray(offset, offset + length),
      write: async (data, options) => write(path, data, options?.mode),
    }),
  };
  return {
    files: hostFiles,
    tree: { list, stat, isFolder: (path) => folders.has(posix.resolve('/', path)), realPath, read },
    paths: () => [...files.keys()].sort(),
    makeFolder,
  };
}
