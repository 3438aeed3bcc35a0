import { useEffect, useRef, type ReactNode } from 'react';
import { useLanguage } from '../i18n/language.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

/** A window over the page; Escape closes it, and the focus stays in it. One may hold another. */
export function Dialog({ title, onClose, children }: { readonly title: string; readonly onClose: () => void; readonly children: ReactNode }): ReactNode {
  const { words } = useLanguage();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-label={title} onClose={({ target, currentTarget }) => target === currentTarget && onClose()}>
      <header className={styles.head}><h2>{title}</h2><Button kind="plain" aria-label={words.app.close} onClick={() => dialog.current?.close()}>✕</Button></header>
      <div className={styles.body}>{children}</div>
    </dialog>
  );
}
