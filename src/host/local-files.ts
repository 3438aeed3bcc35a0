import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { systemCode } from '../protocol/errors.ts';
import type { HostFiles } from './host.ts';
import { toFileStat, toFolderEntry } from './local-stat.ts';
import { writeWhole } from './local-write.ts';
import { systemError } from './system-error.ts';

/** Opening a FIFO to read waits for a writer unless this flag is set. Windows has neither. */
const OPEN_TO_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The files of this machine. */
export function localFiles(): HostFiles {
  return {
    stat: async (path) => toFileStat(await fs.stat(path)),
    lstat: async (path) => toFileStat(await fs.lstat(path)),
    realPath: (path) => fs.realpath(path),
    readLink: (path) => fs.readlink(path),
    list: async (path) => (await fs.readdir(path, { withFileTypes: true })).map(toFolderEntry),
    read: (path) => withFile(path, (handle) => handle.readFile()),
    readRange: (path, offset, length) => withFile(path, (handle) => readRange(handle, offset, length)),
    write: (path, data, options = {}) => writeWhole(path, data, options),
    remove: (path) => fs.rm(path, { recursive: true }),
  };
}

async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await openToRead(path);
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw systemError('EISDIR', `is a folder, not a file: ${path}`);
    if (!stat.isFile()) throw systemError('EINVAL', `is a device, pipe or socket, not a file: ${path}`);
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function openToRead(path: string): Promise<FileHandle> {
  try {
    return await fs.open(path, OPEN_TO_READ);
  } catch (error) {
    if (systemCode(error) === 'ENXIO') throw systemError('EINVAL', `is a device, pipe or socket, not a file: ${path}`);
    throw error;
  }
}

async function readRange(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
