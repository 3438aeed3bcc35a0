import { turnCompleted } from '../../agent/loop.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { NO_USAGE } from '../../protocol/usage.ts';
import type { TurnResult } from '../runtime.ts';
import { resultOf } from '../turn/run-live-turn.ts';

/** What the last turn of a session came to; one that has not ended counts as cancelled, and so does one that waits, unless it `mayWait`. */
export function storedResult(state: SessionState, { mayWait = false }: { readonly mayWait?: boolean } = {}): TurnResult {
  const { turn } = state;
  if (!turn) return { session_id: state.session_id, turn_id: '', status: 'cancelled', text: '', usage: NO_USAGE, open: [] };
  const status = turn.status === 'running' || (turn.status === 'waiting' && !mayWait) ? 'cancelled' : turn.status;
  return resultOf(state, turnCompleted(state, { status, ...(turn.error ? { error: turn.error } : {}) }), false);
}
