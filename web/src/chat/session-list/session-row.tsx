import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ListedSession } from '../../../../src/api/session-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../layout/icon.tsx';
import styles from './session-list.module.css';

interface SessionRowProps {
  readonly session: ListedSession;
  readonly isCurrent: boolean;
  /** The one that the Tab key comes to; the arrow keys go on from there. */
  readonly isReached: boolean;
  readonly onRemove: () => void;
}

/** A chat in the list: title, folder, and what it does where that is worth a word. */
export function SessionRow({ session: { id, title, cwd, status }, isCurrent, isReached, onRemove }: SessionRowProps): ReactNode {
  const { words: { chat: { list: words } } } = useLanguage();
  const name = title === '' ? words.untitled : visibleText(title);
  const tabIndex = isReached ? 0 : -1;
  return (
    <li className={styles.row} onKeyDown={({ key }) => key === 'Delete' && onRemove()}>
      <Link href={`/chat/${encodeURIComponent(id)}`} className={styles.link} aria-current={isCurrent ? 'page' : undefined} tabIndex={tabIndex}>
        <span className={styles.name}>{name}</span>
        <span className={styles.about}>
          <span className={styles.folder} title={cwd}>{lastOf(cwd)}</span>
          <StatusBadge status={status} />
        </span>
      </Link>
      <Button kind="plain" className={styles.remove} tabIndex={tabIndex} aria-label={words.delete(name)} title={words.deleteNow} onClick={onRemove}><Icon name="close" /></Button>
    </li>
  );
}

/** What a chat does, where that is worth a word: it works, waits for a person, was cut off or has failed. */
export function StatusBadge({ status }: { readonly status: ListedSession['status'] }): ReactNode {
  const { words: { chat: { list: { status: words } } } } = useLanguage();
  switch (status) {
    case 'running': return <Badge tone="accent">{words.running}</Badge>;
    case 'waiting': return <Badge tone="warn">{words.waiting}</Badge>;
    case 'interrupted': return <Badge tone="warn">{words.interrupted}</Badge>;
    case 'failed': return <Badge tone="danger">{words.failed}</Badge>;
    case 'idle': case 'done': case 'limit': case 'cancelled': return null;
  }
}

/** The last part of a folder's path. */
function lastOf(folder: string): string {
  return folder.split(/[\\/]/).findLast((part) => part !== '') ?? folder;
}
