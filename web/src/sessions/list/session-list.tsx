import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { SessionFilters } from './session-filters.tsx';
import { SessionRow } from './session-row.tsx';
import { PAGE, useSessions, type SessionFilter } from './use-sessions.ts';
import styles from './session-list.module.css';

const TYPING_MS = 180;
const NONE: ReadonlySet<string> = new Set();

/** All sessions, to be narrowed, gone on with, copied, saved and removed. */
export function SessionList(): ReactNode {
  const { words: { sessions: words } } = useLanguage();
  const [filter, setFilter] = useState<SessionFilter>({ cwd: '', status: '', text: '', agents: false, offset: 0 });
  const { data, error, isPlaceholderData } = useSessions({ ...filter, text: useDebounced(filter.text.trim(), TYPING_MS) });
  const [chosen, choose] = useState(NONE);
  const [removes, setRemoves] = useState<readonly string[]>();
  const [said, setSaid] = useState<readonly string[]>([]);
  const sessions = data?.sessions ?? [];
  // What is chosen is what is seen to be chosen.
  const picked = sessions.flatMap(({ id }) => (chosen.has(id) ? [id] : []));
  const narrow = (change: Partial<SessionFilter>): void => setFilter({ ...filter, offset: 0, ...change });
  const mark = (id: string, isChosen: boolean): void => choose(new Set(isChosen ? [...chosen, id] : [...chosen].filter((other) => other !== id)));
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{words.title}</h1>
        <SessionFilters filter={filter} onChange={narrow} seen={sessions} />
        <Problem error={error} />
        {said.map((sentence) => <Notice key={sentence} tone="warn">{sentence}</Notice>)}
        {sessions.length === 0 ? null : (
          <div className={styles.chosen}>
            <label className={styles.all}><input type="checkbox" checked={picked.length === sessions.length} onChange={({ target }) => choose(target.checked ? new Set(sessions.map(({ id }) => id)) : NONE)} /> {words.chooseAll}</label>
            {picked.length > 0 ? <Button kind="danger" onClick={() => setRemoves(picked)}>{words.remove.chosen(picked.length)}</Button> : null}
          </div>
        )}
      </header>
      {data ? null : error ? null : <Loading />}
      {data && sessions.length === 0 ? <p className={styles.none}>{words.none}</p> : null}
      <ul className={styles.rows} aria-busy={isPlaceholderData}>
        {sessions.map((session) => <SessionRow key={session.id} session={session} isChosen={chosen.has(session.id)} onChoose={(isChosen) => mark(session.id, isChosen)} onRemove={() => setRemoves([session.id])} />)}
      </ul>
      <Pages offset={filter.offset} next={data?.next} onTurn={(offset) => setFilter({ ...filter, offset })} />
      {removes ? <RemoveDialog ids={removes} sessions={sessions} onDone={setSaid} onClose={() => setRemoves(undefined)} /> : null}
    </div>
  );
}

function Pages({ offset, next, onTurn }: { readonly offset: number; readonly next: number | undefined; readonly onTurn: (offset: number) => void }): ReactNode {
  const { words: { sessions: words } } = useLanguage();
  if (offset === 0 && next === undefined) return null;
  return (
    <nav className={styles.pages} aria-label={words.pages}>
      <Button disabled={offset === 0} onClick={() => onTurn(Math.max(0, offset - PAGE))}>← {words.newer}</Button>
      <span role="status">{words.pageNumber(offset / PAGE + 1)}</span>
      <Button disabled={next === undefined} onClick={() => onTurn(next ?? offset)}>{words.older} →</Button>
    </nav>
  );
}
