import { constants, existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../protocol/errors.ts';
import type { HostFiles } from './host.ts';
import { toFileStat, toFolderEntry } from './local-stat.ts';
import { writeWhole } from './local-write.ts';
import { readRangeOf, withFile } from './open-file.ts';
import { systemError } from './system-error.ts';

/** Linux opens a folder that cannot be listed so, too; Node has no name for it. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;
const FOLDER_ITSELF = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | O_PATH;

/** Linux names open folders here: a path through such a name means this folder, wherever it and its name have gone since. */
const OPEN_FOLDERS = '/proc/self/fd';

/**
 * The files of this machine by their real paths alone: what is done to a path is done to the file that it was resolved
 * to, or fails with `ESTALE` because a symlink has taken the place of a folder or of the file since.
 *
 * On Linux each folder is opened, compared with its path and worked on through its handle. Elsewhere there is no such
 * call: the folder is compared right before, and a gap of some microseconds remains.
 */
export function exactFiles(): Omit<HostFiles, 'exact'> {
  const inFolder = async <T>(file: string, use: (at: string) => Promise<T>): Promise<T> => withFolder(path.dirname(file), (folder) => use(path.join(folder, path.basename(file))));
  return {
    stat: (file) => inFolder(file, async (at) => {
      const stat = toFileStat(await fs.lstat(at));
      if (stat.kind === 'symlink') throw moved(file);
      return stat;
    }),
    lstat: (file) => inFolder(file, async (at) => toFileStat(await fs.lstat(at))),
    readLink: (file) => inFolder(file, (at) => fs.readlink(at)),
    realPath: (file) => fs.realpath(file),
    list: (folder) => withFolder(folder, async (at) => (await fs.readdir(at, { withFileTypes: true })).map(toFolderEntry)),
    read: (file) => inFolder(file, (at) => withFile(at, { shown: file, follow: false }, (handle) => handle.readFile())),
    readRange: (file, offset, length) => inFolder(file, (at) => withFile(at, { shown: file, follow: false }, (handle) => readRangeOf(handle, offset, length))),
    write: async (file, data, options = {}) => {
      await makeFolders(path.dirname(file), options.folderMode);
      await inFolder(file, (at) => writeWhole(at, data, { ...options, shown: file, follow: false }));
    },
    remove: (file) => inFolder(file, (at) => fs.rm(at, { recursive: true })),
  };
}

/** Opens a folder by its real path and gives a path that means this very folder while it is used. */
async function withFolder<T>(folder: string, use: (at: string) => Promise<T>): Promise<T> {
  const handle = await openFolder(folder);
  const named = path.join(OPEN_FOLDERS, String(handle.fd));
  try {
    const pinned = process.platform === 'linux' && existsSync(OPEN_FOLDERS);
    const really = pinned ? await fs.readlink(named) : await fs.realpath(folder);
    if (really !== folder) throw moved(folder);
    return await use(pinned ? named : folder);
  } catch (error) {
    throw withName(error, named, folder);
  } finally {
    await handle.close();
  }
}

async function openFolder(folder: string): Promise<fs.FileHandle> {
  try {
    return await fs.open(folder, FOLDER_ITSELF);
  } catch (error) {
    // A symlink, where there was a folder.
    const isLink = ['ELOOP', 'ENOTDIR'].includes(systemCode(error)) && (await fs.lstat(folder)).isSymbolicLink();
    throw isLink ? moved(folder) : error;
  }
}

/** Makes a folder and those above it, each in the folder that was just looked at. */
async function makeFolders(folder: string, mode: number | undefined): Promise<void> {
  try {
    await withFolder(folder, async () => undefined);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    await makeFolders(path.dirname(folder), mode);
    await withFolder(path.dirname(folder), (at) => makeOne(path.join(at, path.basename(folder)), mode));
  }
}

async function makeOne(folder: string, mode: number | undefined): Promise<void> {
  try {
    await fs.mkdir(folder, mode === undefined ? {} : { mode });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** An error that names a folder by its handle names it by its path. */
function withName(error: unknown, named: string, folder: string): unknown {
  if (!(error instanceof Error) || !error.message.includes(named)) return error;
  return Object.assign(new Error(error.message.replaceAll(named, folder), { cause: error }), { code: systemCode(error) });
}

function moved(file: string): Error {
  return systemError('ESTALE', `another file or folder has taken its place meanwhile: ${file}`);
}
