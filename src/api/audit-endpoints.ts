import { endpoint, NONE } from './endpoint.ts';
import { list, object, optional, shaped, text, whole } from './schema.ts';

/** What somebody did. `time` is ISO 8601, UTC. */
export interface ApiAuditEntry {
  readonly time: string;
  /** Name of the user; left out for attempts that nobody was let in with. */
  readonly user?: string;
  readonly address?: string;
  readonly what: string;
  /** What it was done to: a session, a skill, a key of the settings. */
  readonly id?: string;
  /** One word or two on how; never what is secret. */
  readonly detail?: string;
}

const NUMBER = '^[0-9]{1,6}$';

/** What was done on the server, and by whom. */
export const AUDIT_ENDPOINTS = {
  listAudit: endpoint({
    method: 'GET', path: '/api/audit', summary: 'Lists who did what, newest first: logins, settings, trust, skills, permissions, MCP servers, users, sessions.', admin: true,
    query: object({ limit: optional(text({ pattern: '^[0-9]{1,3}$', description: 'At most 500, 100 when left out.' })), offset: optional(text({ pattern: NUMBER })) }), body: NONE,
    answer: object({ entries: list(shaped<ApiAuditEntry>('time, user, address, what, id, detail.')), next: optional(whole({ min: 0, max: 1e9, description: 'The offset of the next page, where there is one.' })) }),
  }),
};
