import { closeCalls, closeOpenCalls, turnCompleted } from '../agent/loop.ts';
import type { AgentPorts } from '../agent/ports.ts';
import { openCalls, openRequests } from '../protocol/session-state.ts';

const UNKNOWN_OUTCOME = 'Interrupted: the program ended while this ran. Its outcome is unknown; check before you repeat it.';

/** What is needed for bringing a log into order. */
type Log = Pick<AgentPorts, 'append' | 'state' | 'endRuns'>;

/**
 * Closes what a crash left open. A call that had started may have had its effect: its outcome is unknown, it is said so
 * to the model, and it is never run again by itself.
 */
export async function closeInterrupted(log: Log): Promise<void> {
  const { state } = log;
  if (state.turn?.status !== 'running') return;
  await closeCalls(log, openCalls(state), (call) => (call.phase === 'started' ? UNKNOWN_OUTCOME : 'Not run: the program ended before.'));
  await log.append([turnCompleted(state, { status: 'cancelled', error: { code: 'interrupted', message: 'The program ended in the middle of this turn.' } })], { durable: true });
}

/** Ends a turn that waits for a person who has sent a new message instead of an answer. */
export async function closeWaiting(log: Log): Promise<void> {
  if (log.state.turn?.status !== 'waiting' && openCalls(log.state).length === 0) return;
  const asked = openRequests(log.state).length > 0;
  await closeOpenCalls(log, asked ? 'Not run: the person sent a new message instead of an answer.' : 'Not run.');
  if (log.state.turn?.status === 'waiting') await log.append([turnCompleted(log.state, { status: 'cancelled' })], { durable: true });
}

/** Closes calls that ran when the program ended, and leaves those that wait for a person as they are. */
export async function closeStartedCalls(log: Log): Promise<void> {
  const waiting = new Set(openRequests(log.state).map(({ call }) => call.call_id));
  await closeCalls(log, openCalls(log.state).filter((call) => call.phase === 'started' && !waiting.has(call.call_id)), () => UNKNOWN_OUTCOME);
}
