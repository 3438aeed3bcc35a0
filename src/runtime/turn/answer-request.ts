import { SkillmintError } from '../../protocol/errors.ts';
import type { EventBody } from '../../protocol/events.ts';
import { openRequests, type OpenRequest, type SessionState } from '../../protocol/session-state.ts';
import type { RuntimeParts } from '../parts.ts';
import type { AnswerRequest } from '../runtime.ts';

const PATIENCE_MS = 10_000;
const PAUSE_MS = 50;

/**
 * The event that an answer becomes, and the rules that it stores.
 * @throws SkillmintError nothing_to_answer, request_not_open, usage
 */
export function answerEvent(state: SessionState, request: AnswerRequest): { readonly event: EventBody; readonly rules: readonly string[] } {
  const asked = requestOf(state, request);
  const { answer } = request;
  const requestId = asked.question.request_id;
  if (asked.question.kind === 'question') {
    if (answer.kind !== 'text') throw new SkillmintError('usage', `Session ${state.session_id} asks a question: "${asked.question.question}" Answer it with a text.`);
    return { event: { type: 'question.answered', request_id: requestId, answer: answer.text }, rules: [] };
  }
  if (answer.kind === 'text') throw new SkillmintError('usage', `Session ${state.session_id} waits for consent to ${asked.call.tool}. Answer with --allow, --always or --deny (with --reason for a text).`);
  const isAlways = answer.scope === 'always' && answer.decision === 'allow';
  const rules = isAlways ? asked.question.rules : [];
  const setsMode = isAlways && asked.question.mode !== undefined;
  return {
    event: { type: 'permission.resolved', request_id: requestId, decision: answer.decision, scope: rules.length > 0 || setsMode ? 'always' : 'once', ...(answer.reason === undefined ? {} : { reason: answer.reason }), ...(rules.length > 0 ? { rules } : {}) },
    rules,
  };
}

/**
 * What an answer is for: the request that it names, else the oldest open one.
 * @throws SkillmintError nothing_to_answer, request_not_open
 */
export function requestOf(state: SessionState, request: AnswerRequest): OpenRequest {
  const open = openRequests(state);
  if (request.requestId === undefined) {
    const [first] = open;
    if (!first) throw new SkillmintError('nothing_to_answer', `Session ${state.session_id} waits for nothing. See: skillmint sessions show ${state.session_id}`);
    return first;
  }
  const named = open.find(({ question }) => question.request_id === request.requestId);
  if (!named) throw new SkillmintError('request_not_open', `Request ${request.requestId} of session ${state.session_id} is not open: it was answered before or never asked.`);
  return named;
}

/** Tries again for up to 10 s while another answer to the same session is worked on. Rejects with what the last attempt rejected with. */
export async function whenFree<T>({ host, now }: Pick<RuntimeParts, 'host' | 'now'>, attempt: () => Promise<T>): Promise<T> {
  const deadline = now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SkillmintError) || error.code !== 'session_busy' || now() >= deadline) throw error;
    }
    await host.clock.sleep(PAUSE_MS);
  }
}
