import type { AssistantPart, UserPart } from '../../../../src/protocol/content.ts';
import type { StoredEvent } from '../../../../src/protocol/events.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';

/** What an event says, in its own words and numbers; what it is stands beside it. Empty where that says all. */
export function eventText(event: StoredEvent): string {
  switch (event.type) {
    case 'session.started': return `${event.model} · ${event.cwd}`;
    case 'session.forked': return `${event.parent_id} #${event.at_seq}`;
    case 'instructions.loaded': return event.files.join(', ');
    case 'turn.started': return partsText(event.input);
    case 'turn.resumed':
    case 'tool.started': return '';
    case 'background.lost': return event.note.trim();
    case 'skill.offered': return event.skills.map(({ id, score }) => `${id} (${score.toFixed(2)})`).join(', ');
    case 'message.added': return event.text;
    case 'message.completed': return partsText(event.content);
    case 'tool.requested': return callText(event);
    case 'permission.requested': return `${callText(event)} — ${event.reason}`;
    case 'permission.resolved': return `${event.decision}, ${event.scope}${event.reason === undefined ? '' : ` — ${event.reason}`}`;
    case 'question.asked': return event.question;
    case 'question.answered': return event.answer;
    case 'tool.completed': return `${event.status}${event.duration_ms === undefined ? '' : ` · ${event.duration_ms} ms`} · ${partsText(event.output)}`;
    case 'skill.activated': return `${event.skill_id} (${event.trigger})`;
    case 'skill.deactivated': return event.skill_id;
    case 'agent.started': return `${event.agent_type}: ${event.description ?? event.prompt}`;
    case 'agent.completed': return `${event.status} · ${event.result}`;
    case 'hook.completed': return `${event.event} · ${event.command} · ${event.status}${event.message === undefined ? '' : ` — ${event.message}`}`;
    case 'todos.updated': return event.todos.map(({ subject, status }) => `${subject} (${status})`).join(', ');
    case 'context.compacted': return `${event.before_tokens} → ${event.after_tokens}`;
    case 'model.changed': return event.model;
    case 'mode.changed': return event.mode;
    case 'folders.changed': return event.add_dirs.join(', ');
    case 'restrictions.changed': return JSON.stringify(event.restrictions);
    case 'sandbox.changed': return event.sandbox;
    case 'model.retried': return `${event.attempt} · ${event.status} · ${event.wait_ms} ms`;
    case 'warning': return event.message;
    case 'turn.completed': return `${event.status}${event.error ? ` — ${event.error.message}` : ''}`;
  }
}

function callText({ tool, input }: { readonly tool: string; readonly input: JsonObject }): string {
  return `${tool} ${JSON.stringify(input)}`;
}

function partsText(parts: readonly (AssistantPart | UserPart)[]): string {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text': return [part.text];
      // Calls have events of their own.
      case 'reasoning':
      case 'tool_call': return [];
      case 'image':
      case 'document': return [`[${part.media_type}]`];
    }
  }).join('\n');
}
