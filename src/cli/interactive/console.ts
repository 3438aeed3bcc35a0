import type readline from 'node:readline/promises';
import { palette, write } from '../terminal.ts';

/** A line of input; undefined when the input ends or is interrupted. */
export async function question(terminal: readline.Interface, prompt: string): Promise<string | undefined> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  terminal.once('close', end);
  terminal.once('SIGINT', end);
  try {
    return await terminal.question(prompt, { signal: ended.signal });
  } catch (error) {
    if (ended.signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.off('close', end);
    terminal.off('SIGINT', end);
  }
}

/** A quiet line of the program itself. */
export function notice(text: string): Promise<void> {
  return write(process.stdout, `\n${palette(process.stdout).dim(text)}\n`);
}
