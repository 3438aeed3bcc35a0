import { keepPreviousData, useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ListedSession } from '../../../../src/api/session-endpoints.ts';
import { useServer } from '../../app/server.ts';
import { useDebounced } from '../../ui/use-debounced.ts';

const POLL_MS = 3_000;
const TYPING_MS = 200;
const PAGE = '50';
/** The longest text that the server looks for. */
const MOST_CHARS = 200;

/** Sessions of people, newest first. */
export interface Sessions {
  readonly sessions: readonly ListedSession[];
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly sessions: readonly ListedSession[]; readonly next?: number }>>;
}

/** The sessions that were loaded so far: all, or those whose title or folder has what is searched for. They are read again while the page is looked at. */
export function useSessions(search: string): Sessions {
  const server = useServer();
  const text = useDebounced(search.trim().slice(0, MOST_CHARS), TYPING_MS);
  const query = useInfiniteQuery({
    queryKey: ['sessions', 'pages', text],
    queryFn: ({ pageParam, signal }) => server.listSessions({ query: { limit: PAGE, offset: String(pageParam), ...(text === '' ? {} : { text }) }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Every page is read again, so more of them are read less often.
    refetchInterval: ({ state }) => POLL_MS * (state.data?.pages.length ?? 1),
  });
  const { data } = query;
  // Between two pages a session may have moved from one to the other.
  const sessions = useMemo(() => [...new Map((data?.pages ?? []).flatMap((page) => page.sessions).map((session) => [session.id, session])).values()], [data]);
  return { sessions, query };
}
