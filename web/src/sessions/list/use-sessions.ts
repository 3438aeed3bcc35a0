import { keepPreviousData, useMutation, useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import type { API } from '../../../../src/api/api.ts';
import type { AnswerOf } from '../../../../src/api/endpoint.ts';
import type { ListedSession } from '../../../../src/api/session-endpoints.ts';
import { messageOf } from '../../../../src/protocol/errors.ts';
import { useServer } from '../../app/server.ts';

/** Sessions on one page. */
export const PAGE = 50;
/** A session that runs changes by itself, ms. */
const LOOK_AGAIN = 5_000;

/** Which sessions are wanted; the words are those of the API. */
export interface SessionFilter {
  readonly cwd: string;
  readonly status: '' | ListedSession['status'];
  readonly text: string;
  readonly agents: boolean;
  readonly offset: number;
}

/** One page of the sessions, newest first. */
export function useSessions({ cwd, status, text, agents, offset }: SessionFilter): UseQueryResult<AnswerOf<(typeof API)['listSessions']>> {
  const server = useServer();
  const query = { limit: `${PAGE}`, offset: `${offset}`, ...(cwd === '' ? {} : { cwd }), ...(status === '' ? {} : { status }), ...(text === '' ? {} : { text }), ...(agents ? { agents: 'true' as const } : {}) };
  return useQuery({ queryKey: ['sessions', 'page', query], queryFn: ({ signal }) => server.listSessions({ query, signal }), placeholderData: keepPreviousData, refetchInterval: LOOK_AGAIN });
}

/** Removes sessions one after the other. What could not be removed, and what the server says of the others, is told in sentences. */
export function useRemoveSessions(): UseMutationResult<readonly string[], Error, readonly string[]> {
  const server = useServer();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (ids) => {
      const said: string[] = [];
      for (const id of ids) {
        try {
          const { notes } = await server.removeSession({ id });
          said.push(...notes);
        } catch (error) {
          said.push(messageOf(error));
        }
      }
      return said;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
}
