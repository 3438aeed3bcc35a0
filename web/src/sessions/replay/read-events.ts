import type { StoredEvent } from '../../../../src/protocol/events.ts';
import { isObject } from '../../../../src/protocol/json.ts';

/** Reads the lines of an export as they come. @throws Error for a line that is no event */
export async function readEvents(answer: Response): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) events.push(eventOf(line));
  }
  if (rest !== '') events.push(eventOf(rest));
  return events;
}

function eventOf(line: string): StoredEvent {
  const value: unknown = JSON.parse(line);
  if (!isEvent(value)) throw new Error(`This is no event of a session: ${line.slice(0, 200)}`);
  return value;
}

function isEvent(value: unknown): value is StoredEvent {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['seq'] === 'number' && typeof value['time'] === 'string';
}
