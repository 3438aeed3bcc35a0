import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { Parser, type ReadEntry } from 'tar';
import { LIMITS, sizeText } from './limits.ts';
import { readingSource, refusal, shown } from './refusal.ts';
import { createTreeWriter, type TreeWriter } from './tree-writer.ts';

const FILES: readonly string[] = ['File', 'OldFile', 'ContiguousFile'];
const FOLDERS: readonly string[] = ['Directory', 'GNUDumpDir'];

/** Unpacks a tar, packed with gzip or plain, into an empty folder, by the rules of `unpackZip`. */
export async function unpackTar(archive: string, into: string): Promise<void> {
  await readingSource(archive, async () => {
    const { size } = await fs.stat(archive);
    if (size > LIMITS.archiveBytes) throw refusal(`the archive has ${sizeText(size)}; ${sizeText(LIMITS.archiveBytes)} are the limit`);
    await readEntries(archive, createTreeWriter(into, { packedTotal: size }));
  });
}

/** The parser hands out one entry after the other and takes no more than fits until each has been read. */
async function readEntries(archive: string, writer: TreeWriter): Promise<void> {
  const faults: unknown[] = [];
  let work: Promise<void> = Promise.resolve();
  let current: ReadEntry | undefined;
  const stream = createReadStream(archive);
  const fail = (error: unknown): void => {
    faults.push(error);
    stream.destroy();
    // What was being read will not go on by itself.
    current?.destroy(error);
  };
  const take = async (entry: ReadEntry): Promise<void> => {
    if (faults.length > 0) return discard(entry);
    current = entry;
    try {
      await unpackEntry(entry, writer);
      current = undefined;
    } catch (error) {
      current = undefined;
      if (faults.length === 0) fail(error);
      discard(entry);
    }
  };
  const parser = new Parser({ strict: true, onReadEntry: (entry) => {
    work = work.then(() => take(entry));
  } });
  const ended = new Promise<void>((resolve) => {
    parser.on('end', resolve);
    parser.on('error', (error) => {
      fail(error);
      resolve();
    });
  });
  await feed(parser, stream, faults);
  if (faults.length === 0) {
    parser.end();
    await ended;
  }
  await work;
  if (faults.length > 0) throw faults[0];
}

async function feed(parser: Parser, stream: AsyncIterable<Buffer>, faults: unknown[]): Promise<void> {
  try {
    for await (const chunk of stream) {
      if (faults.length > 0) return;
      if (!parser.write(chunk)) await drained(parser, faults);
    }
  } catch (error) {
    // The stream ends with an error of its own when a fault elsewhere ended it.
    if (faults.length === 0) faults.push(error);
  }
}

/** Resolves when the parser takes more, or when a fault has ended all. */
function drained(parser: Parser, faults: readonly unknown[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearInterval(watch);
      resolve();
    };
    const watch = setInterval(() => {
      if (faults.length > 0) done();
    }, 20);
    parser.once('drain', done);
  });
}

function discard(entry: ReadEntry): void {
  entry.resume();
}

async function unpackEntry(entry: ReadEntry, writer: TreeWriter): Promise<void> {
  const at = writer.entry(entry.path);
  const isFolder = FOLDERS.includes(entry.type);
  if (!isFolder && !FILES.includes(entry.type)) throw refusal(`the entry ${shown(entry.path)} is ${/link/i.test(entry.type) ? 'a link' : 'no plain file or folder'}`);
  if (at.leftOut || at.segments.length === 0) return discard(entry);
  if (isFolder) {
    writer.folder(entry.path);
    return discard(entry);
  }
  if (entry.size > LIMITS.fileBytes) throw refusal(`the file ${shown(entry.path)} has ${sizeText(entry.size)}; ${sizeText(LIMITS.fileBytes)} are the limit`);
  return writer.file({ name: entry.path, executable: ((entry.mode ?? 0) & 0o100) !== 0, content: entry });
}
