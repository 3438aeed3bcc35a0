import { textOf } from '../protocol/content.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { StoredEvent } from '../protocol/events.ts';
import type { Lease, NewEvent, SessionStatus, SessionSummary } from './store.ts';

const TITLE_CHARS = 80;

/** A row of sessions or events by column name, of whatever database. */
export type SessionRow = Readonly<Record<string, string | number | bigint | boolean | Date | Uint8Array | null>>;

/** What the next batch of a session is stored as, after `last`. */
export function numbered(sessionId: string, last: number, events: readonly NewEvent[]): readonly StoredEvent[] {
  return events.map((event, index): StoredEvent => ({ ...event.body, session_id: sessionId, seq: last + index + 1, time: event.time, ...(event.agent_id ? { agent_id: event.agent_id, is_sub_agent: true as const } : {}) }));
}

/** Refuses what a stale lease wants to write. */
export function fenced(lease: Lease): SkillmintError {
  return new SkillmintError('session_fenced', `Another process has taken over session ${lease.session_id}; this one stops writing to it.`);
}

/** Of sessions that were left those that go on by themselves; see `SessionStore.left`. */
export function goingOn<T extends SessionRow>(rows: readonly T[]): readonly T[] {
  const left = new Set(rows.map((row) => row['session_id']));
  return rows.filter((row) => row['task_id'] === null || (row['parent_id'] !== null && !left.has(row['parent_id'])));
}

/** Says that there is no such session. */
export function noSession(sessionId: string): SkillmintError {
  return new SkillmintError('session_not_found', `There is no session ${sessionId}. See: skillmint sessions list`);
}

/** What a listing shows, brought up to date by the events of one batch. */
export function summarise(before: { readonly status: string; readonly title: string; readonly model: string }, events: readonly StoredEvent[]): { status: string; title: string; model: string } {
  const after = { ...before };
  for (const event of events) {
    if (event.type === 'turn.started') {
      after.status = 'running';
      after.title ||= textOf(event.input).replace(/\s+/g, ' ').trim().slice(0, TITLE_CHARS);
    }
    if (event.type === 'permission.resolved' || event.type === 'question.answered') after.status = 'running';
    if (event.type === 'turn.completed') after.status = event.status;
    if (event.type === 'model.changed') after.model = event.model;
  }
  return after;
}

const STATUSES: readonly SessionStatus[] = ['idle', 'running', 'interrupted', 'done', 'waiting', 'failed', 'limit', 'cancelled'];

/** A session as listings show it; `live` when its owner still holds it. */
export function rowSummary(row: SessionRow, live: boolean): SessionSummary {
  const status = STATUSES.find((known) => known === row['status']) ?? 'idle';
  return {
    session_id: String(row['session_id']),
    title: String(row['title']),
    cwd: String(row['cwd']),
    model: String(row['model']),
    status: status === 'running' && !live ? 'interrupted' : status,
    created_at: String(row['created_at']),
    updated_at: String(row['updated_at']),
    last_seq: Number(row['last_seq']),
    ...(row['parent_id'] ? { parent_id: String(row['parent_id']) } : {}),
    ...(row['task_id'] ? { task_id: String(row['task_id']) } : {}),
  };
}
