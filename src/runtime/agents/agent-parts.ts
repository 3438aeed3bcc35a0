import { turnBudget, type TurnBudget } from '../turn/turn-budget.ts';
import type { LiveSession } from '../turn/live-session.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { runsBeside, type CallState } from '../../protocol/session-state.ts';
import type { Prepared } from '../session/session-binder.ts';
import type { AgentParts } from './agent-task.ts';
import type { OuterTurn } from './outer-turn.ts';

/**
 * What the turn of a session runs sub-agents with; `budget` is that of the turn which it is itself a part of. Most turns start
 * none: what it takes to run one is loaded with the first.
 */
export function agentParts(turns: TurnParts, session: LiveSession, prepared: Prepared, budget?: TurnBudget): AgentParts {
  const { parts, binder } = turns;
  const { state } = session;
  const { values } = prepared.settings;
  const shared = budget ?? turnBudget(state, values.maxCost);
  const outer: OuterTurn = { session, prepared, budget: shared, partsOf: (child) => agentParts(turns, child, prepared, shared) };
  return {
    state,
    catalogue: prepared.agents,
    append: (events) => session.append(events),
    show: (event) => session.show(event),
    newTaskId: () => parts.newId('task'),
    place: (signal) => binder.places(state.session_id).take(values.agents.parallel, signal),
    start: async (task, beginning) => (await import('./child-turns.ts')).startChild(turns, outer, task, beginning),
    look: async (childId) => (await import('./own-child.ts')).childState(binder, state, childId),
    resume: async (childId, going) => (await import('./child-turns.ts')).resumeChild(turns, outer, childId, going),
    cancel: async (childId) => (await import('./end-runs.ts')).cancelChild(turns, state, childId),
    endRuns: runsEnder(turns, session),
    background: binder.background(state.session_id),
    settle: async (run) => (await import('./settle-runs.ts')).settleRun(turns, session, run, { told: true }),
    async settleAll() {
      if (runsBeside(state).length > 0) await (await import('./settle-runs.ts')).settleRuns(turns, session);
    },
    agentEnded: (childId) => binder.forget(childId),
    worktreeLine: async (childId) => (await import('./agent-worktree.ts')).worktreeOfRun(turns, { outer: state, childId, prepared }),
  };
}

/** See `AgentPorts.endRuns`; for a log that is brought into order, too. */
export function runsEnder(turns: TurnParts, session: LiveSession): (calls: readonly CallState[]) => Promise<void> {
  return async (calls) => (await import('./end-runs.ts')).endRuns(turns, session)(calls);
}
