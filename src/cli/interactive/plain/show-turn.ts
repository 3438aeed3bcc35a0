import { SkillmintError } from '../../../protocol/errors.ts';
import type { RunningTurn, TurnResult } from '../../../runtime/runtime.ts';
import { endAtOnce } from '../../interrupts.ts';
import { followEvents } from '../../run/follow-events.ts';
import { plainProgress } from '../../run/plain-progress.ts';
import { oneLine, palette, reportError, write } from '../../terminal.ts';
import type { IndexingStatus } from '../../run/indexing-status.ts';
import { notice, type Console } from './console.ts';

/** Shows a turn to its end. What is typed meanwhile is sent to it; commands, and what comes too late, are kept for afterwards. */
export async function showTurn({ console, indexing }: { readonly console: Console; readonly indexing: Pick<IndexingStatus, 'beside' | 'pause'> }, turn: RunningTurn): Promise<TurnResult> {
  let stopping = false;
  const interrupt = (): void => {
    if (stopping) endAtOnce();
    stopping = true;
    turn.cancel();
  };
  const take = async (line: string): Promise<boolean> => {
    if (line.trim() === '' || line.startsWith('/')) return false;
    try {
      await turn.steer(line);
      await notice('taken in at the next step');
      return true;
    } catch (error) {
      const cameTooLate = error instanceof SkillmintError && error.code === 'turn_ended';
      if (!cameTooLate) await reportError(error);
      // What a hook has refused is not offered again.
      return error instanceof SkillmintError && error.code === 'permission_denied';
    }
  };
  const result = await console.during(() => followEvents(turn, indexing.beside(plainProgress(process.stdout, { text: process.stdout }), { streams: true })), { interrupt, end: () => turn.cancel(), take });
  // What is typed between turns stands in the line.
  indexing.pause();
  if (result.error) await write(process.stdout, palette(process.stdout).red(`\n${oneLine(result.error.message)}\n`));
  else if (result.status === 'cancelled') await notice('stopped');
  if (result.status !== 'waiting') await notice(statusLine(result));
  return result;
}

function statusLine({ usage, cost_usd, status }: TurnResult): string {
  const tokens = `${usage.input + usage.cache_read + usage.cache_write} in, ${usage.output} out`;
  return `${status} · ${tokens}${cost_usd === undefined ? '' : ` · $${cost_usd.toFixed(4)}`}`;
}
