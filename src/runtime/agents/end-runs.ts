import path from 'node:path';
import type { AgentPorts } from '../../agent/ports.ts';
import { removeHalves } from '../../host/half-written.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import type { CallState, SessionState } from '../../protocol/session-state.ts';
import type { LiveSession } from '../turn/live-session.ts';
import { closeInterrupted, closeWaiting } from '../turn/recover.ts';
import type { TurnResult } from '../runtime.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { worktreeLine } from './agent-worktree.ts';
import { childState } from './own-child.ts';
import { agentCompleted } from './run-agent.ts';
import { storedResult } from './stored-result.ts';

/**
 * Ends what runs or waits for calls of a session that are about to be closed, and removes halves of files that a killed program
 * has left for them. Runs in the background are nobody's call.
 */
export function endRuns(turns: TurnParts, session: LiveSession): (calls: readonly CallState[]) => Promise<void> {
  return async (calls) => {
    for (const folder of foldersOf(session.state, calls)) await removeHalves(turns.parts.host.files, folder, turns.parts.now());
    const ids = new Set(calls.map((call) => call.call_id));
    for (const run of session.state.agents.values()) {
      if (run.status === 'running' && !run.background && run.call_id !== undefined && ids.has(run.call_id)) await session.append([agentCompleted(run.task_id, await cancelChild(turns, session.state, run.child_id))]);
    }
  };
}

/** Folders of the files that calls were about to write when they were cut off. */
function foldersOf({ cwd }: SessionState, calls: readonly CallState[]): ReadonlySet<string> {
  const files = calls.filter(({ phase }) => phase === 'started').flatMap(({ input }) => [input, input['input']]).flatMap((given) => (isObject(given) ? [given['file_path'], given['notebook_path'], given['path']] : []));
  return new Set(files.filter((file) => typeof file === 'string').map((file) => path.dirname(path.resolve(cwd, file))));
}

/** Ends the session of a run that is not to go on. Resolves to what it came to. */
export async function cancelChild(turns: TurnParts, outer: SessionState, childId: string): Promise<TurnResult> {
  return closeChild(turns, outer, childId, async (log) => {
    await closeInterrupted(log);
    await closeWaiting(log);
  });
}

/** Closes what a process that is gone has left open in the session of a run. Resolves to what it came to. */
export async function closeInterruptedChild(turns: TurnParts, outer: SessionState, childId: string): Promise<TurnResult> {
  return closeChild(turns, outer, childId, closeInterrupted);
}

async function closeChild(turns: TurnParts, outer: SessionState, childId: string, close: (log: ChildLog) => Promise<void>): Promise<TurnResult> {
  const { binder } = turns;
  const known = await childState(binder, outer, childId);
  if (known.last_seq === 0) return storedResult(known);
  try {
    await binder.hold(childId, (session) => close(childLog(turns, session)));
    await binder.forget(childId);
  } catch (error) {
    // Another turn holds it: it is out of reach, and what is known of it is its result.
    if (!(error instanceof SkillmintError)) throw error;
  }
  const child = await childState(binder, outer, childId);
  // Not asked where it lies: the run's result may be read later, and tells it then.
  if (child.turn?.status !== 'running') await worktreeLine(turns, { outer, child });
  return storedResult(child);
}

type ChildLog = Pick<AgentPorts, 'append' | 'state' | 'endRuns'>;

/** The log of a sub-agent, which may have started some itself. */
function childLog(turns: TurnParts, session: LiveSession): ChildLog {
  return { state: session.state, append: session.append.bind(session), endRuns: endRuns(turns, session) };
}
