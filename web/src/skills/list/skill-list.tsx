import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { Virtualizer } from 'virtua';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { moveInList } from '../../ui/list-focus.ts';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { CreateDialog } from '../create/create-dialog.tsx';
import type { Folder } from '../use-folder.ts';
import { ListFilters } from './list-filters.tsx';
import { NO_FILTER, shownSkills, type ListFilter } from './shown-skills.ts';
import { SkillRow } from './skill-row.tsx';
import styles from './skill-list.module.css';

const TYPING_MS = 180;
const MOST_RANKED = 200;
const ASK_AGAIN_MS = 300;

/** All skills of a folder: narrowed by filters, or ranked for what is typed. */
export function SkillList({ folder, onInstall }: { readonly folder: Folder; readonly onInstall: () => void }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const server = useServer();
  const [filter, setFilter] = useState<ListFilter>(NO_FILTER);
  const [creates, setCreates] = useState(false);
  const list = useQuery({ queryKey: ['skills', folder.path, 'list'], queryFn: ({ signal }) => server.listSkills({ query: folder.here, signal }) });
  const ranking = useRanking(folder, filter.text);
  const all = list.data?.skills;
  const shown = useMemo(() => shownSkills(all ?? [], filter.text.trim() === '' ? undefined : ranking.data?.skills, filter), [all, ranking.data, filter]);
  const isReading = filter.text.trim() !== '' && (ranking.isPending || ranking.data?.complete === false);
  return (
    <div className={styles.page} onKeyDown={moveInList}>
      <header className={styles.head}>
        <div className={styles.title}>
          <h1>{words.title}</h1>
          <span role="status" className={styles.count}>{all ? words.count(shown.length, all.length) : ''}</span>
          <div className={styles.actions}>
            <RefreshButton folder={folder} />
            <Button onClick={() => setCreates(true)}>{words.create.open}</Button>
            <Button kind="main" onClick={onInstall}>{words.install.open}</Button>
          </div>
        </div>
        <ListFilters folder={folder} all={all ?? []} filter={filter} onChange={setFilter} />
        <Problem error={list.error ?? ranking.error} />
        {isReading ? <Loading what={words.reading} /> : null}
      </header>
      {all ? <Rows key={`${filter.text}|${filter.source}|${filter.status}`} shown={shown} folder={folder} isReading={isReading} /> : list.isError ? null : <Loading />}
      {creates ? <CreateDialog folder={folder} onClose={() => setCreates(false)} /> : null}
    </div>
  );
}

/** How a turn would rank the skills for what is typed, once the typing rests. */
function useRanking(folder: Folder, text: string) {
  const server = useServer();
  const query = useDebounced(text.trim(), TYPING_MS);
  return useQuery({
    queryKey: ['skills', folder.path, 'search', query],
    queryFn: ({ signal }) => server.searchSkills({ body: { ...folder.here, query, k: MOST_RANKED }, signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
    // The server reads new skills a while with each question.
    refetchInterval: ({ state }) => (state.data?.complete === false ? ASK_AGAIN_MS : false),
  });
}

function RefreshButton({ folder }: { readonly folder: Folder }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const refresh = useMutation({ mutationFn: () => server.refreshSkills({ body: folder.here }), onSuccess: () => queries.invalidateQueries({ queryKey: ['skills'] }) });
  return <><Problem error={refresh.error} /><Button disabled={refresh.isPending} onClick={() => refresh.mutate()}>{refresh.isPending ? words.refreshing : words.refresh}</Button></>;
}

function Rows({ shown, folder, isReading }: { readonly shown: ReturnType<typeof shownSkills>; readonly folder: Folder; readonly isReading: boolean }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const scroller = useRef<HTMLDivElement>(null);
  if (shown.length === 0) return isReading ? null : <p className={styles.none}>{words.none}</p>;
  return (
    <div data-rows ref={scroller} className={styles.rows} role="region" aria-label={words.title} tabIndex={0}>
      <Virtualizer as="ul" item="li" scrollRef={scroller} data={shown} itemSize={86}>
        {(skill) => <SkillRow key={skill.path} skill={skill} folder={folder} />}
      </Virtualizer>
    </div>
  );
}
