import type { JsonObject } from '../../../../src/protocol/json.ts';
import { runOfCall, type CallQuestion, type OpenRequest, type SessionState } from '../../../../src/protocol/session-state.ts';

/** What a session or one of its sub-agents waits for. */
export interface AskedRequest {
  /** Of the session whose question it is; the answer goes there. */
  readonly sessionId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly question: CallQuestion;
  /** The sub-agent that asks, and its session. */
  readonly agent?: { readonly type: string; readonly id: string };
  /** The card of the call itself stands above. */
  readonly isBelowCall?: boolean;
}

/** The permission that is asked for. */
export type PermissionQuestion = Extract<CallQuestion, { kind: 'permission' }>;
/** What the model asks a person. */
export type PersonQuestion = Extract<CallQuestion, { kind: 'question' }>;

/** A request of the session that is shown, perhaps for a sub-agent that one of its calls waits for. */
export function askedBy(state: SessionState, { call: { call_id, tool, input }, question }: OpenRequest): AskedRequest {
  const run = runOfCall(state, call_id);
  return { sessionId: state.session_id, tool, input, question, ...(run ? { agent: { type: run.agent_type, id: run.child_id } } : {}) };
}

/** Where the card of a request stands in the page. */
export function cardId(requestId: string): string {
  return `request-${requestId}`;
}
