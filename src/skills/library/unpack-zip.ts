import fs from 'node:fs/promises';
import { PassThrough, pipeline, type Duplex } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { getFileNameLowLevel, openPromise, type Entry, type ZipFile } from 'yauzl';
import { LIMITS, sizeText } from './limits.ts';
import { readingSource, refusal, shown } from './refusal.ts';
import { createTreeWriter, type TreeWriter } from './tree-writer.ts';

const TYPE_BITS = 0o170000;
const FILE = 0o100000;
const FOLDER = 0o040000;
const UTF8_FLAG = 0x800;
/** First bytes of the record that ends a zip, and of its larger form. */
const END_RECORDS = new Set([0x06054b50, 0x06064b50]);

/**
 * Unpacks a zip into an empty folder. Everything about it must be unambiguous: names, sizes and checksums are those that
 * every reader would see, no entry is a link, and nothing is hidden before or between the entries. Links, devices, paths that
 * lead out and all that is beyond the limits throw `install_refused`, a disk that is full `io`; what was written until then stays.
 */
export async function unpackZip(archive: string, into: string): Promise<void> {
  await readingSource(archive, async () => {
    const { size } = await fs.stat(archive);
    if (size > LIMITS.archiveBytes) throw refusal(`the archive has ${sizeText(size)}; ${sizeText(LIMITS.archiveBytes)} are the limit`);
    const zip = await openPromise(archive, { decodeStrings: false, autoClose: false });
    // Reading an entry reports its faults; those that come with closing the file are none of the archive.
    zip.on('error', () => undefined);
    try {
      const writer = createTreeWriter(into);
      const entries = await listed(zip);
      await checkEndOfList(archive, Number(zip.readEntryCursor));
      for (const entry of await placed(zip, entries)) await unpackEntry(zip, entry, writer);
    } finally {
      zip.close();
    }
  });
}

/** More in the list than the end record counts would be seen by some readers only. */
async function checkEndOfList(archive: string, at: number): Promise<void> {
  const file = await fs.open(archive);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, at);
    if (bytesRead < 4 || !END_RECORDS.has(buffer.readUInt32LE(0))) throw refusal('its list of entries does not end where its end record says');
  } finally {
    await file.close();
  }
}

interface NamedEntry {
  readonly entry: Entry;
  readonly name: string;
}

async function listed(zip: ZipFile): Promise<NamedEntry[]> {
  if (zip.entryCount > LIMITS.entries) throw refusal(`it has ${zip.entryCount} entries; ${LIMITS.entries} are the limit`);
  const entries: NamedEntry[] = [];
  for await (const entry of zip.eachEntry()) entries.push({ entry, name: nameOf(entry) });
  return entries;
}

/** The entries in the order of the file, each known to have bytes of its own that begin where they should. */
async function placed(zip: ZipFile, entries: readonly NamedEntry[]): Promise<readonly NamedEntry[]> {
  const inOrder = entries.toSorted((a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { entry, name } of inOrder) {
    const start = entry.relativeOffsetOfLocalHeader;
    if (end === 0 && start !== 0) throw refusal('something stands before the first entry, so that it could be read in two ways');
    if (start < end) throw refusal(`the entry ${shown(name)} overlaps another one`);
    const header = await zip.readLocalFileHeaderPromise(entry);
    if (!header.fileName.equals(entry.fileNameRaw)) throw refusal(`the entry ${shown(name)} has another name in its own header, ${shown(header.fileName.toString('latin1'))}`);
    end = header.fileDataStart + entry.compressedSize;
  }
  return inOrder;
}

function nameOf(entry: Entry): string {
  const plain = decodeName(entry.fileNameRaw, (entry.generalPurposeBitFlag & UTF8_FLAG) !== 0);
  const inUse = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  // A second name is for readers that cannot tell which letters the first one has; of plain ASCII there are no two readings.
  if (plain !== inUse && isAscii(entry.fileNameRaw)) throw refusal(`the entry ${shown(plain)} has a second name, ${shown(inUse)}`);
  return inUse;
}

function decodeName(bytes: Buffer, utf8: boolean): string {
  // The old encoding has pictures for control characters, which other readers would take for what they are.
  if (bytes.some((byte) => byte < 0x20 || byte === 0x7f)) throw refusal(`the name ${shown(bytes.toString('latin1'))} holds control characters`);
  try {
    return utf8 ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) : getFileNameLowLevel(0, bytes, [], true);
  } catch (error) {
    throw refusal(`the name ${shown(bytes.toString('latin1'))} is said to be UTF-8 and is not`, error);
  }
}

function isAscii(bytes: Buffer): boolean {
  return bytes.every((byte) => byte < 0x80);
}

async function unpackEntry(zip: ZipFile, { entry, name }: NamedEntry, writer: TreeWriter): Promise<void> {
  const at = writer.entry(name);
  const mode = entry.externalFileAttributes >>> 16;
  checkKind(entry, { name, type: mode & TYPE_BITS, isFolder: at.isFolder });
  if (at.leftOut) return;
  if (at.isFolder) return writer.folder(name);
  if (entry.uncompressedSize > LIMITS.fileBytes) throw refusal(`the file ${shown(name)} has ${sizeText(entry.uncompressedSize)}; ${sizeText(LIMITS.fileBytes)} are the limit`);
  await writer.file({ name, executable: (mode & 0o100) !== 0, content: contentOf(zip, entry, name), packedBytes: entry.compressedSize });
}

function checkKind(entry: Entry, { name, type, isFolder }: { readonly name: string; readonly type: number; readonly isFolder: boolean }): void {
  if (type !== 0 && type !== (isFolder ? FOLDER : FILE)) throw refusal(`the entry ${shown(name)} is ${type === 0o120000 ? 'a link' : 'no plain file or folder'}`);
  if (isFolder && entry.uncompressedSize > 0) throw refusal(`the folder ${shown(name)} has content`);
  if (entry.isEncrypted()) throw refusal(`the entry ${shown(name)} is encrypted`);
  if (!entry.canDecodeFileData()) throw refusal(`the entry ${shown(name)} is packed by the unknown method ${entry.compressionMethod}`);
}

/** The content, whose length and checksum turn out to be those that the archive claims, or an error. */
async function* contentOf(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Buffer> {
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  const unpacked: Duplex = entry.compressionMethod === 0 ? new PassThrough() : createInflateRaw();
  // A fault of either half ends the other, and whoever reads gets it.
  pipeline(packed, unpacked, () => undefined);
  const stream: AsyncIterable<Buffer> = unpacked;
  let sum = 0;
  let size = 0;
  for await (const chunk of stream) {
    sum = crc32(chunk, sum);
    size += chunk.length;
    if (size > entry.uncompressedSize) throw refusal(`${shown(name)} holds more than the ${entry.uncompressedSize} bytes that the archive claims`);
    yield chunk;
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) throw refusal(`the content of ${shown(name)} is not what the archive says: it is damaged`);
}
