import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServer } from '../app/server.ts';
import type { LiveSession } from './session/live-session.ts';

/** How a turn is stopped: by a button, and by Escape wherever nothing else takes it. */
export interface Stop {
  readonly now: () => void;
  readonly error: unknown;
  /** The turn runs in a process that this server could not reach. */
  readonly ranElsewhere: boolean;
}

/** Stops the turn of a session that runs now. */
export function useStop({ id, state }: LiveSession): Stop {
  const server = useServer();
  const queries = useQueryClient();
  const stop = useMutation({ mutationFn: (_turnId: string) => server.cancel({ id }), onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }) });
  const turnId = state.turn?.status === 'running' ? state.turn.turn_id : undefined;
  const { mutate } = stop;
  useEffect(() => {
    if (turnId === undefined) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !isTakenElsewhere(event)) mutate(turnId);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [turnId, mutate]);
  return {
    now: () => turnId !== undefined && mutate(turnId),
    error: stop.error,
    ranElsewhere: turnId !== undefined && stop.variables === turnId && stop.data?.cancelled === false,
  };
}

/** A menu, a window, an input method or a field may have a use for Escape itself. */
function isTakenElsewhere({ defaultPrevented, isComposing, target }: KeyboardEvent): boolean {
  return defaultPrevented || isComposing || target instanceof HTMLInputElement || target instanceof HTMLSelectElement || document.querySelector('dialog[open]') !== null;
}
