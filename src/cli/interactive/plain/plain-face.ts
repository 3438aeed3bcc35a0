import type { IndexingStatus } from '../../run/indexing-status.ts';
import { palette, reportError, write } from '../../terminal.ts';
import { answersYes } from '../../yes-or-no.ts';
import type { Face } from '../face.ts';
import { askPerson } from './ask-person.ts';
import { notice, type Console } from './console.ts';
import { showTurn } from './show-turn.ts';
import { showWork } from './show-work.ts';

/** The conversation as plain lines, for terminals that can do no more. */
export function plainFace({ console, indexing }: { readonly console: Console; readonly indexing: Pick<IndexingStatus, 'beside' | 'pause'> }): Face {
  return {
    asksAnytime: false,
    read: () => readMessage(console),
    show: (turn) => showTurn({ console, indexing }, turn),
    work: (what, run) => showWork(console, what, run),
    ask: (open) => askPerson(console, open),
    confirm: (question) => answersYes(console, question),
    async pick(_title, from) {
      for (const { value, label, description } of from) await write(process.stdout, `  ${value}  ${label}${description === undefined ? '' : `  ${description}`}\n`);
      return undefined;
    },
    notice,
    print: (text) => write(process.stdout, text),
    async report(error) {
      await reportError(error);
    },
    greet: (sandbox) => write(process.stdout, `${palette(process.stdout).bold('skillmint')} ${palette(process.stdout).dim(`· sandbox: ${sandbox} · /help for commands, Ctrl-C stops, Ctrl-D ends`)}\n`),
    suggest: () => undefined,
    enter: async () => undefined,
    end: () => console.close(),
    async close() {
      console.close();
      await write(process.stdout, '\n');
    },
  };
}

/** One message; a line that ends with a backslash goes on, and Ctrl-C begins anew. Undefined at the end of input. */
async function readMessage(console: Console): Promise<string | undefined> {
  const lines: string[] = [];
  for (;;) {
    const typed = await console.ask(lines.length === 0 ? '\n> ' : '… ');
    switch (typed.kind) {
      case 'ended': return undefined;
      case 'interrupted':
        if (typed.wasEmpty && lines.length === 0) await notice('press Ctrl-D to end');
        lines.length = 0;
        break;
      case 'line':
        if (!typed.text.endsWith('\\')) return [...lines, typed.text].join('\n');
        lines.push(typed.text.slice(0, -1));
    }
  }
}
