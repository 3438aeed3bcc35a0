import type { ToolCallPart } from '../protocol/content.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { LoggedMessage } from '../protocol/session-state.ts';

const LOOK_BACK_STEPS = 24;

/** How many steps in a row, ending with the last, made this very call and got the same result each time. */
export function countRepeats(messages: readonly LoggedMessage[], tool: string, input: JsonObject): number {
  const wanted = JSON.stringify([tool, input]);
  let result: string | undefined;
  let count = 0;
  for (let i = messages.length - 1; i > 0 && count < LOOK_BACK_STEPS; i--) {
    const results = messages[i]?.message;
    // What a person says in between makes the call a new one.
    if (results?.role === 'user') break;
    if (results?.role !== 'tool') continue;
    const reply = messages[i - 1]?.message;
    const call = reply?.role === 'assistant' ? reply.content.find((part): part is ToolCallPart => part.type === 'tool_call' && JSON.stringify([part.tool, part.input]) === wanted) : undefined;
    if (!call) break;
    const output = JSON.stringify(results.content.find((part) => part.call_id === call.call_id)?.content);
    if (result !== undefined && output !== result) break;
    result = output;
    count++;
  }
  return count;
}
