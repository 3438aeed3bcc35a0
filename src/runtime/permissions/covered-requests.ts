import type { AgentPorts } from '../../agent/ports.ts';
import type { EventBody } from '../../protocol/events.ts';
import { openRequests, type CallQuestion } from '../../protocol/session-state.ts';

/** Requests that a rule could cover, and that the rules do allow now that an answer has added one, need no answer of their own. */
export async function resolveCovered(ports: AgentPorts): Promise<void> {
  for (const { call, question } of openRequests(ports.state)) {
    // A question that came out of a running call is decided where it was asked.
    const tool = question.kind === 'permission' && question.rules.length > 0 && call.phase === 'requested' ? await ports.findTool(call.tool, call.input) : undefined;
    const prepared = await tool?.prepare(call.input);
    if (!tool || !prepared || 'problem' in prepared) continue;
    const { verdict } = await tool.permit({ call_id: call.call_id, input: prepared.input, repeats: 0 });
    if (verdict === 'allow') await ports.append([coveredEvent(question)]);
  }
}

/** The event that answers a request which a stored rule covers. */
export function coveredEvent({ request_id }: CallQuestion): EventBody {
  return { type: 'permission.resolved', request_id, decision: 'allow', scope: 'once', reason: 'a stored rule covers it' };
}
