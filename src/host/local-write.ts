import fs, { type Stats } from 'node:fs';
import { mkdir, realpath, readlink, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { systemCode } from '../protocol/errors.ts';
import { halfName } from './half-written.ts';
import { systemError } from './system-error.ts';

/** How a file is written. */
export interface WriteOptions {
  readonly mode?: number;
  readonly folderMode?: number;
  /** The file's name in errors. */
  readonly shown: string;
  /** False where a symlink in the file's place is refused. */
  readonly follow: boolean;
}

/**
 * Writes beside the file and renames over it: a reader sees the old file or the new one, and other hard links
 * keep the old content. Mode and, where the process may, owner of an existing file are kept.
 */
export async function writeWhole(file: string, data: string | Uint8Array, options: WriteOptions): Promise<void> {
  const { shown } = options;
  const target = options.follow ? await realTarget(file) : file;
  const old = existing(target, options);
  if (old === undefined) await makeFolder(path.dirname(target), options.folderMode);
  else if (old.isDirectory()) throw systemError('EISDIR', `is a folder, not a file: ${shown}`);
  else if (old.isSymbolicLink()) throw systemError('ESTALE', `a symlink has taken its place meanwhile: ${shown}`);
  else if (!old.isFile()) throw systemError('EINVAL', `is a device, pipe or socket, not a file: ${shown}`);

  const temporary = path.join(path.dirname(target), halfName());
  try {
    const fd = fs.openSync(temporary, 'wx', 0o666);
    try {
      await promisify(fs.writeFile)(fd, data);
      if (old !== undefined) keepOwner(fd, old);
      const mode = options.mode ?? old?.mode;
      if (mode !== undefined) fs.fchmodSync(fd, mode & 0o7777);
    } finally {
      fs.closeSync(fd);
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes a folder and those above it. Node's own way never ends where the system answers ENOENT for a folder that is there (/proc). */
async function makeFolder(folder: string, mode: number | undefined): Promise<void> {
  if (existing(folder) !== undefined) return;
  if (path.dirname(folder) !== folder) await makeFolder(path.dirname(folder), mode);
  try {
    await mkdir(folder, mode === undefined ? {} : { mode });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Where a path leads when its last part is a symlink, also to a file that does not exist yet. */
async function realTarget(file: string): Promise<string> {
  let target = file;
  for (let step = 0; step < 40; step++) {
    const stat = existing(target, { follow: false });
    if (stat === undefined || !stat.isSymbolicLink()) return target;
    target = path.resolve(await realpath(path.dirname(target)), await readlink(target));
  }
  throw systemError('ELOOP', `too many symlinks: ${file}`);
}

function existing(file: string, options = { follow: true }): Stats | undefined {
  return (options.follow ? fs.statSync : fs.lstatSync)(file, { throwIfNoEntry: false });
}

/** Only root may give files away; for others a new owner is what every editor that renames leaves behind. */
function keepOwner(fd: number, old: Stats): void {
  const fresh = fs.fstatSync(fd);
  if (fresh.uid === old.uid && fresh.gid === old.gid) return;
  try {
    fs.fchownSync(fd, old.uid, old.gid);
  } catch (error) {
    if (systemCode(error) !== 'EPERM') throw error;
  }
}
