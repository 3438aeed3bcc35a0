import type { ReactNode } from 'react';
import { SessionList } from './list/session-list.tsx';
import { Replay } from './replay/replay.tsx';

/** All sessions, or one of them step by step. */
export function SessionsPage({ sessionId }: { readonly sessionId?: string }): ReactNode {
  return sessionId === undefined ? <SessionList /> : <Replay key={sessionId} id={sessionId} />;
}
