import { SkillmintError } from '../../protocol/errors.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import type { Follower } from '../../sessions/event-bus.ts';
import { unfinished } from '../../sessions/unfinished.ts';

/** Whoever does not take so many events is left behind; they can follow again from the last one that they have. */
const MOST_WAITING = 20_000;

/** Events that have come and were not given on yet. */
export interface Inbox extends Follower {
  /**
   * Leaves out what the log up to `last` holds, of what has come; gives what was being said at that moment, of which `begun` was
   * there first, and the number of the last stored event that was left out, 0 for none.
   */
  catchUp(begun: readonly SessionEvent[], last: number): { readonly said: readonly SessionEvent[]; readonly told: number };
  /** What has come since, in order. @throws SkillmintError io for one who takes too little */
  take(): readonly SessionEvent[];
  /** Whether another process may have written since this was asked last. */
  takeElsewhere(): boolean;
  /** False once `signal` has aborted or the bus was closed. */
  isOpen(): boolean;
  /** Resolves when something is there, or it is no longer open. */
  arrival(): Promise<void>;
}

/** An empty inbox. */
export function openInbox(signal: AbortSignal): Inbox {
  let waiting: SessionEvent[] = [];
  let elsewhere = false;
  let overflown = false;
  let closed = false;
  let wake = (): void => undefined;
  signal.addEventListener('abort', () => wake(), { once: true });
  const takeAll = (): SessionEvent[] => {
    const taken = waiting;
    waiting = [];
    return taken;
  };
  return {
    onEvent(event) {
      if (waiting.length >= MOST_WAITING) {
        overflown = true;
        waiting = [];
      }
      if (!overflown) waiting.push(event);
      wake();
    },
    onElsewhere() {
      elsewhere = true;
      wake();
    },
    onClose() {
      closed = true;
      wake();
    },
    isOpen: () => !closed && !signal.aborted,
    catchUp(begun, last) {
      const told = waiting.findLastIndex((event) => !event.is_sub_agent && 'seq' in event && event.seq <= last) + 1;
      const speech = unfinished(begun);
      const leftOut = waiting.splice(0, told);
      for (const event of leftOut) speech.add(event);
      const end = leftOut.at(-1);
      return { said: speech.events(), told: end && 'seq' in end ? end.seq : 0 };
    },
    take() {
      if (overflown) throw new SkillmintError('io', `More than ${MOST_WAITING} events were not taken. Follow the session again from the last event that you have.`);
      return takeAll();
    },
    takeElsewhere() {
      const was = elsewhere;
      elsewhere = false;
      return was;
    },
    arrival: () => new Promise((resolve) => {
      if (waiting.length > 0 || elsewhere || overflown || closed || signal.aborted) resolve();
      else wake = resolve;
    }),
  };
}
