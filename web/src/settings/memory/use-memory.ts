import { useMutation, useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import type { API } from '../../../../src/api/api.ts';
import type { AnswerOf } from '../../../../src/api/endpoint.ts';
import type { Client } from '../../../../src/client/create-client.ts';
import { useServer } from '../../app/server.ts';
import { useFolder } from '../use-settings.ts';

/** Whose memory: of the project of a folder, or of a skill there. */
export interface Whose {
  readonly cwd?: string;
  readonly skill?: string;
}

/** The memory of a skill, or of the project where none is named. */
export function useWhose(skill: string): Whose {
  const folder = useFolder();
  return skill === '' ? folder : { ...folder, skill };
}

/** Its entries. */
export function useEntries(whose: Whose): UseQueryResult<AnswerOf<(typeof API)['listMemory']>> {
  const server = useServer();
  return useQuery({ queryKey: ['memory', whose], queryFn: ({ signal }) => server.listMemory({ query: whose, signal }) });
}

/** One of them with its text. */
export function useEntry(whose: Whose, key: string): UseQueryResult<AnswerOf<(typeof API)['readMemory']>> {
  const server = useServer();
  return useQuery({ queryKey: ['memory', whose, key], queryFn: ({ signal }) => server.readMemory({ key, query: whose, signal }), refetchOnWindowFocus: false });
}

/** Changes the memory, and lists it anew. */
export function useMemoryAct<T>(act: (client: Client) => Promise<T>, done: (result: T) => void): UseMutationResult<T, unknown, void> {
  const server = useServer();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => act(server),
    onSuccess: async (result) => {
      await queries.invalidateQueries({ queryKey: ['memory'] });
      done(result);
    },
  });
}
