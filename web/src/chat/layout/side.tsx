import { useEffect, useRef, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './side.module.css';

/** What stands beside the conversation: a column where there is room, else a drawer that Escape and a click beside it close. */
export function Side({ label, place, hasRoom, isOpen, onClose, children }: { readonly label: string; readonly place: 'left' | 'right'; readonly hasRoom: boolean; readonly isOpen: boolean; readonly onClose: () => void; readonly children: ReactNode }): ReactNode {
  if (hasRoom) return <aside aria-label={label} className={[styles.column, styles[place]].join(' ')}>{children}</aside>;
  return isOpen ? <Drawer label={label} place={place} onClose={onClose}>{children}</Drawer> : null;
}

function Drawer({ label, place, onClose, children }: { readonly label: string; readonly place: 'left' | 'right'; readonly onClose: () => void; readonly children: ReactNode }): ReactNode {
  const { words } = useLanguage();
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => drawer.current?.showModal(), []);
  return (
    <dialog ref={drawer} aria-label={label} className={[styles.drawer, styles[place]].join(' ')} onClose={({ target }) => target === drawer.current && onClose()} onClick={({ target }) => target === drawer.current && drawer.current.close()}>
      <div className={styles.inside}>
        <header className={styles.head}><strong>{label}</strong><Button kind="plain" aria-label={words.app.close} onClick={() => drawer.current?.close()}>✕</Button></header>
        {children}
      </div>
    </dialog>
  );
}
