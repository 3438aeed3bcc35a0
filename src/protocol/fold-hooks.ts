import type { StoredEvent } from './events.ts';
import { appendNote } from './fold-messages.ts';
import { hookKey } from './hook.ts';
import type { SessionState } from './session-state.ts';

type HookRun = Extract<StoredEvent, { type: 'hook.completed' }>;

/** Applies what a hook did. */
export function applyHookEvent(state: SessionState, event: HookRun): void {
  const { call_id, updated_input, halts } = event;
  if (event.once) state.hooks_done.add(hookKey(event));
  if (event.note !== undefined) appendNote(state, event.note);
  const call = call_id === undefined ? undefined : state.calls.get(call_id);
  if (call && updated_input) state.calls.set(call.call_id, { ...call, input: updated_input });
  if (halts !== undefined && state.turn) state.turn = { ...state.turn, halted: halts };
  else if (event.event === 'UserPromptSubmit' && event.status === 'blocked' && !event.in_turn) {
    dropPrompt(state);
    // A turn that goes on after a crash ends for the same reason.
    if (state.turn) state.turn = { ...state.turn, opened: true, halted: event.message ?? 'A hook refused the prompt.' };
  }
}

/** A prompt that a hook refused is never sent, nor what was added to it; a message that came after it is. */
function dropPrompt(state: SessionState): void {
  const place = state.messages.findIndex(({ seq }) => seq === state.turn?.from_seq);
  if (place < 0) return;
  state.messages.splice(place, 1);
  state.notes.unshift(...(state.turn?.notes ?? []));
}
