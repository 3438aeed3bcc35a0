import { byWeight, tellingArgument } from '../../protocol/telling-argument.ts';
import { cutStart } from '../../util/cut-text.ts';
import { oneLine, printable } from '../terminal.ts';

type Input = Readonly<Record<string, unknown>>;

const LINE_CHARS = 110;
/** Texts that a call writes into a file; they run nothing, and may be far longer than anybody reads in a terminal. */
const CONTENT = new Set(['content', 'old_string', 'new_string', 'new_source']);
const LEAST_WIDTH = 20;
/** Characters that take two columns. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const TAB_WIDTH = 8;

/** The most telling argument of a call on one line, cut after 110 characters. For a look in passing, never to decide on. */
export function callLine(input: Input): string {
  const text = oneLine(tellingArgument(input));
  return text.length > LINE_CHARS ? `${cutStart(text, LINE_CHARS)}…` : text;
}

/** How a whole call is laid out. */
export interface CallLayout {
  /** Columns of the terminal. */
  readonly width: number;
  /** Lines from which on the content of a file is cut in its middle; all are shown when left out. Nothing else is ever cut. */
  readonly contentLines?: number;
}

/**
 * Every argument of a call, as lines to decide on. Texts of several lines stand below their name, each line after `│`;
 * what does not fit into a line goes on after `┊`.
 */
export function wholeCall(input: Input, layout: CallLayout): readonly string[] {
  return byWeight(input).flatMap(([key, value]) => argument(key, value, layout));
}

function argument(key: string, value: unknown, { width, contentLines }: CallLayout): readonly string[] {
  const text = printable(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  const name = `  ${oneLine(key)}`;
  const line = `${name}: ${text}`;
  if (!text.includes('\n') && columns(line) <= width) return [line];
  const lines = text.split('\n');
  const rows = lines.flatMap((one) => wrap(one, Math.max(LEAST_WIDTH, width - 4)).map((part, i) => `  ${i === 0 ? '│' : '┊'} ${part}`));
  const shown = CONTENT.has(key) && contentLines !== undefined ? cutMiddle(rows, contentLines) : rows;
  return [lines.length > 1 ? `${name} (${lines.length} lines):` : `${name}:`, ...shown];
}

function cutMiddle(rows: readonly string[], most: number): readonly string[] {
  if (rows.length <= most) return rows;
  const head = Math.ceil((most * 2) / 3);
  const tail = most - head;
  return [...rows.slice(0, head), `  ⋮ ${rows.length - most} lines more, not shown here`, ...rows.slice(rows.length - tail)];
}

/** Cuts a line where a terminal would. */
function wrap(text: string, width: number): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const char of text) {
    const wide = columns(char);
    if (used + wide > width) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += char;
    used += wide;
  }
  return [...parts, part];
}

function columns(text: string): number {
  let sum = 0;
  for (const char of text) sum += char === '\t' ? TAB_WIDTH : WIDE.test(char) ? 2 : 1;
  return sum;
}

/** A text as one word of a shell, to be typed in again. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
