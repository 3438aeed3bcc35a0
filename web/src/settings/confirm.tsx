import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/notice.tsx';
import styles from './settings.module.css';

/** Asks before something is done; what goes wrong is said in the window. */
export function Confirm({ title, act, label, kind, onYes, onClose, children }: { readonly title: string; readonly act: { readonly error: unknown; readonly isPending: boolean }; readonly label: string; readonly kind: 'main' | 'danger'; readonly onYes: () => void; readonly onClose: () => void; readonly children: ReactNode }): ReactNode {
  const { words: { app } } = useLanguage();
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Problem error={act.error} />
      <div className={styles.row}>
        <Button kind={kind} disabled={act.isPending} onClick={onYes}>{label}</Button>
        <Button onClick={onClose}>{app.cancel}</Button>
      </div>
    </Dialog>
  );
}
