import { isUtf8 } from 'node:buffer';
import type { ExactFile } from '../host/host.ts';

/** Larger files are no work for an edit in memory. */
const MOST_BYTES = 50_000_000;
const BOM = '\uFEFF';

/** A text file that may be edited: its text without the byte order mark, which is kept apart. */
export interface TextFile {
  readonly text: string;
  readonly bom: string;
}

/** Reads a text file for an edit; half a sentence where it is none. */
export async function loadText(file: ExactFile, size: number): Promise<TextFile | { readonly problem: string }> {
  if (size > MOST_BYTES) return { problem: `is larger than ${MOST_BYTES / 1_000_000} MB: change it with a command` };
  const bytes = await file.read();
  if (!isUtf8(bytes)) return { problem: 'is not valid UTF-8, so an edit would damage it: change it with a command' };
  const text = Buffer.from(bytes).toString();
  if (text.includes('\0')) return { problem: 'is a binary file: change it with a command' };
  return text.startsWith(BOM) ? { text: text.slice(1), bom: BOM } : { text, bom: '' };
}
