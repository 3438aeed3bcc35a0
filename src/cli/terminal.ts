import { messageOf, SkillmintError, systemCode } from '../protocol/errors.ts';
import { EXIT, exitOfError } from './exit-codes.ts';

/** Of these texts, which are almost all, every character is what it looks like. */
const PLAIN = /^[\n\u0020-\u007e]*$/;
/** What ends a line beside a line feed; a carriage return alone would write over the line. */
const LINE_END = /\r\n|[\u2028\u2029]/g;

/** A text from outside made safe to print: control and invisible characters are shown as escapes and do nothing. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return replaceUnsafe(text.replace(LINE_END, '\n'), (char) => escapeOf(char.codePointAt(0) ?? 0));
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

/** Text that a program may want as it is: only a person sees it made safe. */
export function forReader(stream: Pick<NodeJS.WriteStream, 'isTTY'>, text: string): string {
  return stream.isTTY ? printable(text) : text;
}

/** A value as JSON. For a terminal the same characters as in other texts are escaped, in the way of JSON. */
export function jsonFor(stream: Pick<NodeJS.WriteStream, 'isTTY'>, value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent);
  if (!stream.isTTY || PLAIN.test(json)) return json;
  return replaceUnsafe(json, (char) => Array.from({ length: char.length }, (_, i) => escapeOf(char.charCodeAt(i))).join(''));
}

/**
 * Replaces what could steer a terminal or deceive a reader: control characters but tab and line feed, all that is invisible
 * or turns the direction of writing, and half characters. A joiner between two emoji is harmless and stays.
 */
function replaceUnsafe(text: string, by: (char: string) => string): string {
  // It stands here and not above so that it is only compiled when there is something to look for.
  const unsafe = /((?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic}))|[\u{e0100}-\u{e01ef}]|[\u034f\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;
  return text.replace(unsafe, (char: string, joiner?: string) => joiner ?? by(char));
}

function escapeOf(code: number): string {
  const digits = code.toString(16);
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}

/** True when a person looks at the stream and has not asked for plain text. */
export function wantsColour(stream: Pick<NodeJS.WriteStream, 'isTTY'>, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true;
  return stream.isTTY && env['TERM'] !== 'dumb';
}

/** Colours for one stream; plain functions where it takes none. */
export function palette(stream: Pick<NodeJS.WriteStream, 'isTTY'>): Readonly<Record<'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>> {
  const colour = wantsColour(stream);
  const paint = (open: number, close: number) => (text: string) => (colour ? `\u001b[${open}m${text}\u001b[${close}m` : text);
  return { dim: paint(2, 22), bold: paint(1, 22), red: paint(31, 39), green: paint(32, 39), yellow: paint(33, 39), cyan: paint(36, 39) };
}

/** Standard output or error cannot be written any more. */
export class OutputFault extends SkillmintError {
  /** Its reader went away, which is no error: it has what it wanted. */
  readonly readerGone: boolean;

  constructor(stream: NodeJS.WriteStream, cause: unknown) {
    const code = systemCode(cause);
    super('io', `Standard ${stream === process.stderr ? 'error' : 'output'} cannot be written: ${messageOf(cause)}. Send it to another place, or make room there.`, { cause });
    this.readerGone = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'].includes(code) || (code === 'EIO' && stream.isTTY);
  }
}

/** Writes to a stream and resolves when the system has it. Rejects with an OutputFault. */
export function write(stream: NodeJS.WriteStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(new OutputFault(stream, error));
      else resolve();
    });
  });
}

/** Leaves each fault of a stream to whoever was writing. Node would end the process with a stack trace, in the middle of a turn. */
export function leaveFaultsToWriters(stream: NodeJS.WriteStream): void {
  stream.on('error', () => undefined);
}

/** For listings: ends the process when nobody reads the stream any more, since there is nothing left to do then. Other faults are left to whoever was writing. */
export function endWithReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (new OutputFault(stream, error).readerGone) process.exit(EXIT.done);
  });
}

/** Prints a value as JSON on standard output. */
export async function printJson(value: unknown): Promise<void> {
  await write(process.stdout, `${jsonFor(process.stdout, value, 2)}\n`);
}

/** One line on standard error that says what is wrong and what to do; the result is the exit code. A reader that went away is told nothing. */
export async function reportError(error: unknown): Promise<number> {
  if (error instanceof OutputFault && error.readerGone) return EXIT.done;
  const code = error instanceof SkillmintError ? exitOfError(error.code) : EXIT.failed;
  try {
    await write(process.stderr, `skillmint: ${oneLine(messageOf(error))}\n`);
    if (process.env['SKILLMINT_DEBUG'] && error instanceof Error) await write(process.stderr, `${printable(error.stack ?? '')}\n`);
    return code;
  } catch (fault) {
    // Nobody can be told; the exit code is all that is left.
    return fault instanceof OutputFault ? code : EXIT.failed;
  }
}
