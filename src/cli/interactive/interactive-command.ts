import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import { interruptible, whenStopped } from '../interrupts.ts';
import type { TurnFlags } from '../run/turn-flags.ts';
import { openFace } from './open-face.ts';

/** Flags of `skillmint` alone. */
export interface InteractiveFlags extends TurnFlags {
  /** Plain lines, also where the terminal can do more. */
  readonly plain?: boolean;
}

/** `skillmint`: a conversation in the terminal. The face is there before the rest is loaded. Resolves to the exit code. */
export async function interactiveCommand(flags: InteractiveFlags): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new SkillmintError('usage', 'There is no terminal here. Use: skillmint run "what to do"');
  return interruptible(async (stop) => {
    const opened = await openFace({ ephemeral: flags.ephemeral === true, plain: flags.plain === true, cwd: path.resolve(flags.cwd ?? '.') });
    const listening = whenStopped(stop, () => opened.face.end());
    try {
      const { withEarlyTrial } = await import('../../runtime/permissions/sandbox-trial.ts');
      return await withEarlyTrial(flags, async (trial) => {
        const { holdConversation } = await import('./converse.ts');
        return holdConversation({ ...opened, flags, trial, stop });
      });
    } finally {
      listening();
    }
  });
}
