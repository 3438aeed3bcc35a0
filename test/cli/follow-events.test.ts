import { expect, it } from 'vitest';
import { followEvents } from '../../src/cli/run/follow-events.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { NO_USAGE } from '../../src/protocol/usage.ts';
import type { TurnResult } from '../../src/runtime/runtime.ts';
import { eventQueue } from '../../src/util/event-queue.ts';

const RESULT: TurnResult = { session_id: 's', turn_id: 't', status: 'cancelled', text: '', usage: NO_USAGE, open: [] };

/** A turn that says one more thing once it is cancelled. */
function turn(): { readonly events: AsyncIterable<SessionEvent>; readonly result: Promise<TurnResult>; readonly cancel: () => void; readonly log: string[] } {
  const events = eventQueue<SessionEvent>();
  const log: string[] = [];
  const say = (text: string): void => events.push({ type: 'text.delta', text, session_id: 's', time: '' });
  say('one');
  say('two');
  let resolve: (result: TurnResult) => void;
  const result = new Promise<TurnResult>((done) => {
    resolve = done;
  });
  return {
    events,
    result,
    log,
    cancel: () => {
      log.push('cancelled');
      say('three');
      setImmediate(() => {
        events.end();
        log.push('ended');
        resolve(RESULT);
      });
    },
  };
}

it('cancels a turn that cannot be shown, waits for its end, and then tells what went wrong', async () => {
  const running = turn();
  const shown: string[] = [];
  const print = async (event: SessionEvent): Promise<void> => {
    if (shown.push(event.type) === 2) throw new Error('no room');
  };
  await expect(followEvents(running, print)).rejects.toThrow('no room');
  expect([shown.length, ...running.log]).toEqual([2, 'cancelled', 'ended']);
});

it('shows everything and gives the result', async () => {
  const running = turn();
  const shown: string[] = [];
  const print = async (event: SessionEvent): Promise<void> => {
    if (event.type === 'text.delta') shown.push(event.text);
    if (shown.length === 2) running.cancel();
  };
  expect(await followEvents(running, print)).toBe(RESULT);
  expect(shown).toEqual(['one', 'two', 'three']);
});
