import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ListedSession } from '../../../src/api/session-endpoints.ts';
import { openRequests } from '../../../src/protocol/session-state.ts';
import { visibleText } from '../../../src/protocol/visible-text.ts';
import { useLanguage } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/notice.tsx';
import { ChatFoot } from './chat-foot.tsx';
import styles from './chat-page.module.css';
import { Icon } from './layout/icon.tsx';
import { Side } from './layout/side.tsx';
import { useMedia } from './layout/use-media.ts';
import { SandboxBadge } from './panel/sandbox-badge.tsx';
import { SessionPanel } from './panel/session-panel.tsx';
import { useShown } from './panel/use-shown.ts';
import { askedBy } from './requests/asked-request.ts';
import { Rewind } from './rewind/rewind.tsx';
import { RequestCard } from './requests/request-card.tsx';
import { StatusBadge } from './session-list/session-row.tsx';
import type { LiveSession } from './session/live-session.ts';
import { useSession } from './session/use-session.ts';
import { TranscriptView } from './transcript/transcript-view.tsx';
import { useStop } from './use-stop.ts';

/** One chat: what was said, what it waits for, where to write, and what is to be known of it. `opener` opens the list where that has no room. */
export function Chat({ id, opener }: { readonly id: string; readonly opener: ReactNode }): ReactNode {
  const { words: { chat: words } } = useLanguage();
  const session = useSession(id);
  const hasRoom = useMedia('(min-width: 76rem)');
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const shown = useShown(id, session.problem === undefined);
  const stop = useStop(session);
  const queries = useQueryClient();
  const turn = session.state.turn?.status;
  useEffect(() => {
    queries.invalidateQueries({ queryKey: ['sessions'] }).catch(reportError);
  }, [queries, turn]);
  if (session.problem !== undefined && session.state.last_seq === 0) return <div className={styles.chat}>{opener ? <header className={styles.head}>{opener}</header> : null}<div className={styles.problem}><Problem error={session.problem} /><Link href="/">{words.session.newChat}</Link></div></div>;
  const renderRequest = (callId: string): ReactNode => {
    const open = openRequests(session.state).find(({ call }) => call.call_id === callId);
    if (!open) return null;
    const isInner = open.question.kind === 'permission' && open.question.inner !== undefined;
    return <RequestCard key={open.question.request_id} request={{ ...askedBy(session.state, open), isBelowCall: !isInner }} onTaken={() => setTaken(true)} />;
  };
  return (
    <>
      <div className={styles.chat}>
        <header className={styles.head}>
          {opener}
          <h1 className={styles.title}>{shown.data ? visibleText(shown.data.title) || words.list.untitled : '…'}</h1>
          {session.connection === 'loading' ? null : <><span className={styles.status}><StatusBadge status={statusOf(session, shown.data?.status)} /></span><SandboxBadge state={session.state.sandbox} /></>}
          {hasRoom ? null : <Button kind="plain" aria-label={words.panel.open} title={words.panel.open} onClick={() => setPanelOpen(true)}><Icon name="details" /></Button>}
        </header>
        <Rewind session={session}><TranscriptView session={session} renderRequest={renderRequest} /></Rewind>
        <ChatFoot session={session} isInterrupted={shown.data?.status === 'interrupted'} isTaken={isTaken} setTaken={setTaken} stop={stop} />
      </div>
      <Side label={words.panel.label} place="right" hasRoom={hasRoom} isOpen={isPanelOpen} onClose={() => setPanelOpen(false)}>{session.connection === 'loading' ? null : <SessionPanel session={session} />}</Side>
    </>
  );
}

type Status = ListedSession['status'];

/** The events say it first; that nobody works on a turn any more only the server knows. */
function statusOf({ state }: LiveSession, listed: Status | undefined): Status {
  const { turn } = state;
  if (turn?.status !== 'running') return turn?.status ?? 'idle';
  if (openRequests(state).length > 0) return 'waiting';
  return listed === 'interrupted' ? listed : turn.status;
}
