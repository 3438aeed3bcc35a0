import type { EventBase, SessionEvent, StoredBody, TransientBody } from '../../protocol/events.ts';
import type { EventBus } from '../../sessions/event-bus.ts';
import type { SessionStore } from '../../sessions/store.ts';
import { unfinished, type Unfinished } from '../../sessions/unfinished.ts';
import { openInbox } from './inbox.ts';

/** What following needs. */
export interface FollowParts {
  readonly store: Pick<SessionStore, 'read'>;
  readonly bus: EventBus;
}

/** From where to follow, and until when. */
export interface FollowOptions {
  /** Number of the last event that is known; all are given when left out. */
  readonly after?: number;
  /** Until the runtime closes when left out. */
  readonly signal?: AbortSignal;
}

/** An event for one who follows: `seq` is set on stored ones of the session itself. */
export type FollowedEvent = (StoredBody | TransientBody) & EventBase & { readonly seq?: number | undefined };

/**
 * The events of a session: first everything stored, then what is being said at this moment as deltas from its start, then all
 * that happens, in whatever process. Stored events come once each, in order, without a gap. Events of sub-agents come without
 * a number, since theirs count in another session. Ends with `signal`, and with the runtime.
 * @throws SkillmintError session_not_found, also once it is removed; io for one who does not take the events
 */
export async function* followSession({ store, bus }: FollowParts, sessionId: string, { after = 0, signal = new AbortController().signal }: FollowOptions = {}): AsyncGenerator<FollowedEvent> {
  const inbox = openInbox(signal);
  const { unfinished: begun, seq, end } = await bus.follow(sessionId, inbox);
  let last = after;
  /** What is being said, while the log was read further than the bus has told: what it tells until then was said before. */
  let held: Unfinished | undefined;
  const log = async function* (): AsyncGenerator<FollowedEvent> {
    for await (const event of store.read(sessionId, last)) {
      last = event.seq;
      yield event;
    }
  };
  const next = async function* (event: SessionEvent): AsyncGenerator<FollowedEvent> {
    if (event.is_sub_agent || (!held && !('seq' in event))) yield { ...event, seq: undefined };
    else if (!('seq' in event)) held?.add(event);
    else {
      held?.add(event);
      if (event.seq === last + 1) {
        last = event.seq;
        yield event;
      } else if (event.seq > last) {
        yield* log();
        if (event.seq < last) held ??= unfinished();
      }
      if (event.seq >= last) yield* spoken();
    }
  };
  const spoken = function* (): Generator<FollowedEvent> {
    for (const event of held?.events() ?? []) yield { ...event, seq: undefined };
    held = undefined;
  };
  try {
    yield* log();
    const { said, told } = inbox.catchUp(begun, last);
    held = unfinished(said);
    if (Math.max(told, seq ?? last) >= last) yield* spoken();
    while (inbox.isOpen()) {
      for (const event of inbox.take()) yield* next(event);
      if (inbox.takeElsewhere()) yield* log();
      await inbox.arrival();
    }
  } finally {
    end();
  }
}
