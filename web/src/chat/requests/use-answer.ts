import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { API } from '../../../../src/api/api.ts';
import type { BodyOf } from '../../../../src/api/endpoint.ts';
import { ServerError } from '../../../../src/client/server-error.ts';
import { useServer } from '../../app/server.ts';
import { focusMessage } from '../composer/focus-message.ts';
import type { AskedRequest } from './asked-request.ts';

/** What a person answers. */
export type Answer = Omit<BodyOf<(typeof API)['answer']>, 'request_id'>;

/** Sends the answer to a request. One that somebody has answered before is no failure: `onTaken` is told, and the chat goes on. */
export function useAnswer({ sessionId, question }: AskedRequest, onTaken: () => void): UseMutationResult<unknown, Error, Answer> {
  const server = useServer();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (answer: Answer) => {
      try {
        return await server.answer({ id: sessionId, body: { ...answer, request_id: question.request_id } });
      } catch (error) {
        if (!isTaken(error)) throw error;
        onTaken();
        return undefined;
      }
    },
    onSuccess: focusMessage,
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
}

function isTaken(error: unknown): boolean {
  return error instanceof ServerError && (error.code === 'request_not_open' || error.code === 'nothing_to_answer');
}
