import fs from 'node:fs';
import { promisify } from 'node:util';
import { systemCode } from '../protocol/errors.ts';
import { systemError } from './system-error.ts';

/** Opening a FIFO to read waits for a writer unless this flag is set. Windows has neither. */
const OPEN_TO_READ = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

/** How a file is opened. */
export interface OpenFileOptions {
  /** The file's name in errors. */
  readonly shown: string;
  /** False where a symlink in the file's place is refused. */
  readonly follow: boolean;
}

/** A file while it is open. */
export interface OpenFile {
  /** Its descriptor. */
  readonly fd: number;
  /** Bytes, as it was opened. */
  readonly size: number;
}

/** Opens a file to read and closes it afterwards; folders, devices, pipes and sockets are refused. */
export async function withFile<T>(path: string, options: OpenFileOptions, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const { shown } = options;
  const fd = openToRead(path, options);
  try {
    const stat = fs.fstatSync(fd);
    if (stat.isDirectory()) throw systemError('EISDIR', `is a folder, not a file: ${shown}`);
    if (!stat.isFile()) throw systemError('EINVAL', `is a device, pipe or socket, not a file: ${shown}`);
    return await use({ fd, size: stat.size });
  } finally {
    fs.closeSync(fd);
  }
}

function openToRead(path: string, { shown, follow }: OpenFileOptions): number {
  try {
    return fs.openSync(path, follow ? OPEN_TO_READ : OPEN_TO_READ | (fs.constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (systemCode(error) === 'ENXIO') throw systemError('EINVAL', `is a device, pipe or socket, not a file: ${shown}`);
    if (!follow && systemCode(error) === 'ELOOP') throw systemError('ESTALE', `a symlink has taken its place meanwhile: ${shown}`);
    throw error;
  }
}

/** The whole file. */
export function readWhole(file: OpenFile): Promise<Uint8Array> {
  // Files of the system that are made while they are read say that they are empty.
  return file.size === 0 ? promisify(fs.readFile)(file.fd) : readRangeOf(file, 0, file.size);
}

/** At most `length` bytes from `offset`. */
export async function readRangeOf({ fd, size }: OpenFile, offset: number, length: number): Promise<Uint8Array> {
  // Only what was read of it is handed out.
  const buffer = Buffer.allocUnsafe(length);
  const read = promisify(fs.read);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await read(fd, buffer, filled, length - filled, offset + filled);
    filled += bytesRead;
    if (bytesRead === 0 || (size > 0 && offset + filled === size)) break;
  }
  return buffer.subarray(0, filled);
}
