import type { AgentContext } from '@agentclientprotocol/sdk';
import type { AnswerRequest } from '../../runtime/runtime.ts';

/** A person's answer to a request. */
export type Answer = AnswerRequest['answer'];

/** Through whom a person is asked. */
export interface Asking {
  readonly client: AgentContext;
  readonly sessionId: string;
  /** Aborts when the person stops the turn, and when the editor is gone: nobody waits for an answer any more. */
  readonly signal: AbortSignal;
}

/** Asks the editor for something; rejects where it cannot, and when the signal aborts. */
export function sendOptions({ signal }: Pick<Asking, 'signal'>): { readonly cancellationSignal: AbortSignal; readonly stopWaitingOnCancel: true } {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}
