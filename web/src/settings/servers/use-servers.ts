import { useMutation, useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import type { API } from '../../../../src/api/api.ts';
import type { AnswerOf } from '../../../../src/api/endpoint.ts';
import type { Client } from '../../../../src/client/create-client.ts';
import { useServer } from '../../app/server.ts';
import { useFolder } from '../use-settings.ts';

type Servers = AnswerOf<(typeof API)['listServers']>;

/** The MCP servers of the folder, with the health that was found last. */
export function useServers(): UseQueryResult<Servers> {
  const server = useServer();
  const query = useFolder();
  return useQuery({ queryKey: ['servers', query.cwd], queryFn: ({ signal }) => server.listServers({ query, signal }), staleTime: Number.POSITIVE_INFINITY, refetchOnMount: false });
}

/** Connects to each server that may be used, and keeps what was found. */
export function useHealthCheck(): UseMutationResult<Servers, unknown, void> {
  const server = useServer();
  const query = useFolder();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => server.listServers({ query: { ...query, connect: 'true' } }),
    onSuccess: (found) => queries.setQueryData(['servers', query.cwd], found),
  });
}

/** Does something with servers and lists them anew; `done` is called then. */
export function useServerAct(act: (client: Client, query: { readonly cwd?: string }) => Promise<unknown>, done: () => void): UseMutationResult<unknown, unknown, void> {
  const server = useServer();
  const query = useFolder();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => act(server, query),
    onSuccess: async () => {
      await Promise.all([queries.invalidateQueries({ queryKey: ['servers'] }), queries.invalidateQueries({ queryKey: ['settings'] })]);
      done();
    },
  });
}
