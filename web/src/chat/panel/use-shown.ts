import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ShownSession } from '../../../../src/api/session-endpoints.ts';
import { useServer } from '../../app/server.ts';

const POLL_MS = 3_000;

/** What the server knows of a session beside its events: its title, and whether somebody works on it. Read again while the page is looked at. */
export function useShown(id: string, enabled = true): UseQueryResult<ShownSession> {
  const server = useServer();
  return useQuery({ queryKey: ['sessions', 'shown', id], queryFn: ({ signal }) => server.showSession({ id, signal }), refetchInterval: POLL_MS, enabled });
}
