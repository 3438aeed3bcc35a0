import { SkillmintError } from '../protocol/errors.ts';
import { openConsole, type Console } from './interactive/plain/console.ts';

/** True when a person can be asked: both ends of the conversation are a terminal. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

/** Asks on the terminal until there is a clear answer; Ctrl-D and an empty line are no. Rejects with `interrupted` after Ctrl-C. */
export async function asksYesOrNo(question: string): Promise<boolean> {
  const console = openConsole();
  try {
    return await answersYes(console, question);
  } finally {
    console.close();
  }
}

/** The same on a console that is open already. */
export async function answersYes(console: Pick<Console, 'ask'>, question: string): Promise<boolean> {
  for (;;) {
    const typed = await console.ask(`${question} y = yes, n = no: `, { fresh: true });
    if (typed.kind === 'interrupted') throw new SkillmintError('interrupted', 'Interrupted; nothing more was changed.');
    if (typed.kind === 'ended') return false;
    const text = typed.text.trim();
    if (/^y(?:es)?$/i.test(text)) return true;
    if (text === '' || /^no?$/i.test(text)) return false;
  }
}

/** What a change that needs consent asks with: nothing with `--yes`, the person on a terminal; elsewhere `--yes` is missing. */
export function consent({ yes, what }: { readonly yes: boolean; readonly what: string }): ((question: string) => Promise<boolean>) | undefined {
  if (yes) return undefined;
  if (isTerminal()) return asksYesOrNo;
  throw new SkillmintError('permission_denied', `Without a terminal, ${what} needs --yes. Nothing was changed.`);
}
