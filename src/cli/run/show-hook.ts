import type { StoredBody } from '../../protocol/events.ts';
import { cutStart } from '../../util/cut-text.ts';
import { oneLine } from '../terminal.ts';

const MESSAGE_CHARS = 300;

type HookRun = Extract<StoredBody, { type: 'hook.completed' }>;

/** What a hook did, on one line; nothing for one that went well, changed nothing and has nothing to say. */
export function hookLine(run: HookRun): string | undefined {
  const { event, source, status } = run;
  const words = run.message ?? changeOf(run);
  if (words === undefined) return undefined;
  const text = oneLine(words);
  const said = text.length > MESSAGE_CHARS ? `${cutStart(text, MESSAGE_CHARS)}…` : text;
  return `hook ${event} of ${oneLine(source)}${status === 'ok' ? '' : ` (${status})`}: ${said}`;
}

function changeOf({ decision, updated_input }: HookRun): string | undefined {
  if (updated_input) return 'changed the input of the call';
  return decision === 'allow' ? 'let the call pass' : undefined;
}
