import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ListedSession } from '../../../../src/api/session-endpoints.ts';
import { useServer } from '../../app/server.ts';

const POLL_MS = 3_000;
const PAGE = '50';
/** The most that the server gives at once. */
const LARGE_PAGE = '500';

/** Sessions of people, newest first. */
export interface Sessions {
  readonly sessions: readonly ListedSession[];
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly sessions: readonly ListedSession[]; readonly next?: number }>>;
}

/** The sessions that were loaded so far, or, with `search`, all whose title or folder has it. They are read again while the page is looked at. */
export function useSessions(search: string): Sessions {
  const server = useServer();
  const wanted = search.trim().toLowerCase();
  const isSearch = wanted !== '';
  const query = useInfiniteQuery({
    queryKey: ['sessions', isSearch ? 'all' : 'pages'],
    queryFn: ({ pageParam, signal }) => server.listSessions({ query: { limit: isSearch ? LARGE_PAGE : PAGE, offset: String(pageParam) }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    // Every page is read again, so more of them are read less often.
    refetchInterval: ({ state }) => POLL_MS * (state.data?.pages.length ?? 1),
  });
  const { hasNextPage, isFetching, fetchNextPage, data } = query;
  useEffect(() => {
    if (isSearch && hasNextPage && !isFetching) fetchNextPage().catch(reportError);
  }, [isSearch, hasNextPage, isFetching, fetchNextPage]);
  const sessions = useMemo(() => {
    // Between two pages a session may have moved from one to the other.
    const byId = new Map((data?.pages ?? []).flatMap((page) => page.sessions).map((session) => [session.id, session]));
    return [...byId.values()].filter(({ title, cwd }) => !isSearch || `${title}\n${cwd}`.toLowerCase().includes(wanted));
  }, [data, isSearch, wanted]);
  return { sessions, query };
}
