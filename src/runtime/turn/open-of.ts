import { openRequests, type OpenRequest } from '../../protocol/session-state.ts';
import type { Runtime } from '../runtime.ts';

/** All that a session waits for: its own requests, then those of its agents in the background. */
export async function openOf({ sessions, agents }: Pick<Runtime, 'sessions' | 'agents'>, sessionId: string): Promise<readonly OpenRequest[]> {
  return [...openRequests(await sessions.state(sessionId)), ...(await agents.waiting(sessionId))];
}
