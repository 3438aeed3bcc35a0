import readline from 'node:readline';
import { oneLine, palette, write } from '../../terminal.ts';

/** What came instead of or as a line: Ctrl-C clears what was typed; the input ends with Ctrl-D, or with the terminal. */
export type Typed =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'interrupted'; readonly wasEmpty: boolean }
  | { readonly kind: 'ended' };

/** What happens to what is typed while work runs. */
export interface Meanwhile {
  /** Ctrl-C. */
  readonly interrupt: () => void;
  /** The input ends. */
  readonly end: () => void;
  /** A line; resolves to false when it is not wanted, and it is kept for the next prompt. */
  readonly take: (line: string) => Promise<boolean>;
}

/** Lines that a person types. Those that come while nobody waits are kept, so that pasted ones are not lost, until the input ends. */
export interface Console {
  /** The next line after a prompt: one that was kept, unless a `fresh` one is asked for, which answers this very prompt. */
  ask(prompt: string, options?: { readonly fresh?: boolean }): Promise<Typed>;
  /** Runs `work`, with hands on what is typed meanwhile. */
  during<T>(work: () => Promise<T>, meanwhile: Meanwhile): Promise<T>;
  /** Ends the input, as Ctrl-D does. */
  close(): void;
}

/** The two halves of a terminal. */
export interface TerminalStreams {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
}

/** Opens the terminal's input; that of the process when no other is given. */
export function openConsole({ stdin, stdout }: TerminalStreams = process): Console {
  const terminal = readline.createInterface({ input: stdin, output: stdout, terminal: true, historySize: 500 });
  const lines: string[] = [];
  const taking = new Set<Promise<void>>();
  let waiting: ((typed: Typed) => void) | undefined;
  let meanwhile: Meanwhile | undefined;
  let ended = false;
  let dropping = false;
  const answer = (typed: Typed): void => {
    waiting?.(typed);
    waiting = undefined;
  };
  const offer = async (take: Meanwhile['take'], line: string): Promise<void> => {
    if (!(await take(line))) lines.push(line);
  };
  terminal.on('line', (text) => {
    if (dropping) return;
    if (waiting) answer({ kind: 'line', text });
    else if (meanwhile) taking.add(offer(meanwhile.take, text));
    else lines.push(text);
  });
  terminal.on('SIGINT', () => {
    if (meanwhile && !waiting) return meanwhile.interrupt();
    const wasEmpty = terminal.line === '';
    dropping = true;
    dropLine(terminal);
    dropping = false;
    answer({ kind: 'interrupted', wasEmpty });
  });
  const end = (): void => {
    if (ended) return;
    ended = true;
    meanwhile?.end();
    answer({ kind: 'ended' });
  };
  terminal.on('close', end);
  // A terminal that went away cannot be read or set back any more: that is the end of the input.
  terminal.on('error', end);
  stdin.on('error', end);
  return {
    async ask(prompt, { fresh = false } = {}) {
      if (ended) return { kind: 'ended' };
      const kept = fresh ? undefined : lines.shift();
      if (kept !== undefined) return { kind: 'line', text: kept };
      terminal.setPrompt(prompt);
      terminal.prompt();
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    async during(work, hooks) {
      meanwhile = hooks;
      try {
        if (ended) hooks.end();
        return await work();
      } finally {
        meanwhile = undefined;
        await Promise.all(taking);
        taking.clear();
      }
    },
    close: () => terminal.close(),
  };
}

/** Takes back what stands in the line, behind the cursor too, and ends it empty: the terminal is told so that what follows stands below. */
function dropLine(terminal: readline.Interface): void {
  for (const key of [{ ctrl: true, name: 'e' }, { ctrl: true, name: 'u' }, { name: 'return' }]) terminal.write(null, key);
}

/** A quiet line of the program itself. */
export function notice(text: string): Promise<void> {
  return write(process.stdout, `\n${palette(process.stdout).dim(oneLine(text))}\n`);
}
