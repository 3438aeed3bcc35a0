import type { ReactNode } from 'react';
import type { ListedSession } from '../../../../src/api/session-endpoints.ts';
import { useMe } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import type { SessionFilter } from './use-sessions.ts';
import styles from './session-list.module.css';

const STATUSES = ['', 'idle', 'running', 'waiting', 'interrupted', 'done', 'failed', 'limit', 'cancelled'] as const;

/** What narrows the sessions. Folders are those where one may work, and those of what is seen. */
export function SessionFilters({ filter: { cwd, status, text, agents }, seen, onChange }: { readonly filter: SessionFilter; readonly seen: readonly ListedSession[]; readonly onChange: (change: Partial<SessionFilter>) => void }): ReactNode {
  const { words: { sessions: words } } = useLanguage();
  const roots = useMe().data?.roots ?? [];
  const folders = [...new Set([...roots, ...seen.map((session) => session.cwd), ...(cwd === '' ? [] : [cwd])])].toSorted();
  return (
    <div className={styles.filters}>
      <input type="search" className={styles.search} aria-label={words.search} placeholder={words.search} maxLength={200} value={text} onChange={({ target }) => onChange({ text: target.value })} />
      <select aria-label={words.folder} value={cwd} onChange={({ target }) => onChange({ cwd: target.value })}>
        <option value="">{words.allFolders}</option>
        {folders.map((folder) => <option key={folder} value={folder}>{folder}</option>)}
      </select>
      <select aria-label={words.status} value={status} onChange={({ target }) => onChange({ status: STATUSES.find((known) => known === target.value) ?? '' })}>
        {STATUSES.map((known) => <option key={known} value={known}>{known === '' ? words.anyStatus : words.statuses[known]}</option>)}
      </select>
      <label className={styles.all}><input type="checkbox" checked={agents} onChange={({ target }) => onChange({ agents: target.checked })} /> {words.withAgents}</label>
    </div>
  );
}
