import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './requests.module.css';

interface DenialProps {
  /** What the field asks for. */
  readonly label: string;
  /** What stands on the button. */
  readonly send: string;
  readonly isAnswered: boolean;
  readonly onBack: () => void;
  readonly onDeny: (reason: { readonly reason?: string }) => void;
}

/** Asks for a reason, which the model will hear; it may be left out. Escape goes back. */
export function Denial({ label, send, isAnswered, onBack, onDeny }: DenialProps): ReactNode {
  const { words: { chat: { request: words } } } = useLanguage();
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className={styles.denial}
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim() === '' ? {} : { reason: reason.trim() });
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onBack();
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input id={id} ref={field} value={reason} maxLength={10_000} autoComplete="off" onChange={({ target }) => setReason(target.value)} />
      <div className={styles.answers}><Button kind="danger" type="submit" disabled={isAnswered}>{send}</Button><Button onClick={onBack}>{words.back}</Button></div>
    </form>
  );
}
