import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import styles from './panel.module.css';

/** Copies a chat into a new one, or saves its events. */
export function SessionActions({ id }: { readonly id: string }): ReactNode {
  const { words: { chat: { panel: words } } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const fork = useMutation({
    mutationFn: () => server.forkSession({ id, body: {} }),
    onSuccess: async (copy) => {
      navigate(`/chat/${encodeURIComponent(copy.id)}`);
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <section className={styles.part}>
      <h2>{words.actions}</h2>
      <Button className={styles.wide} disabled={fork.isPending} onClick={() => fork.mutate()}>{words.fork}</Button>
      <a href={`/api/sessions/${encodeURIComponent(id)}/export`} download>{words.export}</a>
      <Problem error={fork.error} />
    </section>
  );
}
