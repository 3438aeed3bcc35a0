import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { systemCode } from '../protocol/errors.ts';
import { systemError } from './system-error.ts';

/** Opening a FIFO to read waits for a writer unless this flag is set. Windows has neither. */
const OPEN_TO_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** How a file is opened. */
export interface OpenFileOptions {
  /** The file's name in errors. */
  readonly shown: string;
  /** False where a symlink in the file's place is refused. */
  readonly follow: boolean;
}

/** Opens a file to read and closes it afterwards; folders, devices, pipes and sockets are refused. */
export async function withFile<T>(path: string, options: OpenFileOptions, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const { shown } = options;
  const handle = await openToRead(path, options);
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw systemError('EISDIR', `is a folder, not a file: ${shown}`);
    if (!stat.isFile()) throw systemError('EINVAL', `is a device, pipe or socket, not a file: ${shown}`);
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function openToRead(path: string, { shown, follow }: OpenFileOptions): Promise<FileHandle> {
  try {
    return await fs.open(path, follow ? OPEN_TO_READ : OPEN_TO_READ | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (systemCode(error) === 'ENXIO') throw systemError('EINVAL', `is a device, pipe or socket, not a file: ${shown}`);
    if (!follow && systemCode(error) === 'ELOOP') throw systemError('ESTALE', `a symlink has taken its place meanwhile: ${shown}`);
    throw error;
  }
}

/** At most `length` bytes from `offset`. */
export async function readRangeOf(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
