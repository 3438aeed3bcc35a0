import { SkillmintError } from '../../protocol/errors.ts';
import { openConsole } from '../interactive/console.ts';

/** True when somebody sits before a terminal and can be asked. */
export function personIsHere(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks on standard error; true only for y or yes. */
export async function confirm(question: string): Promise<boolean> {
  const console = openConsole({ stdin: process.stdin, stdout: process.stderr });
  try {
    const typed = await console.ask(`${question} [y/N] `, { fresh: true });
    if (typed.kind === 'interrupted') throw new SkillmintError('interrupted', 'Interrupted; nothing was changed.');
    return typed.kind === 'line' && /^\s*(?:y|yes)\s*$/i.test(typed.text);
  } finally {
    console.close();
  }
}

/** What a change that needs consent asks with: nothing with `--yes`, the person on a terminal; elsewhere `--yes` is missing. */
export function consent({ yes, what }: { readonly yes: boolean; readonly what: string }): ((question: string) => Promise<boolean>) | undefined {
  if (yes) return undefined;
  if (personIsHere()) return confirm;
  throw new SkillmintError('permission_denied', `Without a terminal, ${what} needs --yes. Nothing was changed.`);
}
