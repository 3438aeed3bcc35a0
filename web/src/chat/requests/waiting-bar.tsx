import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { cardId, type AskedRequest } from './asked-request.ts';
import { RequestCard } from './request-card.tsx';
import styles from './requests.module.css';

/** Says that the session waits, and leads to the first question, wherever it stands. */
export function WaitingBar({ requests, onTaken }: { readonly requests: readonly AskedRequest[]; readonly onTaken: () => void }): ReactNode {
  const { words: { chat: { request: words } } } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const [first] = requests;
  const show = (): void => {
    const card = first && document.getElementById(cardId(first.question.request_id));
    if (!card) return setOpen(true);
    card.scrollIntoView({ block: 'nearest' });
    card.focus();
  };
  return (
    <div role="status" className={styles.waitingPlace}>
      {first ? <p className={styles.waiting}><span>{words.waiting(requests.length)}</span><Button onClick={show}>{words.show}</Button></p> : null}
      {first && isOpen ? <Dialog title={words.dialog} onClose={() => setOpen(false)}><RequestCard key={first.question.request_id} request={first} onTaken={onTaken} /></Dialog> : null}
    </div>
  );
}
