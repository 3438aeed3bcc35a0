import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { systemCode } from '../../protocol/errors.ts';
import { sha256 } from '../../skills/sha256.ts';
import { isInnerLink, isPassingName, type Counted } from './counted-files.ts';
import type { KnownFile } from './replica-state.ts';

/** The bit in a mode that says that a file is a link. */
export const LINK = 0o120000;
/** Bytes of one file. */
const MOST_FILE_BYTES = 64 * 1024 * 1024;
const ENTRIES_AT_ONCE = 500;

/** A file as it lies here. */
export interface LocalFile extends KnownFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** What lies in a folder. */
export interface Scanned {
  readonly files: ReadonlyMap<string, LocalFile>;
  /** What cannot be shared, with the reason as a clause. */
  readonly refused: readonly { readonly path: string; readonly why: string }[];
}

/** Looks at all files that are shared; one whose mark is the known one is not read again. */
export async function scanFiles(root: string, counted: Counted, known: ReadonlyMap<string, KnownFile>): Promise<Scanned> {
  const found: Finds = { files: new Map(), refused: [] };
  let seen = 0;
  const open = [...counted.tops];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if ((seen += 1) % ENTRIES_AT_ONCE === 0) await breathe();
    open.push(...lookAt({ root, known, found }, at));
  }
  return found;
}

/** The content of a file or link, and its digest. @throws system errors */
export function contentOf(file: string, mode: number): Uint8Array {
  return (mode & LINK) === LINK ? Buffer.from(fs.readlinkSync(file)) : fs.readFileSync(file);
}

/** What tells that a file was changed. */
export function markOf({ ino, size, mtimeNs, ctimeNs, mode }: Pick<fs.BigIntStats, 'ino' | 'size' | 'mtimeNs' | 'ctimeNs' | 'mode'>): string {
  return [ino, size, mtimeNs, ctimeNs, mode].join(' ');
}

interface Finds {
  readonly files: Map<string, LocalFile>;
  readonly refused: { readonly path: string; readonly why: string }[];
}

interface Look {
  readonly root: string;
  readonly known: ReadonlyMap<string, KnownFile>;
  readonly found: Finds;
}

/** Notes a file; gives what lies in a folder. What goes meanwhile is gone. */
function lookAt({ root, known, found }: Look, at: string): readonly string[] {
  const file = path.join(root, at);
  try {
    const stat = at.includes('/') ? fs.lstatSync(file, { bigint: true }) : fs.statSync(file, { bigint: true });
    if (stat.isDirectory()) return fs.readdirSync(file).filter((name) => !isPassingName(name)).map((name) => `${at}/${name}`);
    const mode = stat.isSymbolicLink() ? LINK : Number(stat.mode & 0o777n);
    const why = refusalOf(file, at, stat);
    if (why !== undefined) {
      found.refused.push({ path: at, why });
      return [];
    }
    const mark = markOf(stat);
    const before = known.get(at);
    found.files.set(at, { path: at, mode, mark, size: Number(stat.size), digest: before?.mark === mark ? before.digest : sha256(contentOf(file, mode)) });
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error))) throw error;
  }
  return [];
}

function refusalOf(file: string, at: string, stat: fs.BigIntStats): string | undefined {
  if (at.includes('\\')) return 'its name has a backslash, which is no name on every machine';
  if (stat.isSymbolicLink()) return isInnerLink(at, fs.readlinkSync(file)) ? undefined : `it is a link to ${fs.readlinkSync(file)}, outside of its skill`;
  if (!stat.isFile()) return 'it is neither a file nor a folder';
  return stat.size > MOST_FILE_BYTES ? `it has ${stat.size} bytes, and a file that is shared at most ${MOST_FILE_BYTES}` : undefined;
}
