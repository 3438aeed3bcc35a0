import type { SessionState } from '../../protocol/session-state.ts';

/** What a turn and the sub-agents that it runs may cost together. */
export interface TurnBudget {
  /** No bound when undefined. */
  readonly limitUsd: number | undefined;
  /** What all of them have cost so far. */
  readonly spentUsd: () => number;
  /** The sub-agents of the turn that the budget knows, by their session. */
  readonly known: (childId: string) => boolean;
  /** Lets a sub-agent live on the budget; its state is the one that its run keeps current. */
  readonly share: (child: SessionState) => void;
}

/** The budget of the turn that `outer` is in; `maxCost` holds where the turn sets none. */
export function turnBudget(outer: SessionState, maxCost: number | undefined): TurnBudget {
  const children = new Map<string, SessionState>();
  // What a run cost becomes part of the outer turn's cost when it ends.
  const isCounted = (childId: string): boolean => [...outer.agents.values()].some((run) => run.child_id === childId && run.status !== 'running');
  return {
    limitUsd: outer.turn?.options.max_cost_usd ?? maxCost,
    spentUsd: () => [...children.values()].reduce((sum, child) => sum + (isCounted(child.session_id) ? 0 : child.turn?.cost_usd ?? 0), outer.turn?.cost_usd ?? 0),
    known: (childId) => children.has(childId),
    share: (child) => void children.set(child.session_id, child),
  };
}
