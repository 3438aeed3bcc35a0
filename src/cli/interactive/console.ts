import readline from 'node:readline';
import { palette, write } from '../terminal.ts';

/** Lines that a person types. Those that come while nobody waits are kept, so that pasted ones are not lost. */
export interface Console {
  /** The next line after a prompt; undefined when the input has ended or was interrupted. */
  ask(prompt: string): Promise<string | undefined>;
  /** While `work` runs, an interrupt calls `stop`, and each line goes to `take`; lines that it refuses are kept. */
  during<T>(work: () => Promise<T>, hooks: { readonly stop: () => void; readonly take: (line: string) => boolean }): Promise<T>;
  close(): void;
}

/** Opens the terminal's input. */
export function openConsole(): Console {
  const terminal = readline.createInterface({ input: process.stdin, output: process.stdout, historySize: 500 });
  const lines: string[] = [];
  let waiting: ((line: string | undefined) => void) | undefined;
  let take: ((line: string) => boolean) | undefined;
  let stop: (() => void) | undefined;
  let ended = false;
  const answer = (line: string | undefined): void => {
    waiting?.(line);
    waiting = undefined;
  };
  terminal.on('line', (line) => {
    if (waiting) answer(line);
    else if (!take?.(line)) lines.push(line);
  });
  terminal.on('SIGINT', () => (stop ? stop() : answer(undefined)));
  terminal.on('close', () => {
    ended = true;
    answer(undefined);
  });
  return {
    async ask(prompt) {
      const kept = lines.shift();
      if (kept !== undefined || ended) return kept;
      terminal.setPrompt(prompt);
      terminal.prompt();
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    async during(work, hooks) {
      ({ take, stop } = hooks);
      try {
        return await work();
      } finally {
        take = undefined;
        stop = undefined;
      }
    },
    close: () => terminal.close(),
  };
}

/** A quiet line of the program itself. */
export function notice(text: string): Promise<void> {
  return write(process.stdout, `\n${palette(process.stdout).dim(text)}\n`);
}
