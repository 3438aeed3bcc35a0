import { messageOf, SkillmintError } from '../protocol/errors.ts';
import { EXIT, exitOfError } from './exit-codes.ts';

/** Everything below U+0020 but tab and line feed, DEL and the C1 block: what could steer a terminal. */
const CONTROL = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]', 'g');

/** A text from outside made safe to print: control characters are shown as escapes and do nothing. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
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

/** Writes to a stream and resolves when the system has it; a reader that went away is no error. */
export function write(stream: NodeJS.WriteStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error && !('code' in error && error.code === 'EPIPE')) reject(error);
      else resolve();
    });
  });
}

/** Ends the process when nobody reads the stream any more: there is nothing left to do then. Every other fault of it is one. */
export function endWithReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.done);
  });
}

/** Prints a value as JSON on standard output. */
export async function printJson(value: unknown): Promise<void> {
  await write(process.stdout, `${JSON.stringify(value, null, 2)}\n`);
}

/** One line on standard error that says what is wrong and what to do; the result is the exit code. */
export async function reportError(error: unknown): Promise<number> {
  const known = error instanceof SkillmintError;
  await write(process.stderr, `skillmint: ${oneLine(messageOf(error))}\n`);
  if (process.env['SKILLMINT_DEBUG'] && error instanceof Error) await write(process.stderr, `${error.stack ?? ''}\n`);
  return known ? exitOfError(error.code) : EXIT.failed;
}
