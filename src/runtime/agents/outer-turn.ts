import type { LiveSession } from '../turn/live-session.ts';
import type { Prepared } from '../session/session-binder.ts';
import type { TurnBudget } from '../turn/turn-budget.ts';
import type { AgentParts } from './agent-task.ts';

/** The turn that starts sub-agents. */
export interface OuterTurn {
  readonly session: LiveSession;
  readonly prepared: Prepared;
  readonly budget: TurnBudget;
  /** What one of its sub-agents starts sub-agents with; they live on the same budget. */
  readonly partsOf: (child: LiveSession) => AgentParts;
}
