import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { AnswerOf } from '../../../src/api/endpoint.ts';
import type { API } from '../../../src/api/api.ts';
import { createClient, type Client } from '../../../src/client/create-client.ts';

/** The server that has sent this page. */
export const ServerContext = createContext<Client>(createClient());

/** The server as a typed client; its methods reject with a `ServerError`. */
export function useServer(): Client {
  return useContext(ServerContext);
}

/** Who is logged in. */
export function useMe(): UseQueryResult<AnswerOf<(typeof API)['whoAmI']>> {
  const server = useServer();
  return useQuery({ queryKey: ['me'], queryFn: ({ signal }) => server.whoAmI({ signal }), staleTime: Number.POSITIVE_INFINITY });
}
