import type { PermissionMode } from '../protocol/permission.ts';
import type { RewindPlan, RewindResult } from '../protocol/rewind.ts';
import type { SkillTrigger } from '../protocol/skill.ts';
import type { Todo } from '../protocol/todo.ts';
import type { Usage } from '../protocol/usage.ts';
import type { EventError, SandboxState, TurnStatus } from '../protocol/events.ts';
import type { AgentRun, CallQuestion } from '../protocol/session-state.ts';
import type { JsonObject } from '../protocol/json.ts';
import { endpoint, NONE } from './endpoint.ts';
import { flag, list, object, oneOf, optional, shaped, text, whole } from './schema.ts';

/** A session as listings show it. Times are ISO 8601, UTC. */
export interface ListedSession {
  readonly id: string;
  readonly title: string;
  readonly cwd: string;
  readonly model: string;
  readonly status: 'idle' | 'running' | 'interrupted' | TurnStatus;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_seq: number;
  readonly parent_id?: string;
  /** Set for that of a sub-agent, which `parent_id` has started. */
  readonly task_id?: string;
}

/** What a session waits for. */
export type ApiRequest = CallQuestion & { readonly call_id: string; readonly tool: string; readonly input: JsonObject };

/** A session as it stands. */
export interface ShownSession extends ListedSession {
  readonly permission_mode: PermissionMode;
  readonly sandbox: SandboxState;
  readonly todos: readonly Todo[];
  readonly usage: Usage;
  readonly cost_usd: number;
  readonly context_tokens: number;
  /** Id of the skill that it is bound to. */
  readonly skill?: string;
  readonly turn?: { readonly turn_id: string; readonly status: 'running' | TurnStatus; readonly steps: number; readonly error?: EventError };
  /** Those whose instructions are in force. */
  readonly skills: readonly { readonly skill_id: string; readonly trigger: SkillTrigger; readonly digest: string }[];
  readonly agents: readonly AgentRun[];
  readonly open: readonly ApiRequest[];
}

const LISTED = shaped<ListedSession>('A session: id, title, cwd, model, status, created_at, updated_at, last_seq.');
const MODES = oneOf(['default', 'acceptEdits', 'plan', 'dontAsk', 'unrestricted'], 'How much may happen without a question.');
const STATUSES = oneOf(['idle', 'running', 'interrupted', 'done', 'waiting', 'failed', 'limit', 'cancelled'], 'What it does, or how its last turn ended.');
const NUMBER = '^[0-9]{1,9}$';

/** Sessions: made, listed, shown, changed, forked, taken back, exported, removed. */
export const SESSION_ENDPOINTS = {
  listSessions: endpoint({
    method: 'GET', path: '/api/sessions', summary: 'Lists sessions, newest first.',
    query: object({ cwd: optional(text({ max: 4_096 })), limit: optional(text({ pattern: '^[0-9]{1,3}$', description: 'At most 500, 50 when left out.' })), offset: optional(text({ pattern: NUMBER })), agents: optional(oneOf(['true', 'false'], 'Also those of sub-agents.')), status: optional(STATUSES), text: optional(text({ max: 200, description: 'Stands in the title or the folder, or is the beginning of the id.' })) }),
    body: NONE,
    answer: object({ sessions: list(LISTED), next: optional(whole({ min: 0, max: 1e9, description: 'The offset of the next page, where there is one.' })) }),
  }),
  createSession: endpoint({
    method: 'POST', path: '/api/sessions', summary: 'Makes a session.', status: 201, query: NONE,
    body: object({ cwd: optional(text({ max: 4_096, description: 'Folder to work in; one of serve.roots or in it. The first of them when left out.' })), model: optional(text({ min: 1, description: 'PROVIDER/MODEL' })), mode: optional(MODES), skill: optional(text({ min: 1, description: 'Name or id of a skill that the session is bound to.' })) }),
    answer: object({ id: text() }),
  }),
  showSession: endpoint({ method: 'GET', path: '/api/sessions/:id', summary: 'Shows a session: what it is, what it does, what it waits for.', query: NONE, body: NONE, answer: shaped<ShownSession>('A session with mode, sandbox, todos, usage, turn, skills, agents and open requests.') }),
  changeSession: endpoint({ method: 'PATCH', path: '/api/sessions/:id', summary: 'Changes the model or the permission mode of an idle session.', query: NONE, body: object({ model: optional(text({ min: 1 })), mode: optional(MODES) }), answer: object({ id: text() }) }),
  removeSession: endpoint({ method: 'DELETE', path: '/api/sessions/:id', summary: 'Removes a session with those of its sub-agents.', query: NONE, body: NONE, answer: object({ removed: text(), notes: list(text({ max: 10_000 })) }) }),
  exportSession: endpoint({ method: 'GET', path: '/api/sessions/:id/export', summary: 'Gives the stored events, one JSON object a line.', query: NONE, body: NONE, answer: shaped<Response>('Lines of events.'), answerType: 'application/x-ndjson' }),
  forkSession: endpoint({ method: 'POST', path: '/api/sessions/:id/fork', summary: 'Copies a session, up to an event where one is named.', status: 201, query: NONE, body: object({ at_seq: optional(whole({ min: 1, max: 1e12 })) }), answer: object({ id: text() }) }),
  planRewind: endpoint({ method: 'GET', path: '/api/sessions/:id/rewind', summary: 'Says what going back to before a message of the person would do: files, and commands whose changes stay. Name it by to_seq or turn.', query: object({ to_seq: optional(text({ pattern: NUMBER, description: 'Number of the event that holds the message (turn.started).' })), turn: optional(text({ min: 1, description: 'Id of the turn that it has begun.' })) }), body: NONE, answer: shaped<RewindPlan>('seq, turn_id, text, time, files [{path, change, state}], commands.') }),
  rewindSession: endpoint({
    method: 'POST', path: '/api/sessions/:id/rewind', summary: 'Takes a session back to before a message of the person: files that it has changed since, and the conversation in a copy that ends there. Name the message by to_seq or turn.', query: NONE,
    body: object({
      to_seq: optional(whole({ min: 1, max: 1e12, description: 'Number of the event that holds the message (turn.started).' })), turn: optional(text({ min: 1, description: 'Id of the turn that it has begun.' })),
      files: optional(flag('False leaves files as they are.')), conversation: optional(flag('False goes on in the same session.')), overwrite: optional(flag('Also sets back files that somebody else has changed since.')),
    }),
    answer: shaped<RewindResult>('session_id of the session that goes on; restored, removed, left [{path, why}], commands whose changes stay.'),
  }),
  compactSession: endpoint({ method: 'POST', path: '/api/sessions/:id/compact', summary: 'Replaces the older part of the conversation by a summary. Gives the tokens before and after.', query: NONE, body: NONE, answer: object({ before: whole({ min: 0, max: 1e9 }), after: whole({ min: 0, max: 1e9 }) }) }),
  unloadSkill: endpoint({ method: 'DELETE', path: '/api/sessions/:id/skills/:skill', summary: 'Takes the instructions of a skill out of force.', query: NONE, body: NONE, answer: object({ unloaded: flag() }) }),
};
