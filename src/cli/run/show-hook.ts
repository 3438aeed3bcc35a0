import type { SessionEvent } from '../../protocol/events.ts';
import { cutStart } from '../../util/cut-text.ts';
import { oneLine } from '../terminal.ts';

const MESSAGE_CHARS = 300;

/** What a hook did, on one line; nothing for one that went well and has nothing to say. */
export function hookLine({ event, source, status, message }: Extract<SessionEvent, { type: 'hook.completed' }>): string | undefined {
  if (message === undefined) return undefined;
  const text = oneLine(message);
  const said = text.length > MESSAGE_CHARS ? `${cutStart(text, MESSAGE_CHARS)}…` : text;
  return `hook ${event} of ${oneLine(source)}${status === 'ok' ? '' : ` (${status})`}: ${said}`;
}
