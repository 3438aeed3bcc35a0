import fs from 'node:fs';
import path from 'node:path';
import { SkillmintError, systemCode } from '../protocol/errors.ts';
import { rightsOfOthers } from '../util/rights-of-others.ts';
import { connect } from './connection.ts';
import { migrate, type Migration } from './migrations.ts';
import { refuseLostLog } from './open-mark.ts';
import { DAMAGED, corrupt } from './store-error.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** SQLite takes a shorter file for a new one. */
const HEADER_BYTES = 100;

/** Size in bytes, or undefined when there is no such file. */
function sizeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.size;
}

/** Makes the folder's entries survive a power cut; Windows has no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Puts a finished file in its place unless another process was first. */
function place(made: string, file: string): void {
  try {
    fs.linkSync(made, file);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return;
    // File systems without hard links.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(systemCode(error))) throw error;
    copyUnlessThere(made, file);
  }
}

function copyUnlessThere(made: string, file: string): void {
  try {
    fs.copyFileSync(made, file, fs.constants.COPYFILE_EXCL);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** How a database is opened. */
export interface OpenDatabaseOptions {
  /** All of it can be made anew: that it survives a power cut is not waited for when it is made. */
  readonly isCache?: boolean;
}

/** A database appears under its name only when it is complete, so that an empty file is always a damaged one. */
function create(file: string, migrations: readonly Migration[], { isCache = false }: OpenDatabaseOptions): void {
  const made = `${file}.${process.pid}-${process.hrtime.bigint()}.new`;
  try {
    fs.closeSync(fs.openSync(made, 'wx', PRIVATE_FILE));
    const connection = connect(made);
    try {
      connection.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = ${isCache ? 'OFF' : 'FULL'}`);
      migrate(made, connection, migrations);
      connection.exec('PRAGMA journal_mode = WAL');
    } finally {
      connection.close();
    }
    place(made, file);
    if (!isCache) syncFolder(path.dirname(file));
  } finally {
    for (const end of ['', '-wal', '-shm']) fs.rmSync(made + end, { force: true });
  }
}

/** Size in bytes that the database says it has, or undefined when its first page is not one of a database. */
function statedSize(file: string): number | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  const handle = fs.openSync(file, 'r');
  try {
    if (fs.readSync(handle, header) < header.length || !header.toString('latin1').startsWith('SQLite format 3\0')) return undefined;
  } finally {
    fs.closeSync(handle);
  }
  const pageSize = header.readUInt16BE(16);
  // The count is valid only where both change counters are equal.
  return header.readUInt32BE(24) === header.readUInt32BE(92) ? header.readUInt32BE(28) * (pageSize === 1 ? 65_536 : pageSize) : undefined;
}

/**
 * SQLite itself reads missing pages of a file in WAL mode as empty ones. While the log holds something, pages may lie there
 * or be on their way into the file.
 */
function refuseCutShort(file: string): void {
  const stated = statedSize(file) ?? 0;
  if (stated > (sizeOf(file) ?? 0) && (sizeOf(`${file}-wal`) ?? 0) === 0) throw corrupt(file, DAMAGED);
}

/** Stored answers give rights: what another user may have written is not used. */
function refuseOpenToWriting(file: string): void {
  const { write } = rightsOfOthers({ stat: fs.statSync, realPath: fs.realpathSync }, file);
  if (write) throw new SkillmintError('store_unavailable', `cannot use the database ${file}: other users can change it; if nobody has, close it to them: ${write.by === file ? `chmod 600 ${file}` : `chmod go-w ${write.by}`}`);
}

/** Closes the file and its side files to other users; SQLite gives new side files the mode of the database. */
function makePrivate(file: string): void {
  if (process.platform === 'win32') return;
  for (const end of ['', '-wal', '-shm']) {
    const stat = fs.statSync(file + end, { throwIfNoEntry: false });
    if (stat && (stat.mode & 0o077) !== 0) fs.chmodSync(file + end, PRIVATE_FILE);
  }
}

/**
 * Makes sure that there is a private, writable database file, and creates it with its schema when there is none.
 * A file that has lost its content is refused: opening it would be a silent start from nothing.
 */
export function prepareFile(file: string, migrations: readonly Migration[], options: OpenDatabaseOptions): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  // The log is looked at first: where it holds something, the database was complete at that moment.
  const log = sizeOf(`${file}-wal`) ?? 0;
  const size = sizeOf(file);
  if (size === undefined) {
    if (log > 0) throw corrupt(file, `the file is missing while ${path.basename(file)}-wal still holds data; put the file back, or move the rest away to start with an empty one`);
    create(file, migrations, options);
  } else if (fs.statSync(file).isDirectory()) {
    throw corrupt(file, 'it is a folder; move it away, or set SKILLMINT_HOME to another folder');
  } else if (size < HEADER_BYTES) {
    throw corrupt(file, size > 0 ? DAMAGED : 'it is empty, its content is lost; put a backup in its place, or move it away to start with an empty one');
  }
  fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK);
  if (log === 0) refuseCutShort(file);
  if (!options.isCache) refuseLostLog(file);
  refuseOpenToWriting(file);
  makePrivate(file);
}
