import type { Clock } from '../host/host.ts';
import { messageOf } from '../protocol/errors.ts';
import type { Connection } from './connect.ts';

const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 500;
const ANSWER_MS = 5_000;
/** Whoever was heard for so long may be listened to anew as often as at first; in ms. */
const STEADY_MS = 60_000;

/** What listening takes. */
export interface HearingParts {
  readonly clock: Clock;
  /** Aborts with the connection. */
  readonly gone: AbortSignal;
  /** Asks for the tools: something may have changed while nobody listened. */
  readonly learn: () => Promise<void>;
}

/**
 * Listens to a server of the newest revision, which tells of changed tools only then; older ones tell without it. Listens
 * again when the stream ends, with growing pauses and at most 5 times in a row, and then asks for what was missed. Resolves
 * when the connection is gone, or with the reason why the server is not to be heard.
 */
export async function hearChanges({ client, closed }: Connection, { clock, gone, learn }: HearingParts): Promise<string | undefined> {
  if (client.getProtocolEra() !== 'modern' || client.getServerCapabilities()?.tools?.listChanged !== true) return undefined;
  let why = 'it ends the stream of its notices';
  for (let tries = 0; tries < MOST_TRIES && !gone.aborted; tries += 1) {
    const began = clock.now();
    const heard = await client.listen({ toolsListChanged: true }, { timeout: ANSWER_MS, signal: gone }).catch((error: unknown) => {
      why = messageOf(error);
      return undefined;
    });
    if (heard) {
      // What changed before anyone listened, for the first time, too.
      await learn();
      await Promise.race([heard.closed, closed]);
    }
    if (clock.now() - began > STEADY_MS) tries = -1;
    if (!gone.aborted) await clock.sleep(FIRST_PAUSE_MS * 2 ** Math.max(tries, 0), gone);
  }
  return gone.aborted ? undefined : why;
}
