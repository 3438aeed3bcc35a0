import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { openRequests, runsBeside, type AgentRun } from '../../../src/protocol/session-state.ts';
import { useServer } from '../app/server.ts';
import { useLanguage } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import styles from './chat-page.module.css';
import { bodyOf } from './composer/body-of.ts';
import { Composer } from './composer/composer.tsx';
import type { OutgoingMessage } from './composer/outgoing-message.ts';
import { useShown } from './panel/use-shown.ts';
import { askedBy } from './requests/asked-request.ts';
import { RequestCard } from './requests/request-card.tsx';
import { WaitingBar } from './requests/waiting-bar.tsx';
import type { LiveSession } from './session/live-session.ts';
import type { Stop } from './use-stop.ts';

interface ChatFootProps {
  readonly session: LiveSession;
  /** Nobody works on the turn that runs. */
  readonly isInterrupted: boolean;
  /** An answer came too late. */
  readonly isTaken: boolean;
  readonly setTaken: (isTaken: boolean) => void;
  readonly stop: Stop;
}

/** Below what was said: what is to be known now, what waits, and where to write. */
export function ChatFoot({ session, isInterrupted, isTaken, setTaken, stop }: ChatFootProps): ReactNode {
  const { words: { chat: { session: words, request } } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const { id, state } = session;
  const onTaken = (): void => setTaken(true);
  const send = async (message: OutgoingMessage): Promise<void> => {
    await server.sendMessage({ id, ...bodyOf(message) });
    setTaken(false);
    queries.invalidateQueries({ queryKey: ['sessions'] }).catch(reportError);
  };
  const now = state.turn?.status;
  const turn = (now === 'running' && !isInterrupted) || now === 'waiting' ? now : 'none';
  return (
    <footer className={styles.foot}>
      {isInterrupted && now === 'running' ? <CutOff id={id} /> : null}
      {isTaken ? <Notice tone="warn"><span className={styles.line}>{request.taken} <Button onClick={() => setTaken(false)}>{request.dismiss}</Button></span></Notice> : null}
      <Problem error={stop.error} />
      {stop.ranElsewhere ? <Notice tone="warn">{words.notStopped}</Notice> : null}
      {runsBeside(state).map((run) => <BesideRequests key={run.task_id} run={run} onTaken={onTaken} />)}
      <WaitingBar requests={openRequests(state).map((open) => askedBy(state, open))} onTaken={onTaken} />
      <Composer draft={id} cwd={state.cwd === '' ? undefined : state.cwd} turn={turn} onSend={send} onStop={stop.now} />
    </footer>
  );
}

/** What a sub-agent in the background waits for; it is in none of the calls above. */
function BesideRequests({ run: { child_id, agent_type }, onTaken }: { readonly run: AgentRun; readonly onTaken: () => void }): ReactNode {
  const shown = useShown(child_id);
  const open = shown.data?.open ?? [];
  return open.map(({ call_id: _call, tool, input, ...question }) => <div key={question.request_id} className={styles.beside}><RequestCard request={{ sessionId: child_id, agent: { type: agent_type, id: child_id }, tool, input, question }} onTaken={onTaken} /></div>);
}

/** A turn that another program has left; those of this server go on by themselves. */
function CutOff({ id }: { readonly id: string }): ReactNode {
  const { words: { chat: { session: words } } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const goOn = useMutation({ mutationFn: () => server.resume({ id, body: {} }), onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }) });
  return (
    <>
      <Notice tone="warn"><span className={styles.line}>{words.cutOff} <Button kind="main" disabled={goOn.isPending} onClick={() => goOn.mutate()}>{words.goOn}</Button></span></Notice>
      <Problem error={goOn.error} />
    </>
  );
}
