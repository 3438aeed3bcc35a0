import fs from 'node:fs';
import path from 'node:path';
import type { FileStat, HostFiles, ReadTree } from '../../src/host/host.ts';

function kindOf(stat: fs.Stats | fs.Dirent): FileStat['kind'] {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  return stat.isSymbolicLink() ? 'symlink' : 'other';
}

function toStat(stat: fs.Stats): FileStat {
  return { kind: kindOf(stat), size: stat.size, mtimeMs: stat.mtimeMs, mode: stat.mode & 0o7777, links: stat.nlink };
}

/** The real file system, so that the tests of settings depend on no other part. */
export const realTree: ReadTree = {
  list: (folder) => fs.readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
  stat: (file) => toStat(fs.statSync(file)),
  isFolder: (file) => fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false,
  realPath: (file) => fs.realpathSync(file),
  read: (file) => fs.readFileSync(file),
};

export const realFiles: Pick<HostFiles, 'read' | 'write'> = {
  read: (file) => fs.promises.readFile(file),
  write: async (file, data, options) => {
    await fs.promises.mkdir(path.dirname(file), { recursive: true, ...(options?.folderMode !== undefined && { mode: options.folderMode }) });
    await fs.promises.writeFile(`${file}.new`, data, { mode: options?.mode ?? 0o644 });
    await fs.promises.rename(`${file}.new`, file);
  },
};
