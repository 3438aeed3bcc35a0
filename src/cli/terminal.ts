import { messageOf, SkillmintError, systemCode } from '../protocol/errors.ts';
import { escapeOf, isPlain, replaceUnsafe, visibleText } from '../protocol/visible-text.ts';
import { EXIT, exitOfError } from './exit-codes.ts';

/** Kinds of terminals (`TERM`) that show no colours. */
const COLOURLESS = /^(?:dumb|vt\d.*|.*-m|.*-mono)$/;

/** A text from outside made safe to print: control and invisible characters are shown as escapes and do nothing. */
export function printable(text: string): string {
  return visibleText(text);
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
  if (!stream.isTTY || isPlain(json)) return json;
  return replaceUnsafe(json, (char) => Array.from({ length: char.length }, (_, i) => escapeOf(char.charCodeAt(i))).join(''));
}

/** True when a person looks at the stream and has not asked for plain text. */
export function wantsColour(stream: Pick<NodeJS.WriteStream, 'isTTY'>, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true;
  return stream.isTTY && !COLOURLESS.test(env['TERM'] ?? '');
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
