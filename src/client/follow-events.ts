import { createParser } from 'eventsource-parser';
import type { FollowedEvent } from '../protocol/events.ts';
import { isForAWhile } from './server-error.ts';

/** Between two attempts to connect, ms: at first, and at most. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** How a session is followed. */
export interface Following {
  /** Number of the last event that is known; all are given when left out. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** Is told when the connection broke, and how often in a row; the events go on once there is a new one. */
  readonly onBreak?: (attempt: number) => void;
}

type Send = (path: string, init: RequestInit) => Promise<Response>;

/** See `Client.follow`. */
export async function* followEvents(send: Send, sessionId: string, { after = 0, signal, onBreak }: Following): AsyncGenerator<FollowedEvent> {
  let last = after;
  for (let attempt = 0; !signal?.aborted; attempt += 1) {
    if (attempt > 0) {
      onBreak?.(attempt);
      await pause(Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS), signal);
    }
    try {
      const answer = await send(`/api/sessions/${encodeURIComponent(sessionId)}/events`, { headers: { 'last-event-id': String(last) }, ...(signal ? { signal } : {}) });
      yield { type: 'connected' };
      for await (const event of eventsIn(answer)) {
        attempt = 0;
        if ('seq' in event && event.seq !== undefined) last = event.seq;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      // A connection that breaks is made again; what the server refuses it would refuse again.
      if (!(error instanceof TypeError) && !isForAWhile(error)) throw error;
    }
  }
}

async function* eventsIn(answer: Response): AsyncGenerator<FollowedEvent> {
  const found: FollowedEvent[] = [];
  const parser = createParser({ onEvent: ({ data }) => void found.push(JSON.parse(data)) });
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(answer)) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* found.splice(0);
  }
}

/** Not all browsers can go through a stream by themselves. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
