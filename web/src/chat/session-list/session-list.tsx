import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useLanguage } from '../../i18n/language.tsx';
import { Problem } from '../../ui/notice.tsx';
import type { ListedSession } from '../../../../src/api/session-endpoints.ts';
import { Icon } from '../layout/icon.tsx';
import { DeleteSession } from './delete-session.tsx';
import { SessionRow } from './session-row.tsx';
import styles from './session-list.module.css';
import { useSessions } from './use-sessions.ts';

/** All chats, newest first, with a search; arrow keys move between them, Delete removes the one in focus. */
export function SessionList({ current }: { readonly current: string | undefined }): ReactNode {
  const { words: { chat: { list: words } } } = useLanguage();
  const [search, setSearch] = useState('');
  const [removed, setRemoved] = useState<ListedSession>();
  const { sessions, query } = useSessions(search);
  const reached = sessions.find(({ id }) => id === current)?.id ?? sessions[0]?.id;
  return (
    <>
      <div className={styles.head}>
        <Link href="/" className={styles.new} aria-current={current === undefined ? 'page' : undefined}><Icon name="add" /> {words.new}</Link>
        <input type="search" value={search} onChange={({ target }) => setSearch(target.value)} placeholder={words.search} aria-label={words.search} />
      </div>
      <div className={styles.scroll}>
        <Problem error={query.error} />
        {query.isSuccess && !query.isPlaceholderData && sessions.length === 0 ? <p className={styles.nothing}>{search.trim() === '' ? words.empty : words.none}</p> : null}
        <ul className={styles.list} onKeyDown={moveByKeys}>
          {sessions.map((session) => <SessionRow key={session.id} session={session} isCurrent={session.id === current} isReached={session.id === reached} onRemove={() => setRemoved(session)} />)}
        </ul>
        {query.hasNextPage ? <Sentinel onSeen={() => !query.isFetchingNextPage && query.fetchNextPage().catch(reportError)} loads={query.data?.pages.length ?? 0} /> : null}
      </div>
      {removed ? <DeleteSession session={removed} isCurrent={removed.id === current} onClose={() => setRemoved(undefined)} /> : null}
    </>
  );
}

/** Asks for the next page when it comes into sight; `loads` makes it look again after each page. */
function Sentinel({ onSeen, loads }: { readonly onSeen: () => unknown; readonly loads: number }): ReactNode {
  const { words } = useLanguage();
  const place = useRef<HTMLParagraphElement>(null);
  const seen = useRef(onSeen);
  useEffect(() => {
    seen.current = onSeen;
  });
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && seen.current());
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [loads]);
  return <p ref={place} className={styles.nothing}>{words.chat.list.more}</p>;
}

function moveByKeys(event: KeyboardEvent<HTMLUListElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a')];
  const at = links.findIndex((link) => link.closest('li')?.contains(document.activeElement));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  links[Math.min(Math.max(to, 0), links.length - 1)]?.focus();
}
