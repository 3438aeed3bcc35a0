import { useEffect, useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { focusMessage } from '../composer/focus-message.ts';
import { cardId, type AskedRequest } from './asked-request.ts';
import { RequestCard } from './request-card.tsx';
import styles from './requests.module.css';

/**
 * Says that the session waits, and leads to the first question, wherever it stands. The window that shows one which is not in the
 * page closes with it: another, opened by itself, would take what is being typed for an answer.
 */
export function WaitingBar({ requests, onTaken }: { readonly requests: readonly AskedRequest[]; readonly onTaken: () => void }): ReactNode {
  const { words: { chat: { request: words } } } = useLanguage();
  const [shown, setShown] = useState<string>();
  const [first] = requests;
  const isOver = shown !== undefined && shown !== first?.question.request_id;
  useEffect(() => {
    if (!isOver) return;
    setShown(undefined);
    focusMessage();
  }, [isOver]);
  const show = (): void => {
    const card = first && document.getElementById(cardId(first.question.request_id));
    if (!card) return setShown(first?.question.request_id);
    card.scrollIntoView({ block: 'nearest' });
    card.focus();
  };
  return (
    <>
      <div role="status" className={styles.waitingPlace}>{first ? <p className={styles.waiting}><span>{words.waiting(requests.length)}</span><Button onClick={show}>{words.show}</Button></p> : null}</div>
      {first && first.question.request_id === shown ? <Dialog title={words.dialog} onClose={() => setShown(undefined)}><RequestCard request={first} onTaken={onTaken} /></Dialog> : null}
    </>
  );
}
