import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { ListedSession } from '../../../../src/api/session-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Problem } from '../../ui/notice.tsx';
import { exportAddress } from '../export-address.ts';
import styles from './session-list.module.css';

const TONES = { idle: 'quiet', running: 'accent', waiting: 'warn', interrupted: 'warn', done: 'ok', failed: 'danger', limit: 'warn', cancelled: 'quiet' } as const;

/** One session, with what can be done with it. */
export function SessionRow({ session, isChosen, onChoose, onRemove }: { readonly session: ListedSession; readonly isChosen: boolean; readonly onChoose: (isChosen: boolean) => void; readonly onRemove: () => void }): ReactNode {
  const { words: { sessions: words }, language } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { id, title, cwd, model, status, updated_at, last_seq, task_id, parent_id } = session;
  const name = title === '' ? words.untitled : visibleText(title);
  const fork = useMutation({
    mutationFn: () => server.forkSession({ id, body: {} }),
    onSuccess: async (made) => {
      navigate(`/chat/${encodeURIComponent(made.id)}`);
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <li className={styles.row}>
      <input type="checkbox" aria-label={words.choose(name)} checked={isChosen} onChange={({ target }) => onChoose(target.checked)} />
      <div className={styles.what}>
        <span className={styles.name}><Link href={`/chat/${encodeURIComponent(id)}`}>{name}</Link> <Badge tone={TONES[status]}>{words.statuses[status]}</Badge>{task_id === undefined ? null : <Badge title={parent_id}>{words.subAgent}</Badge>}</span>
        <span className={styles.facts}>
          <time dateTime={updated_at}>{new Date(updated_at).toLocaleString(language === 'zh' ? 'zh-CN' : undefined, { dateStyle: 'medium', timeStyle: 'short' })}</time> · {visibleText(model)} · {words.events(last_seq)} · <code>{visibleText(cwd)}</code>
        </span>
        <Problem error={fork.error} />
      </div>
      <div className={styles.actions}>
        <Link href={`/chat/${encodeURIComponent(id)}`} aria-label={words.of(words.goOn, name)}>{words.goOn}</Link>
        <Link href={`/sessions/${encodeURIComponent(id)}`} aria-label={words.of(words.replay.open, name)}>{words.replay.open}</Link>
        <a href={exportAddress(id)} download={`${id}.jsonl`} aria-label={words.of(words.save, name)}>{words.save}</a>
        <button type="button" disabled={fork.isPending} onClick={() => fork.mutate()} aria-label={words.of(words.fork, name)}>{words.fork}</button>
        <button type="button" className={styles.delete} onClick={onRemove} aria-label={words.of(words.remove.open, name)}>{words.remove.open}</button>
      </div>
    </li>
  );
}
