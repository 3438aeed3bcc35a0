import fs from 'node:fs';
import path from 'node:path';
import { checkEntryPath, type EntryPath } from './entry-path.ts';
import { LIMITS, sizeText } from './limits.ts';
import { nameClaims } from './name-claims.ts';
import { refusal, shown } from './refusal.ts';

/** What is known of a file before its content comes. */
export interface NewFile {
  /** As the source spells it. */
  readonly name: string;
  readonly executable: boolean;
  readonly content: AsyncIterable<Uint8Array>;
  /** Bytes that the content takes in the source, where it is packed file by file. */
  readonly packedBytes?: number;
}

/** Writes files below one folder that nobody else writes to; checks every path and counts what is really written. All methods throw `install_refused`, and what the system throws. */
export interface TreeWriter {
  /** Takes an entry of whatever kind into account, and says what it is called. */
  entry(name: string): EntryPath;
  folder(name: string): void;
  file(file: NewFile): Promise<void>;
}

/** A writer below `root`, which exists and is empty. `packedTotal`: bytes of the whole source where it is packed as one. */
export function createTreeWriter(root: string, { packedTotal }: { readonly packedTotal?: number } = {}): TreeWriter {
  const names = nameClaims();
  let entries = 0;
  let total = 0;

  const claim = ({ segments, path: full }: EntryPath, kind: 'file' | 'folder'): void => {
    const fault = names.claim(segments, kind);
    if (fault !== undefined) throw refusal(fault);
    if (names.count() > LIMITS.entries) throw refusal(`it has more than ${LIMITS.entries} files and folders (${shown(full)} is one too many)`);
  };
  const made = new Set<string>();
  const makeFolder = (segments: readonly string[]): string => {
    const folder = path.join(root, ...segments);
    if (!made.has(folder)) fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
    made.add(folder);
    return folder;
  };
  const count = (name: string, file: number, chunk: number, packed: number | undefined): void => {
    total += chunk;
    if (file > LIMITS.fileBytes) throw refusal(`the file ${shown(name)} is larger than ${sizeText(LIMITS.fileBytes)}`);
    if (total > LIMITS.unpackedBytes) throw refusal(`it is larger than ${sizeText(LIMITS.unpackedBytes)} when unpacked`);
    if (isSkillMd(name) && file > LIMITS.skillMdBytes) throw refusal(`${shown(name)} is larger than ${sizeText(LIMITS.skillMdBytes)}`);
    if (isBomb(file, packed) || isBomb(total, packedTotal)) throw refusal(`${shown(name)} unpacks to more than ${LIMITS.ratio} times its packed size`);
  };

  return {
    entry: (name) => {
      entries += 1;
      if (entries > LIMITS.entries) throw refusal(`it has more than ${LIMITS.entries} entries`);
      return checkEntryPath(name);
    },
    folder: (name) => {
      const at = checkEntryPath(name);
      claim(at, 'folder');
      makeFolder(at.segments);
    },
    file: async ({ name, executable, content, packedBytes }) => {
      const at = checkEntryPath(name);
      if (at.segments.length === 0) throw refusal(`the file ${shown(name)} has no name`);
      claim(at, 'file');
      const folder = makeFolder(at.segments.slice(0, -1));
      // Thousands of small files take a third of the time when their bytes do not go through a pool of threads.
      const file = fs.openSync(path.join(folder, at.segments.at(-1) ?? ''), 'wx', executable ? 0o755 : 0o644);
      let size = 0;
      try {
        for await (const chunk of content) {
          size += chunk.length;
          count(at.path, size, chunk.length, packedBytes);
          writeWhole(file, chunk);
        }
      } finally {
        fs.closeSync(file);
      }
    },
  };
}

function writeWhole(file: number, chunk: Uint8Array): void {
  for (let at = 0; at < chunk.length; ) at += fs.writeSync(file, chunk, at);
}

function isSkillMd(name: string): boolean {
  return /(?:^|\/)skill\.md$/i.test(name);
}

function isBomb(unpacked: number, packed: number | undefined): boolean {
  return packed !== undefined && unpacked > LIMITS.ratioFloorBytes && unpacked > LIMITS.ratio * packed;
}
