import { useMemo, type KeyboardEvent, type ReactNode } from 'react';
import type { ApiListedSkill } from '../../../../src/api/skill-endpoints.ts';
import { useLanguage } from '../../i18n/language.tsx';
import type { Folder } from '../use-folder.ts';
import type { ListFilter, StatusFilter } from './shown-skills.ts';
import styles from './skill-list.module.css';

const STATUSES: readonly StatusFilter[] = ['all', 'loaded', 'repaired', 'hidden', 'shadowed', 'rejected', 'off', 'untrusted'];

/** What narrows the list: folder, typed text, source, status. */
export function ListFilters({ folder, all, filter, onChange }: { readonly folder: Folder; readonly all: readonly ApiListedSkill[]; readonly filter: ListFilter; readonly onChange: (filter: ListFilter) => void }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const sources = useMemo(() => [...new Set(all.map(({ source }) => source))].toSorted(), [all]);
  const toFirstRow = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    event.currentTarget.closest('header')?.parentElement?.querySelector<HTMLElement>('li a')?.focus();
  };
  return (
    <div className={styles.filters}>
      <input type="search" className={styles.search} aria-label={words.search} placeholder={words.search} value={filter.text} onChange={({ target }) => onChange({ ...filter, text: target.value })} onKeyDown={toFirstRow} />
      {folder.roots.length > 1 ? (
        <select aria-label={words.folder} value={folder.path} onChange={({ target }) => folder.choose(target.value)}>
          {folder.roots.map((root) => <option key={root} value={root}>{root}</option>)}
        </select>
      ) : null}
      <select aria-label={words.source} value={filter.source} onChange={({ target }) => onChange({ ...filter, source: target.value })}>
        <option value="all">{words.allSources}</option>
        {sources.map((source) => <option key={source} value={source}>{words.sources(source)}</option>)}
      </select>
      <select aria-label={words.status} value={filter.status} onChange={({ target }) => onChange({ ...filter, status: STATUSES.find((status) => status === target.value) ?? 'all' })}>
        {STATUSES.map((status) => <option key={status} value={status}>{words.statuses[status]}</option>)}
      </select>
    </div>
  );
}
