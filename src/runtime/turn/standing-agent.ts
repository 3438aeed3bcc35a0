import type { AgentFacts, Restrictions } from '../../protocol/events.ts';

/** What makes a new session that of an agent which no session has started. */
export interface StandingAgent {
  /** Under this name its session is found again; see `SessionQuery`. */
  readonly task: string;
  readonly agent: AgentFacts;
  /** What its caller leaves it. */
  readonly restrictions: Restrictions;
}
