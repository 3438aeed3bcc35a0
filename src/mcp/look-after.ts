import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '../host/host.ts';
import { within } from './within.ts';

/** A server that nobody asks anything is looked at so often, in ms. */
const EVERY_MS = 60_000;
const ANSWER_MS = 5_000;

/** Whether the server answers the question for it within 5 s. */
export async function isThere(client: Client, clock: Clock): Promise<boolean> {
  try {
    await within(clock, ANSWER_MS, (signal) => (client.getProtocolEra() === 'modern' ? client.discover({ signal }) : client.ping({ signal })));
    return true;
  } catch {
    // That it does not answer is all there is to know.
    return false;
  }
}

/** Looks at a server every minute until its connection is gone, when `gone` aborts; not while it works on a request, which has a limit of its own. */
export async function lookAfter({ clock, gone, isBusy, look }: { readonly clock: Clock; readonly gone: AbortSignal; readonly isBusy: () => boolean; readonly look: () => Promise<void> }): Promise<void> {
  while (!gone.aborted) {
    await clock.sleep(EVERY_MS, gone);
    if (!gone.aborted && !isBusy()) await look();
  }
}
