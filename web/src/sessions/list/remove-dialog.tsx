import type { ReactNode } from 'react';
import type { ListedSession } from '../../../../src/api/session-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useRemoveSessions } from './use-sessions.ts';
import styles from './session-list.module.css';

/** Most titles that the question names. */
const NAMED = 10;

/** Asks whether sessions are to go. `onDone` is given what there is to say of it. */
export function RemoveDialog({ ids, sessions, onDone, onClose }: { readonly ids: readonly string[]; readonly sessions: readonly ListedSession[]; readonly onDone: (said: readonly string[]) => void; readonly onClose: () => void }): ReactNode {
  const { words: { app, sessions: words } } = useLanguage();
  const remove = useRemoveSessions();
  const confirm = (): void => remove.mutate(ids, {
    onSuccess: (said) => {
      onDone(said);
      onClose();
    },
  });
  const titles = new Map(sessions.map(({ id, title }) => [id, title]));
  return (
    <Dialog title={words.remove.title(ids.length)} onClose={onClose}>
      <ul className={styles.titles}>
        {ids.slice(0, NAMED).map((id) => <li key={id}>{visibleText(titles.get(id) ?? '') || words.untitled}</li>)}
        {ids.length > NAMED ? <li>{words.remove.more(ids.length - NAMED)}</li> : null}
      </ul>
      <p>{words.remove.question}</p>
      {remove.isPending ? <Loading what={words.remove.running} /> : null}
      <Problem error={remove.error} />
      <div className={styles.buttons}>
        <Button onClick={onClose}>{app.cancel}</Button>
        <Button kind="danger" disabled={remove.isPending} onClick={confirm}>{words.remove.open}</Button>
      </div>
    </Dialog>
  );
}
