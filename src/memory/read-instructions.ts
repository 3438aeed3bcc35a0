import path from 'node:path';
import type { HostFiles } from '../host/host.ts';
import { messageOf, systemCode } from '../protocol/errors.ts';
import { cutStart } from '../util/cut-text.ts';
import { importsOf } from './imports.ts';
import type { InstructionAuthor, InstructionFile } from './instruction-files.ts';

/** Characters of one file, and of all together. */
const MOST_CHARS = 32_768;
const MOST_ALL_CHARS = 65_536;
const MOST_BYTES = 4 * MOST_CHARS;
const MOST_FILES = 50;
const DEEPEST_IMPORT = 5;
const MOST_NOTICES = 10;

/** What reading depends on. */
export interface InstructionReader {
  readonly files: HostFiles;
  readonly home: string;
  /** Whether a file at this path, links not looked at or all followed, may be part of the instructions of that author. */
  readonly mayLieAt: (file: string, of: InstructionAuthor) => boolean;
  /** Why the rules keep a file from being read; undefined where they do not. */
  readonly refusal: (file: string, real: string) => Promise<string | undefined>;
}

/** One file's words. */
export interface Instruction {
  readonly path: string;
  readonly of: InstructionAuthor;
  readonly text: string;
  /** Only its beginning is here. */
  readonly cut: boolean;
}

/** Everything that was read, and a sentence on what was not. */
export interface Instructions {
  readonly files: readonly Instruction[];
  readonly notices: readonly string[];
}

interface Reading {
  readonly reader: InstructionReader;
  readonly seen: Set<string>;
  readonly files: Instruction[];
  readonly notices: string[];
}

/** Reads files with instructions and what they import. The same file or the same text comes once; where there is too much, the nearest files are kept. */
export async function readInstructions(found: readonly InstructionFile[], reader: InstructionReader): Promise<Instructions> {
  const reading: Reading = { reader, seen: new Set(), files: [], notices: [] };
  for (const file of found) await readOne(reading, file, { depth: 0 });
  const files = fitting(reading);
  const { notices } = reading;
  const more = notices.length - MOST_NOTICES;
  return { files, notices: more > 0 ? [...notices.slice(0, MOST_NOTICES), `${more} more files are not part of the instructions, or not as a whole.`] : notices };
}

async function readOne(reading: Reading, { path: file, of }: InstructionFile, { depth, by }: { readonly depth: number; readonly by?: string }): Promise<void> {
  const { reader, seen, files, notices } = reading;
  const name = by === undefined ? file : `${file} (imported by ${by})`;
  if (files.length >= MOST_FILES) return void notices.push(`${name} is not part of the instructions: they have ${MOST_FILES} files already.`);
  const text = await textOf(reader, file, of);
  if (text === undefined) return void (by !== undefined && file.endsWith('.md') && notices.push(`${name} is not there.`));
  if ('problem' in text) return void notices.push(`${name} is not part of the instructions: ${text.problem}.`);
  const plain = text.text.trim();
  if (plain === '' || seen.has(text.real) || seen.has(`=${plain}`)) return;
  seen.add(text.real).add(`=${plain}`);
  const cut = text.cut || plain.length > MOST_CHARS;
  if (cut) notices.push(`${name} is longer than ${MOST_CHARS} characters; only its beginning is part of the instructions.`);
  files.push({ path: file, of, text: cutStart(plain, MOST_CHARS), cut });
  if (depth === DEEPEST_IMPORT) return;
  for (const { given, path: imported } of importsOf(plain, { file: text.real, home: reader.home })) {
    if (reader.mayLieAt(imported, of)) await readOne(reading, { path: imported, of }, { depth: depth + 1, by: file });
    else if (/[/~].*\.\w+$/.test(given)) notices.push(`${imported} (imported by ${file}) is not part of the instructions: it lies outside of what its file may import; a trusted project may import from other trusted folders.`);
  }
}

type FileText = { readonly real: string; readonly text: string; readonly cut: boolean } | { readonly problem: string };

/** The beginning of a file; undefined where there is none, or a folder. */
async function textOf({ files, mayLieAt, refusal }: InstructionReader, file: string, of: InstructionAuthor): Promise<FileText | undefined> {
  try {
    const real = await files.realPath(file);
    const { kind } = await files.stat(real);
    if (kind === 'directory') return undefined;
    if (kind !== 'file') return { problem: 'it is no regular file' };
    if (!mayLieAt(real, of)) return { problem: `it is a link to ${real}, outside of where it may lie` };
    const refused = await refusal(file, real);
    if (refused !== undefined) return { problem: refused };
    const bytes = await files.exact(real, (exact) => exact.readRange(0, MOST_BYTES));
    const text = new TextDecoder().decode(bytes);
    return text.includes('\0') ? { problem: 'it holds no plain text' } : { real, text, cut: bytes.length === MOST_BYTES };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(systemCode(error))) return undefined;
    return { problem: messageOf(error) };
  }
}

function fitting({ files, notices }: Reading): readonly Instruction[] {
  let left = MOST_ALL_CHARS;
  const kept: Instruction[] = [];
  for (const file of files.toReversed()) {
    if (file.text.length > left) notices.push(`${path.basename(file.path)} in ${path.dirname(file.path)} is ${left === 0 ? 'left out' : 'cut'}: all instructions together have more than ${MOST_ALL_CHARS} characters, and nearer files come first.`);
    if (left > 0) kept.unshift({ ...file, text: cutStart(file.text, left), cut: file.cut || file.text.length > left });
    left = Math.max(0, left - file.text.length);
  }
  return kept;
}
