import type { NoticeSeverity } from '@agentclientprotocol/sdk';
import type { NoteEvent } from '../../protocol/transcript/transcript.ts';
import { visibleText } from '../../protocol/visible-text.ts';

/** A line on something that has happened. */
export interface Note {
  readonly severity: NoticeSeverity;
  readonly text: string;
}

/** What a person is told of an event; nothing where the editor shows it otherwise, or where it says nothing to a person. */
export function noteOf(event: NoteEvent): Note | undefined {
  const said = sentenceOf(event);
  return said && { severity: said.severity, text: visibleText(said.text).replace(/\s+/g, ' ').trim() };
}

function sentenceOf(event: NoteEvent): Note | undefined {
  switch (event.type) {
    case 'warning': return { severity: 'warning', text: event.message };
    case 'model.retried': return { severity: 'warning', text: `The model is asked again (${event.status}), attempt ${event.attempt}; what it had begun to say does not count.` };
    case 'background.lost': return { severity: 'warning', text: `Commands in the background have ended with the program: ${event.bash_ids.join(', ')}.` };
    case 'context.compacted': return { severity: 'info', text: `The older part of the conversation was replaced by a summary: ${event.before_tokens} → ${event.after_tokens} tokens.` };
    case 'skill.deactivated': return { severity: 'info', text: `The skill ${event.skill_id} is unloaded.` };
    case 'session.forked': return { severity: 'info', text: `Copied from the session ${event.parent_id}.` };
    case 'skill.activated': return event.trigger === 'model' || event.trigger === 'user' ? undefined : { severity: 'info', text: `The skill ${event.skill_id} is loaded.` };
    case 'hook.completed': return event.message === undefined ? undefined : { severity: 'info', text: `Hook ${event.command}: ${event.message}` };
    case 'turn.completed': return turnNote(event);
    // A warning follows where that takes something away.
    case 'sandbox.changed':
    case 'message.added':
    case 'todos.updated':
    case 'model.changed':
    case 'mode.changed':
    case 'turn.resumed': return undefined;
  }
}

function turnNote({ status, error }: Extract<NoteEvent, { type: 'turn.completed' }>): Note | undefined {
  if (status === 'failed') return { severity: 'error', text: error?.message ?? 'The turn failed.' };
  return status === 'limit' ? { severity: 'warning', text: error?.message ?? 'The turn was ended by its limit.' } : undefined;
}
