import { SkillmintError } from '../protocol/errors.ts';
import type { FollowedEvent } from '../runtime/follow/follow-session.ts';

/** A line goes out this often while nothing happens, so that proxies keep the connection, ms. */
const SIGN_OF_LIFE_MS = 15_000;
/** How soon a browser is to connect again, ms. */
const RETRY_MS = 1_000;

/** What a stream of events is made of. */
export interface EventStreamParts {
  readonly follow: (until: AbortSignal) => AsyncIterable<FollowedEvent>;
  readonly signal: AbortSignal;
  /** Whether the credential that opened the stream still lets in. */
  readonly isLetIn: () => boolean;
}

/** The events as a stream for `EventSource`; it ends with `signal`, when the client is gone, and soon after it would not be let in any more. */
export function eventStream({ follow, signal, isLetIn }: EventStreamParts): Response {
  const gone = new AbortController();
  const until = AbortSignal.any([signal, gone.signal]);
  const events = follow(until)[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let life: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearInterval(life);
    gone.abort();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`));
      life = setInterval(() => {
        if (isLetIn()) controller.enqueue(encoder.encode(':\n\n'));
        else end();
      }, SIGN_OF_LIFE_MS);
      life.unref();
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (!done) return controller.enqueue(encoder.encode(frame(value)));
      } catch (error) {
        // A session that is gone, or a client that is too slow: the connection ends, and what is asked for next tells why.
        if (!(error instanceof SkillmintError)) {
          end();
          throw error;
        }
      }
      end();
      controller.close();
    },
    cancel: end,
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' } });
}

function frame(event: FollowedEvent): string {
  return `${event.seq === undefined ? '' : `id: ${event.seq}\n`}data: ${JSON.stringify(event)}\n\n`;
}
