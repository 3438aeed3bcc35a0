import type { NoteEvent } from '../../protocol/transcript/transcript.ts';
import { oneLine, type palette } from '../terminal.ts';
import { hookLine } from './show-hook.ts';

/** An event that is told in a line; nothing for one that says nothing to a person. */
export function noteLine(event: NoteEvent, paint: ReturnType<typeof palette>): string | undefined {
  switch (event.type) {
    case 'skill.activated': return `${paint.green('◆')} skill ${oneLine(event.skill_id)}`;
    case 'skill.deactivated': return `${paint.dim('◇')} skill ${oneLine(event.skill_id)} unloaded`;
    case 'model.retried': return paint.yellow(`the model is asked again (${oneLine(event.status)}), attempt ${event.attempt}, after ${event.wait_ms} ms; what it had begun to say does not count`);
    case 'sandbox.changed': return paint.dim(`sandbox: ${event.sandbox}`);
    case 'context.compacted': return paint.dim(`conversation compacted: ${event.before_tokens} → ${event.after_tokens} tokens`);
    case 'warning': return paint.yellow(oneLine(event.message));
    case 'model.changed': return paint.dim(`model: ${oneLine(event.model)}`);
    case 'mode.changed': return paint.dim(`permission mode: ${event.mode}`);
    case 'turn.resumed': return paint.dim('the turn goes on');
    case 'background.lost': return paint.yellow(`commands in the background have ended with the program: ${oneLine(event.bash_ids.join(', '))}`);
    case 'session.forked': return paint.dim(`copied from ${oneLine(event.parent_id)}`);
    case 'message.added': return paint.dim(oneLine(event.text));
    case 'hook.completed': {
      const line = hookLine(event);
      return line === undefined ? undefined : paint.yellow(line);
    }
    case 'todos.updated': return event.todos.map((todo) => `  ${todo.status === 'completed' ? '☑' : todo.status === 'in_progress' ? '◐' : '☐'} ${oneLine(todo.subject)}`).join('\n');
    case 'turn.completed': return turnLine(event, paint);
  }
}

function turnLine({ status, error, usage, cost_usd }: Extract<NoteEvent, { type: 'turn.completed' }>, paint: ReturnType<typeof palette>): string {
  const tokens = `${usage.input + usage.cache_read + usage.cache_write} in, ${usage.output} out`;
  const end = paint.dim(`${status === 'cancelled' ? 'stopped' : status} · ${tokens}${cost_usd === undefined ? '' : ` · $${cost_usd.toFixed(4)}`}`);
  return error ? `${paint.red(oneLine(error.message))}\n${end}` : end;
}
