import type { SessionEvent } from '../../protocol/events.ts';
import { eventQueue } from '../../util/event-queue.ts';
import { unlessStopped } from './unless-stopped.ts';
import type { AnswerRequest, RunningTurn, TurnResult } from '../runtime.ts';
import { checkAnswer, type RequestHandler } from './request-handler.ts';

/** What answers are given with. */
export interface AnsweredParts {
  readonly handler: RequestHandler;
  readonly answer: (request: AnswerRequest) => Promise<RunningTurn>;
}

/** The same turn, which goes on by itself as long as the handler answers what it waits for. It is one turn for its consumer: that it waited in between is only in the log. */
export function answeredTurn(first: RunningTurn, { handler, answer }: AnsweredParts): RunningTurn {
  const events = eventQueue<SessionEvent>();
  const stop = new AbortController();
  let current = first;
  const follow = async (turn: RunningTurn): Promise<TurnResult> => {
    current = turn;
    if (stop.signal.aborted) turn.cancel();
    let waits: SessionEvent | undefined;
    for await (const event of turn.events) {
      if (isOwnEnd(event) && event.status === 'waiting') waits = event;
      else events.push(event);
    }
    const result = await turn.result;
    const next = result.status === 'waiting' ? await goOn(result) : undefined;
    if (next) return follow(next);
    if (waits) events.push(waits);
    return result;
  };
  const goOn = async ({ session_id: sessionId, open }: TurnResult): Promise<RunningTurn | undefined> => {
    const mine = open.filter(({ agent }) => agent === undefined);
    for (const request of mine) {
      const given = await unlessStopped(handler(request, { sessionId, signal: stop.signal }), stop.signal);
      if (stop.signal.aborted) return undefined;
      if (given === undefined) continue;
      checkAnswer(given);
      return answer({ sessionId, requestId: request.question.request_id, answer: given });
    }
    return undefined;
  };
  const result = follow(first).finally(() => events.end());
  // The consumer may read the events first and the result later; until then a rejection is not unhandled.
  result.catch(() => undefined);
  return {
    sessionId: first.sessionId,
    begun: first.begun,
    events,
    result,
    steer: (text, more) => current.steer(text, more),
    cancel() {
      stop.abort();
      current.cancel();
    },
  };
}

function isOwnEnd(event: SessionEvent): event is Extract<SessionEvent, { type: 'turn.completed' }> {
  return event.type === 'turn.completed' && !event.is_sub_agent;
}
