import type { OpenRequest } from '../../protocol/session-state.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { whenStopped } from '../interrupts.ts';
import { oneLine, write } from '../terminal.ts';
import { waitingLine } from './waiting-line.ts';

/** Agents that a line names. */
const MOST_NAMES = 4;

/**
 * Waits for the sub-agents in the background of a session before the command ends, which would end them; a command that is
 * told to stop stops them, and then it is true. At the end says which of them wait for a person, and how to answer.
 */
export async function waitForAgents({ agents }: Pick<Runtime, 'agents'>, sessionId: string, { stop, ephemeral }: { readonly stop: AbortSignal; readonly ephemeral: boolean }): Promise<boolean> {
  let stopped = false;
  const listening = whenStopped(stop, () => void agents.stop(sessionId));
  try {
    for (let left = agents.running(sessionId); left.length > 0; left = agents.running(sessionId)) {
      const names = left.slice(0, MOST_NAMES).map(({ agent_type, task_id }) => `${oneLine(agent_type)} (${task_id})`).join(', ');
      const more = left.length > MOST_NAMES ? ` and ${left.length - MOST_NAMES} more` : '';
      await write(process.stderr, `skillmint: waiting for ${left.length === 1 ? 'an agent' : `${left.length} agents`} in the background: ${names}${more}. Ctrl-C stops ${left.length === 1 ? 'it' : 'them'}.\n`);
      await Promise.all(left.map(({ ended }) => ended));
      stopped = stop.aborted;
    }
  } finally {
    listening();
  }
  for (const line of waitingAgentLines(sessionId, await agents.waiting(sessionId), { ephemeral })) await write(process.stderr, `skillmint: ${line}\n`);
  return stopped;
}

/** A line for each question of sub-agents in the background: what it is, and how to answer. */
export function waitingAgentLines(sessionId: string, open: readonly OpenRequest[], { ephemeral }: { readonly ephemeral: boolean }): readonly string[] {
  return open.flatMap((request) => (request.agent ? [`The background agent ${oneLine(request.agent.agent_type)} (${request.agent.task_id}) waits. ${waitingLine({ session_id: sessionId, open: [request] }, { ephemeral })}`] : []));
}
