import { useMutation, useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import type { ApiSkill } from '../../../../src/api/skill-endpoints.ts';
import { useServer } from '../../app/server.ts';
import type { Folder } from '../use-folder.ts';

/** One skill of a folder. */
export function useSkill({ path, here }: Folder, id: string): UseQueryResult<ApiSkill> {
  const server = useServer();
  return useQuery({ queryKey: ['skills', path, 'one', id], queryFn: ({ signal }) => server.showSkill({ id, query: here, signal }) });
}

/** Changes the description, or switches the skill on or off. */
export function useChangeSkill({ path, here }: Folder, id: string): UseMutationResult<ApiSkill, Error, { readonly description: string } | { readonly enabled: boolean }> {
  const server = useServer();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body) => server.changeSkill({ id, query: here, body }),
    onSuccess: async (skill) => {
      queries.setQueryData(['skills', path, 'one', id], skill);
      await queries.invalidateQueries({ queryKey: ['skills', path] });
    },
  });
}
