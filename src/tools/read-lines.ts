import type { ExactFile } from '../host/host.ts';
import { cutStart } from '../util/cut-text.ts';

const CHUNK_BYTES = 1 << 20;
const LONGEST_LINE = 2_000;
/** Enough bytes for the longest line in any script. */
const KEPT_BYTES = LONGEST_LINE * 4 + 4;
/** A line longer than this ends the reading: it is no text for people. */
const LINE_BOUND = 16 << 20;
const NEWLINE = 10;

/** Lines of a file. Memory stays bounded whatever the size of the file and of its lines. */
export interface LinesRead {
  readonly lines: readonly string[];
  /** Number of the first line in `lines`. */
  readonly first: number;
  /** How the reading ended: at the end of the file, with more lines to come, or at a line without end. */
  readonly end: 'file' | 'more' | 'endless line';
  /** Lines seen from the beginning of the file. */
  readonly seen: number;
  /** Some bytes were no UTF-8 and are shown as U+FFFD. */
  readonly invalid: boolean;
}

/** Reads from line `first` on (1-based), at most `count` lines and about `budget` characters, but at least one line. */
export async function readLines(
  file: Pick<ExactFile, 'readRange'>,
  range: { readonly first: number; readonly count: number; readonly budget: number },
): Promise<LinesRead> {
  const lines: string[] = [];
  const line = lineBuffer();
  let number = 1;
  let left = range.budget;
  const result = (end: LinesRead['end'], seen: number): LinesRead => ({ lines, first: range.first, end, seen, invalid: line.invalid() });
  const isFull = (): boolean => lines.length >= range.count || (left <= 0 && lines.length > 0);
  const finishLine = (): void => {
    const text = line.take({ isFirst: number === 1 });
    if (number < range.first) return;
    lines.push(text);
    left -= text.length + 8;
  };

  for (let offset = 0; ; ) {
    const chunk = await file.readRange(offset, CHUNK_BYTES);
    for (let at = 0; at < chunk.length; ) {
      if (isFull()) return result('more', number - 1);
      const newline = chunk.indexOf(NEWLINE, at);
      line.add(chunk, { from: at, to: newline < 0 ? chunk.length : newline, keep: number >= range.first });
      if (line.length() > LINE_BOUND && number >= range.first) return result('endless line', number);
      if (newline < 0) break;
      finishLine();
      number++;
      at = newline + 1;
    }
    offset += chunk.length;
    if (chunk.length === CHUNK_BYTES) continue;
    if (line.length() === 0) return result('file', number - 1);
    if (isFull()) return result('more', number - 1);
    finishLine();
    return result('file', number);
  }
}

interface LineBuffer {
  add(chunk: Uint8Array, part: { readonly from: number; readonly to: number; readonly keep: boolean }): void;
  length(): number;
  /** The line so far as text, cut where it is too long; begins a new line. */
  take(options: { readonly isFirst: boolean }): string;
  invalid(): boolean;
}

function lineBuffer(): LineBuffer {
  const kept = Buffer.alloc(KEPT_BYTES);
  let filled = 0;
  let length = 0;
  let invalid = false;
  return {
    add(chunk, part) {
      length += part.to - part.from;
      if (!part.keep || filled === KEPT_BYTES) return;
      const piece = chunk.subarray(part.from, Math.min(part.to, part.from + KEPT_BYTES - filled));
      kept.set(piece, filled);
      filled += piece.length;
    },
    length: () => length,
    take({ isFirst }) {
      const bytes = kept.subarray(0, filled);
      const decoded = bytes.toString().replace(/\r$/, '');
      const text = isFirst ? decoded.replace(/^\uFEFF/, '') : decoded;
      const isCut = text.length > LONGEST_LINE || length > filled;
      const shown = isCut ? cutStart(text, LONGEST_LINE) : text;
      if (shown.includes('\uFFFD') && bytes.indexOf('\uFFFD') < 0) invalid = true;
      const rest = length - Buffer.byteLength(shown);
      filled = length = 0;
      return isCut ? `${shown}... [${rest} more bytes in this line]` : shown;
    },
    invalid: () => invalid,
  };
}
