import { openConsole } from './interactive/console.ts';

/** True when a person can be asked: both ends of the conversation are a terminal. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

/** Asks on the terminal until there is a clear answer. Ctrl-C, Ctrl-D and an empty line are no. */
export async function asksYesOrNo(question: string): Promise<boolean> {
  const console = openConsole();
  try {
    for (;;) {
      const typed = await console.ask(`${question} y = yes, n = no: `, { fresh: true });
      if (typed.kind !== 'line') return false;
      const text = typed.text.trim();
      if (/^y(?:es)?$/i.test(text)) return true;
      if (text === '' || /^no?$/i.test(text)) return false;
    }
  } finally {
    console.close();
  }
}
