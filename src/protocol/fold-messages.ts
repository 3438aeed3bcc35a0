import type { UserPart } from './content.ts';
import { openCalls, type SessionState } from './session-state.ts';

/** What the runtime adds to a person's message stays with that message, so that no prefix ever changes. */
export function appendNote(state: SessionState, note: string): void {
  const last = state.messages.at(-1);
  if (note === '' || last?.message.role !== 'user') return;
  const content: readonly UserPart[] = [...last.message.content, { type: 'text', text: note }];
  state.messages[state.messages.length - 1] = { seq: last.seq, message: { role: 'user', content } };
}

/** True from a request to the model until its reply and the results of its calls are there. */
export function isInStep(state: SessionState): boolean {
  const replied = state.messages.at(-1)?.message.role === 'assistant';
  return openCalls(state).length > 0 || (state.turn?.status === 'running' && !replied);
}
