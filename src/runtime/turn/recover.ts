import { closeCalls, turnCompleted } from '../../agent/loop.ts';
import type { AgentPorts } from '../../agent/ports.ts';
import { openCalls, openRequests, runOfCall, type CallState } from '../../protocol/session-state.ts';

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
  const why = openRequests(log.state).length > 0 ? ': the person sent a new message instead of an answer.' : '.';
  await closeCalls(log, openCalls(log.state), ({ phase }) => (phase === 'started' ? `Not finished${why} What it has done so far stays done.` : `Not run${why}`));
  if (log.state.turn?.status === 'waiting') await log.append([turnCompleted(log.state, { status: 'cancelled' })], { durable: true });
}

/**
 * Before a turn goes on: closes the calls that ran when the program ended and may not be made again by themselves. Those that
 * may are left for the loop, as are those that wait for a person and those whose sub-agent can go on.
 */
export async function closeLostCalls(log: Log & Pick<AgentPorts, 'findTool'>): Promise<void> {
  const { state } = log;
  // One whose question is answered has not gone on yet: nothing runs twice.
  const started = openCalls(state).filter(({ phase, question }) => phase === 'started' && (!question || question.taken));
  const kept = await Promise.all(started.map((call) => mayGoOn(log, call)));
  await closeCalls(log, started.filter((_call, index) => !kept[index]), () => UNKNOWN_OUTCOME);
}

async function mayGoOn({ state, findTool }: Pick<AgentPorts, 'state' | 'findTool'>, call: CallState): Promise<boolean> {
  const tool = await findTool(call.tool, call.input);
  if (!tool) return false;
  const run = runOfCall(state, call.call_id);
  return run ? tool.resumes && (run.background === true || run.status === 'running') : !tool.atMostOnce;
}
