import path from 'node:path';
import type { ExactFile, HostFiles } from '../host/host.ts';
import { messageOf, SkillmintError, systemCode } from '../protocol/errors.ts';
import { foldKey, keyOfFile, readKey } from './memory-key.ts';

/** Bytes of one entry. */
const MOST_ENTRY_BYTES = 64 * 1024;
/** Bytes of all entries together. */
const MOST_BYTES = 1024 * 1024;
const MOST_ENTRIES = 200;

/** One entry without its text. */
export interface MemoryEntry {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** ms since 1970. */
  readonly changedMs: number;
}

/** The text of an entry; `cut` when a person has made it longer than it may be and only its beginning is here. */
export interface MemoryText {
  readonly key: string;
  readonly text: string;
  readonly cut: boolean;
}

/** The notes of one project or skill. Keys are compared without regard to letter case. All reject with `invalid_argument` for a key that cannot be used, `io` for a folder that cannot be read or written. */
export interface Memory {
  /** Sorted by key. */
  list(): Promise<readonly MemoryEntry[]>;
  /** Rejects with `not_found`. */
  read(key: string): Promise<MemoryText>;
  /** Replaces the entry as a whole or not at all. Rejects with `invalid_argument` for a text that is too long, or where the memory is full. */
  write(key: string, text: string): Promise<MemoryEntry>;
  /** Rejects with `not_found`. */
  remove(key: string): Promise<void>;
}

/** The memory in a folder, which is made with the first entry. */
export function openMemory(files: HostFiles, folder: string): Memory {
  const at = (key: string): string => path.join(folder, `${key}.md`);
  const list = async (): Promise<readonly MemoryEntry[]> => (await Promise.all((await keysIn(files, folder)).map((key) => entryOf(files, at(key), key)))).filter((entry) => entry !== undefined);
  const find = async (given: string): Promise<string> => {
    const key = usable(given);
    const found = (await list()).find((entry) => foldKey(entry.key) === foldKey(key));
    if (!found) throw new SkillmintError('not_found', `There is no entry ${key} in this memory.`);
    return found.key;
  };
  return {
    list: () => saying(folder, list),
    read: (given) => saying(folder, async () => {
      const key = await find(given);
      return exactly(files, at(key), async (file) => {
        const bytes = await file.readRange(0, MOST_ENTRY_BYTES + 1);
        return { key, text: new TextDecoder().decode(bytes.subarray(0, MOST_ENTRY_BYTES)), cut: bytes.length > MOST_ENTRY_BYTES };
      });
    }),
    write: (given, text) => saying(folder, async () => {
      const wanted = usable(given);
      const size = sizeOf(text);
      const entries = await list();
      const key = entries.find((entry) => foldKey(entry.key) === foldKey(wanted))?.key ?? wanted;
      checkRoom(entries.filter((entry) => entry.key !== key), size);
      const held = await realOf(files, folder);
      await files.exact(path.join(held, `${key}.md`), (file) => file.write(text, { mode: 0o600, folderMode: 0o700 }));
      return (await entryOf(files, at(key), key)) ?? { key, size, changedMs: 0 };
    }),
    remove: (given) => saying(folder, async () => files.remove(at(await find(given)))),
  };
}

function usable(given: string): string {
  const answer = readKey(given);
  if ('problem' in answer) throw new SkillmintError('invalid_argument', answer.problem);
  return answer.key;
}

function sizeOf(text: string): number {
  const size = Buffer.byteLength(text);
  if (text.includes('\0')) throw new SkillmintError('invalid_argument', 'The text holds a NUL character. A memory keeps plain text.');
  if (size > MOST_ENTRY_BYTES) throw new SkillmintError('invalid_argument', `The text has ${size} bytes, and an entry at most ${MOST_ENTRY_BYTES}. Keep what matters, or several entries.`);
  return size;
}

function checkRoom(others: readonly MemoryEntry[], size: number): void {
  if (others.length >= MOST_ENTRIES) throw new SkillmintError('invalid_argument', `This memory has ${others.length} entries, and more than ${MOST_ENTRIES} cannot be kept. Delete some, or join them.`);
  const all = others.reduce((sum, entry) => sum + entry.size, size);
  if (all > MOST_BYTES) throw new SkillmintError('invalid_argument', `This memory would have ${all} bytes, and can keep ${MOST_BYTES}. Delete or shorten entries first.`);
}

/** Names of entries in the order of their keys; none where there is no folder. */
async function keysIn(files: HostFiles, folder: string): Promise<readonly string[]> {
  const names = await unlessMissing(() => files.list(folder));
  const keys = (names ?? []).flatMap(({ name, kind }) => (kind === 'file' ? keyOfFile(name) ?? [] : []));
  return keys.sort((a, b) => (a < b ? -1 : 1));
}

async function entryOf(files: HostFiles, file: string, key: string): Promise<MemoryEntry | undefined> {
  const stat = await unlessMissing(() => files.lstat(file));
  return stat?.kind === 'file' ? { key, size: stat.size, changedMs: stat.mtimeMs } : undefined;
}

async function exactly<T>(files: HostFiles, file: string, use: (file: ExactFile) => Promise<T>): Promise<T> {
  return files.exact(path.join(await realOf(files, path.dirname(file)), path.basename(file)), use);
}

/** The folder with links followed: a person may keep the data folder elsewhere. An entry that is a link is refused. */
async function realOf(files: HostFiles, folder: string): Promise<string> {
  const real = await unlessMissing(() => files.realPath(folder));
  return real ?? path.join(await realOf(files, path.dirname(folder)), path.basename(folder));
}

async function unlessMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function saying<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkillmintError) throw error;
    throw new SkillmintError('io', `The memory in ${folder} cannot be used: ${messageOf(error)}.`, { cause: error });
  }
}
