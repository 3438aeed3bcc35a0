import { useEffect, useState } from 'react';
import { emptySessionState } from '../../../../src/protocol/session-state.ts';
import { useServer } from '../../app/server.ts';
import { followLive } from './follow-live.ts';
import type { LiveSession } from './live-session.ts';

/** Follows a session from its first event on, as long as the page shows it. */
export function useSession(id: string): LiveSession {
  const server = useServer();
  const [session, show] = useState<LiveSession>(() => nothingYet(id));
  useEffect(() => {
    const leaving = new AbortController();
    const following = followLive({ server, id, signal: leaving.signal, show });
    following.catch((problem: unknown) => show({ ...nothingYet(id), problem }));
    return () => leaving.abort();
  }, [server, id]);
  return session.id === id ? session : nothingYet(id);
}

function nothingYet(id: string): LiveSession {
  return { id, state: emptySessionState(id), transcript: { items: [] }, connection: 'loading' };
}
