import type { Client } from '../../../../src/client/create-client.ts';
import type { FollowedEvent } from '../../../../src/protocol/events.ts';
import { ServerError } from '../../../../src/client/server-error.ts';
import { addEarlierCalls } from '../../../../src/protocol/transcript/fold-agents.ts';
import type { TranscriptFold } from '../../../../src/protocol/transcript/transcript-fold.ts';

/** What looking needs. */
export interface EarlierCalls {
  readonly server: Pick<Client, 'exportSession'>;
  readonly signal: AbortSignal;
  readonly fold: TranscriptFold;
  /** Sub-agents that run. */
  readonly agents: readonly { readonly task_id: string; readonly child_id: string }[];
}

/** Puts what running sub-agents have called before anybody listened onto their cards: their own sessions hold it. */
export async function readEarlierCalls({ server, signal, fold, agents }: EarlierCalls): Promise<void> {
  await Promise.all(agents.map(async ({ task_id, child_id }) => {
    const log = await logOf(server, { id: child_id, signal });
    addEarlierCalls(fold, task_id, log.split('\n').filter((line) => line !== '').map((line): FollowedEvent => JSON.parse(line)));
  }));
}

/** The log of a session, an event a line. Empty where it was removed meanwhile, or where the connection is broken: the next one asks again. */
async function logOf(server: EarlierCalls['server'], { id, signal }: { readonly id: string; readonly signal: AbortSignal }): Promise<string> {
  try {
    return await (await server.exportSession({ id, signal })).text();
  } catch (error) {
    if (error instanceof ServerError || error instanceof TypeError || signal.aborted) return '';
    throw error;
  }
}
