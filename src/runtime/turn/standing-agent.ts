import type { AgentFacts, Restrictions } from '../../protocol/events.ts';

/** What makes a new session one that works for a task, and is left out of listings: that of an agent which no session has started, or a run of an evaluation. */
export interface StandingAgent {
  /** Under this name its session is found again; see `SessionQuery`. */
  readonly task: string;
  /** Undefined where it is no agent of its own, but what a person would have begun. */
  readonly agent?: AgentFacts;
  /** What its caller leaves it. */
  readonly restrictions?: Restrictions;
}
