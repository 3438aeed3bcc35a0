import type { SessionEvent } from '../protocol/events.ts';
import type { EventBus } from '../sessions/event-bus.ts';

/** The same bus; what this process publishes is shown to an observer first. An event of a sub-agent is shown once, in its own session. */
export function observedBus(bus: EventBus, observe: ((event: SessionEvent) => void) | undefined): EventBus {
  if (!observe) return bus;
  return {
    publish(sessionId, event) {
      if (event.session_id === sessionId && !event.is_sub_agent) observe(event);
      bus.publish(sessionId, event);
    },
    follow: (sessionId, follower) => bus.follow(sessionId, follower),
    reread: (sessionId) => bus.reread(sessionId),
    cancel: (sessionId) => bus.cancel(sessionId),
    onCancel: (stop) => bus.onCancel(stop),
    send: (sessionId, message) => bus.send(sessionId, message),
    onSend: (take) => bus.onSend(take),
    close: () => bus.close(),
  };
}
