import type { SessionEvent } from '../../protocol/events.ts';
import type { RunningTurn, TurnResult } from '../../runtime/runtime.ts';

/**
 * Prints the events of a turn to its end. When they cannot be printed any more the turn is cancelled; its end is waited for
 * all the same, so that it is stored, and only then what went wrong is thrown.
 */
export async function followEvents(turn: Pick<RunningTurn, 'events' | 'result' | 'cancel'>, print: (event: SessionEvent) => Promise<void>): Promise<TurnResult> {
  let fault: { readonly error: unknown } | undefined;
  for await (const event of turn.events) {
    if (fault) continue;
    try {
      await print(event);
    } catch (error) {
      fault = { error };
      turn.cancel();
    }
  }
  const result = await turn.result;
  if (fault) throw fault.error;
  return result;
}
