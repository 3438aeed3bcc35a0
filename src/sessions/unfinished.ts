import type { SessionEvent } from '../protocol/events.ts';
import { cutEnd } from '../util/cut-text.ts';

type Delta = Extract<SessionEvent, { type: 'text.delta' | 'reasoning.delta' | 'tool.delta' }>;

/** Of the live output of a call at least so many characters are kept, the last ones; the stored result holds the whole of it. */
const OUTPUT_CHARS = 65_536;

/** What a session is saying: its deltas that no stored event holds yet, joined. Those of sub-agents are not among them. */
export interface Unfinished {
  add(event: SessionEvent): void;
  events(): readonly SessionEvent[];
}

/** Begins with what another one held. */
export function unfinished(begun: readonly SessionEvent[] = []): Unfinished {
  let parts: Delta[] = [];
  const add = (event: SessionEvent): void => {
    if (event.is_sub_agent) return;
    switch (event.type) {
      case 'text.delta':
      case 'reasoning.delta':
      case 'tool.delta': {
        parts = joined(parts, event);
        return;
      }
      case 'message.completed':
      case 'model.retried': {
        parts = parts.filter(({ type }) => type === 'tool.delta');
        return;
      }
      case 'tool.completed': {
        parts = parts.filter((part) => part.type !== 'tool.delta' || part.call_id !== event.call_id);
        return;
      }
      // Whoever goes on with a turn says again what was not stored.
      case 'turn.resumed':
      case 'turn.completed': {
        parts = [];
        return;
      }
      default:
    }
  };
  begun.forEach(add);
  return { add, events: () => parts };
}

function joined(parts: readonly Delta[], event: Delta): Delta[] {
  const at = parts.findLastIndex((part) => isOfSame(part, event));
  const before = parts[at];
  // What is said after something else was said stands after it.
  if (!before || (event.type !== 'tool.delta' && at < parts.length - 1)) return [...parts, event];
  const text = before.text + event.text;
  return parts.with(at, { ...before, text: event.type === 'tool.delta' && text.length > 2 * OUTPUT_CHARS ? cutEnd(text, OUTPUT_CHARS) : text });
}

function isOfSame(part: Delta, event: Delta): boolean {
  return part.type === event.type && (part.type !== 'tool.delta' || event.type !== 'tool.delta' || part.call_id === event.call_id);
}
