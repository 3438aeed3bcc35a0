import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { ListedSession } from '../../../../src/api/session-endpoints.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { keep } from '../../ui/kept.ts';
import { Notice, Problem } from '../../ui/notice.tsx';
import styles from './session-list.module.css';

/** Asks before a chat is removed, and says what of it stays, such as a worktree with changes. */
export function DeleteSession({ session: { id, title }, isCurrent, onClose }: { readonly session: ListedSession; readonly isCurrent: boolean; readonly onClose: () => void }): ReactNode {
  const { words: { app, chat: { list: words } } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => server.removeSession({ id }),
    onSuccess: async ({ notes }) => {
      keep(`draft.${id}`, '');
      if (notes.length === 0) leave();
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const leave = (): void => {
    onClose();
    if (isCurrent) navigate('/');
  };
  return (
    <Dialog title={words.deleteTitle} onClose={remove.isSuccess ? leave : onClose}>
      <Problem error={remove.error} />
      {remove.data ? (
        <>
          <Notice tone="ok">{words.deleted}</Notice>
          {remove.data.notes.map((note) => <p key={note}>{note}</p>)}
          <div className={styles.answers}><Button onClick={leave}>{app.close}</Button></div>
        </>
      ) : (
        <>
          <p>{words.deleteText(title === '' ? words.untitled : title)}</p>
          <div className={styles.answers}>
            <Button onClick={onClose}>{words.keep}</Button>
            <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>{words.deleteNow}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
