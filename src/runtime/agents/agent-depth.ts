import type { SessionState } from '../../protocol/session-state.ts';

/** How deep the session lies: 0 for that of a person, 1 for that of a sub-agent which it has started. */
export function depthOf({ agent, parent_run }: Pick<SessionState, 'agent' | 'parent_run'>): number {
  return agent?.depth ?? (parent_run ? 1 : 0);
}
