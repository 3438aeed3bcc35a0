import type { FollowedEvent } from '../events.ts';
import type { StoredBody } from '../events.ts';
import type { TranscriptFold } from './transcript-fold.ts';
import { foldCall, forgetLiveOutput } from './fold-calls.ts';
import { foldAgent, foldSubAgent, forgetRunningCalls } from './fold-agents.ts';
import { completeReply, dropUnfinished, speak } from './fold-replies.ts';
import type { NoteEvent, PersonItem, Transcript } from './transcript.ts';

/** What is shown now. */
export function transcriptOf({ items }: TranscriptFold): Transcript {
  return { items: [...items.values()] };
}

/** Takes in one event; its cost does not grow with the conversation. The same stored events give the same items, however they came. */
export function applyToTranscript(fold: TranscriptFold, event: FollowedEvent): void {
  fold.events += 1;
  if (event.type === 'connected') return beginAgain(fold);
  if (event.is_sub_agent) return foldSubAgent(fold, event);
  const key = `e${event.seq ?? `-${fold.events}`}`;
  switch (event.type) {
    case 'text.delta': return speak(fold, 'text', event.text);
    case 'reasoning.delta': return speak(fold, 'reasoning', event.text);
    case 'message.completed': return completeReply(fold, event);
    case 'turn.started': goOnAfterWaiting(fold); return addPerson(fold, key, event.input, event.seq);
    case 'message.added': return event.by === undefined ? addPerson(fold, key, [{ type: 'text', text: event.text }, ...(event.attachments ?? [])]) : note(fold, key, event);
    case 'tool.requested':
    case 'tool.started':
    case 'tool.delta':
    case 'tool.completed':
    case 'permission.requested':
    case 'question.asked': return foldCall(fold, key, event);
    case 'permission.resolved':
    case 'question.answered': goOnAfterWaiting(fold); return foldCall(fold, key, event);
    case 'agent.started':
    case 'agent.completed': return foldAgent(fold, key, event);
    case 'hook.completed': if (event.updated_input) foldCall(fold, key, event); return event.message === undefined && !event.updated_input && event.decision !== 'allow' ? undefined : note(fold, key, event);
    case 'model.retried':
    case 'turn.completed': dropUnfinished(fold); return note(fold, key, event);
    case 'skill.activated':
    case 'skill.deactivated':
    case 'todos.updated':
    case 'context.compacted':
    case 'model.changed':
    case 'mode.changed':
    case 'sandbox.changed':
    case 'warning':
    case 'turn.resumed':
    case 'background.lost':
    case 'session.forked': return note(fold, key, event);
    case 'session.started':
    case 'instructions.loaded':
    case 'skill.offered':
    case 'folders.changed':
    case 'restrictions.changed': return;
    default: return unknownEvent(event);
  }
}

/** A newer server's event is not shown here; one that this program knows and forgot does not compile. */
function unknownEvent(_event: never): void {}

/** What was being said is told again from its start. */
function beginAgain(fold: TranscriptFold): void {
  dropUnfinished(fold);
  forgetLiveOutput(fold);
  forgetRunningCalls(fold);
}

function addPerson(fold: TranscriptFold, key: string, parts: Extract<StoredBody, { type: 'turn.started' }>['input'], seq?: number): void {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  const attachments: PersonItem['attachments'] = parts.flatMap((part) => (part.type === 'text' ? [] : [part]));
  fold.items.set(key, { kind: 'person', key, text, attachments, ...(seq === undefined ? {} : { seq }) });
}

function note(fold: TranscriptFold, key: string, event: NoteEvent): void {
  fold.items.set(key, { kind: 'note', key, event });
  if (event.type === 'turn.completed' && event.status === 'waiting') fold.waiting = key;
}

/** Once it is answered, nobody need read that the turn waited. */
function goOnAfterWaiting(fold: TranscriptFold): void {
  if (fold.waiting !== undefined) fold.items.delete(fold.waiting);
  delete fold.waiting;
}
