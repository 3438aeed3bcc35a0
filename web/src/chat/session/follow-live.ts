import type { Client } from '../../../../src/client/create-client.ts';
import type { FollowedEvent } from '../../../../src/protocol/events.ts';
import { isForAWhile } from '../../../../src/client/server-error.ts';
import type { StoredEvent } from '../../../../src/protocol/events.ts';
import { applyEvent } from '../../../../src/protocol/fold.ts';
import { emptySessionState } from '../../../../src/protocol/session-state.ts';
import { applyToTranscript, transcriptOf } from '../../../../src/protocol/transcript/fold-transcript.ts';
import { emptyTranscript } from '../../../../src/protocol/transcript/transcript-fold.ts';
import { readEarlierCalls } from './earlier-calls.ts';
import type { LiveSession } from './live-session.ts';
import { onNextFrame } from './on-next-frame.ts';

/** What following needs. */
export interface FollowLive {
  readonly server: Pick<Client, 'follow' | 'showSession' | 'exportSession'>;
  readonly id: string;
  readonly signal: AbortSignal;
  /** Is told of what can be seen, at most once a frame. */
  readonly show: (session: LiveSession) => void;
}

/** Follows a session until `signal`, or until the server refuses; what it refuses with is shown. Never rejects. */
export async function followLive({ server, id, signal, show }: FollowLive): Promise<void> {
  const state = emptySessionState(id);
  const fold = emptyTranscript();
  let connection: LiveSession['connection'] = 'loading';
  /** Number of the last event that was stored when the page connected. */
  let storedThen: number | undefined;
  let problem: unknown;
  const isLoaded = (): boolean => storedThen !== undefined && state.last_seq >= storedThen;
  const changed = onNextFrame(() => {
    if (connection === 'loading' && isLoaded()) connection = 'live';
    // Half of what is stored is not worth a look.
    if (connection !== 'loading' || problem !== undefined) show({ id, state, transcript: transcriptOf(fold), connection, ...(problem === undefined ? {} : { problem }) });
  }, signal);
  const refused = (error: unknown): void => {
    if (signal.aborted) return;
    problem = error;
    changed();
  };
  const connected = async (): Promise<void> => {
    const shown = await showStored(server, { id, signal });
    storedThen ??= shown?.last_seq;
    await readEarlierCalls({ server, signal, fold, agents: shown?.agents.filter(({ status }) => status === 'running') ?? [] });
    changed();
  };
  try {
    for await (const event of server.follow(id, { signal, onBreak: () => { connection = 'broken'; changed(); } })) {
      if (event.type === 'connected') {
        connection = isLoaded() ? 'live' : 'loading';
        connected().catch(refused);
      }
      if (isStored(event)) applyEvent(state, event);
      applyToTranscript(fold, event);
      changed();
    }
  } catch (error) {
    refused(error);
  }
}

/** The session as it stands; undefined where the server could not be asked, which the next connection will do. */
async function showStored(server: FollowLive['server'], { id, signal }: Pick<FollowLive, 'id' | 'signal'>): Promise<Awaited<ReturnType<Client['showSession']>> | undefined> {
  try {
    return await server.showSession({ id, signal });
  } catch (error) {
    if (isForAWhile(error)) return undefined;
    throw error;
  }
}

/** Events of the session itself are numbered. */
function isStored(event: FollowedEvent): event is StoredEvent {
  return event.type !== 'connected' && event.seq !== undefined && !event.is_sub_agent;
}
