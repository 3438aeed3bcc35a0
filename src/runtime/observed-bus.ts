import { messageOf } from '../protocol/errors.ts';
import type { SessionEvent } from '../protocol/events.ts';
import type { EventBus } from '../sessions/event-bus.ts';

/**
 * The same bus; what this process publishes is shown to an observer first. An event of a sub-agent is shown once, in its own
 * session. What the observer throws hurts no turn: the first time it becomes a warning of the process.
 */
export function observedBus(bus: EventBus, observe: ((event: SessionEvent) => unknown) | undefined): EventBus {
  if (!observe) return bus;
  const show = guarded(observe);
  return {
    publish(sessionId, event) {
      if (event.session_id === sessionId && !event.is_sub_agent) show(event);
      bus.publish(sessionId, event);
    },
    follow: (sessionId, follower) => bus.follow(sessionId, follower),
    reread: (sessionId) => bus.reread(sessionId),
    send: (sessionId, request) => bus.send(sessionId, request),
    onSend: (take) => bus.onSend(take),
    close: () => bus.close(),
  };
}

function guarded(observe: (event: SessionEvent) => unknown): (event: SessionEvent) => void {
  let isTold = false;
  const tell = (error: unknown): void => {
    if (isTold) return;
    isTold = true;
    process.emitWarning(`observe of createRuntime has failed, which no turn notices: ${messageOf(error)}`, { type: 'SkillmintWarning', ...(error instanceof Error && error.stack !== undefined ? { detail: error.stack } : {}) });
  };
  return (event) => {
    try {
      const given = observe(event);
      if (given instanceof Promise) given.catch(tell);
    } catch (error) {
      tell(error);
    }
  };
}
