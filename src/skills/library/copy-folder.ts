import { constants, type Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { WORK_FOLDER } from '../discover/skill-root.ts';
import { isInside } from '../../host/paths.ts';
import { isLeftOut } from './entry-path.ts';
import { refusal, readingSource, shown } from './refusal.ts';
import { createTreeWriter, type TreeWriter } from './tree-writer.ts';

const CHUNK_BYTES = 64 * 1024;

/** What is copied. */
export interface CopyFolder {
  /** Absolute. */
  readonly from: string;
  /** Links may lead to anything in here and nowhere else; what they lead to is copied. */
  readonly within: string;
  /** An empty folder. */
  readonly into: string;
}

/** Copies the files of a folder that a stranger may have made, within the limits of archives. Throws `install_refused` and `io`. */
export async function copyFolder({ from, within, into }: CopyFolder): Promise<void> {
  await readingSource(from, async () => {
    const [real, root] = [await fs.realpath(from), await fs.realpath(within)];
    await copyInto({ root, writer: createTreeWriter(into) }, { real, relative: '', above: [real] });
  });
}

interface Copy {
  readonly root: string;
  readonly writer: TreeWriter;
}

interface Place {
  readonly real: string;
  /** With `/`; empty for the folder itself. */
  readonly relative: string;
  /** Real paths of the folder and of those that led to it. */
  readonly above: readonly string[];
}

async function copyInto(copy: Copy, at: Place): Promise<void> {
  const entries = await fs.readdir(at.real, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!isLeftOut(entry.name) && entry.name !== WORK_FOLDER) await copyEntry(copy, at, entry);
  }
}

async function copyEntry(copy: Copy, at: Place, entry: Dirent): Promise<void> {
  const name = at.relative === '' ? entry.name : `${at.relative}/${entry.name}`;
  copy.writer.entry(name);
  const full = path.join(at.real, entry.name);
  const real = entry.isSymbolicLink() ? await followLink(copy.root, full, name) : full;
  const stat = await fs.stat(real);
  if (stat.isDirectory()) {
    if (at.above.includes(real)) throw refusal(`the link ${shown(name)} leads back to a folder above it`);
    copy.writer.folder(name);
    return copyInto(copy, { real, relative: name, above: [...at.above, real] });
  }
  if (!stat.isFile()) throw refusal(`${shown(name)} is no plain file or folder`);
  return copy.writer.file({ name, executable: (stat.mode & 0o100) !== 0, content: bytesOf(real) });
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  // A file that became a pipe meanwhile must not make the copy wait.
  const handle = await fs.open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function followLink(root: string, full: string, name: string): Promise<string> {
  const target = await fs.readlink(full);
  try {
    const real = await fs.realpath(full);
    if (isInside(root, real)) return real;
  } catch (error) {
    throw refusal(`the link ${shown(name)} leads nowhere (${shown(target)})`, error);
  }
  throw refusal(`the link ${shown(name)} leads out of the source (${shown(target)})`);
}
