import fs from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../protocol/errors.ts';
import type { ExactFile, FileStat } from './host.ts';
import { toFileStat, toFolderEntry } from './local-stat.ts';
import { writeWhole } from './local-write.ts';
import { readRangeOf, readWhole, withFile } from './open-file.ts';
import { systemError } from './system-error.ts';

/** Linux opens a folder that cannot be listed so, too; Node has no name for it. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;
const FOLDER_ITSELF = fs.constants.O_RDONLY | (fs.constants.O_DIRECTORY ?? 0) | (fs.constants.O_NOFOLLOW ?? 0) | O_PATH;

/** Linux names open folders here: a path through such a name means this folder, wherever it and its name have gone since. */
const OPEN_FOLDERS = '/proc/self/fd';

/** A folder that is held open. */
interface HeldFolder {
  /** Means this very folder until `close`. */
  readonly at: string;
  close(): void;
}

/**
 * `HostFiles.exact` on this machine. On Linux the folder is opened once, compared with its path and worked on through its
 * handle. Elsewhere there is no such call: the folder is compared once, and a gap remains.
 */
export async function withExactFile<T>(realPath: string, use: (file: ExactFile) => Promise<T>): Promise<T> {
  const [folder, name] = [path.dirname(realPath), path.basename(realPath) || '.'];
  let held = unlessMissing(() => hold(folder));
  const here = (): string => {
    if (!held) throw systemError('ENOENT', `no such file or folder: ${realPath}`);
    return `${held.at}${path.sep}${name}`;
  };
  try {
    return await use({
      stat: async () => (held ? statOf(here(), realPath) : undefined),
      list: () => withFolder(realPath, async (at) => (await readdir(at, { withFileTypes: true })).map(toFolderEntry)),
      read: async () => withFile(here(), { shown: realPath, follow: false }, readWhole),
      readRange: async (offset, length) => withFile(here(), { shown: realPath, follow: false }, (file) => readRangeOf(file, offset, length)),
      write: async (data, options = {}) => {
        held ??= await makeAndHold(folder, options.folderMode);
        await writeWhole(here(), data, { ...options, shown: realPath, follow: false });
      },
    });
  } catch (error) {
    throw held ? withName(error, held.at, folder) : error;
  } finally {
    held?.close();
  }
}

function statOf(at: string, realPath: string): FileStat | undefined {
  const stat = unlessMissing(() => toFileStat(fs.lstatSync(at)));
  if (stat?.kind === 'symlink') throw moved(realPath);
  return stat;
}

function unlessMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return undefined;
    throw error;
  }
}

/** Opens a folder by its real path. */
function hold(folder: string): HeldFolder {
  const fd = openFolder(folder);
  const named = path.join(OPEN_FOLDERS, String(fd));
  try {
    const pinned = process.platform === 'linux' && fs.existsSync(OPEN_FOLDERS);
    const really = pinned ? fs.readlinkSync(named) : fs.realpathSync.native(folder);
    if (really !== folder) throw moved(folder);
    return { at: pinned ? named : folder, close: () => fs.closeSync(fd) };
  } catch (error) {
    fs.closeSync(fd);
    throw withName(error, named, folder);
  }
}

async function withFolder<T>(folder: string, use: (at: string) => Promise<T>): Promise<T> {
  const held = hold(folder);
  try {
    return await use(held.at);
  } catch (error) {
    throw withName(error, held.at, folder);
  } finally {
    held.close();
  }
}

function openFolder(folder: string): number {
  try {
    return fs.openSync(folder, FOLDER_ITSELF);
  } catch (error) {
    // A symlink, where there was a folder.
    const isLink = ['ELOOP', 'ENOTDIR'].includes(systemCode(error)) && fs.lstatSync(folder).isSymbolicLink();
    throw isLink ? moved(folder) : error;
  }
}

/** Makes a folder and those above it, each in the folder that was just looked at. */
async function makeAndHold(folder: string, mode: number | undefined): Promise<HeldFolder> {
  try {
    return hold(folder);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  const parent = await makeAndHold(path.dirname(folder), mode);
  try {
    await makeOne(path.join(parent.at, path.basename(folder)), mode);
  } catch (error) {
    throw withName(error, parent.at, path.dirname(folder));
  } finally {
    parent.close();
  }
  return hold(folder);
}

async function makeOne(folder: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(folder, mode === undefined ? {} : { mode });
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
