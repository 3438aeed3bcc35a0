import type { AnyEndpoint } from '../../api/endpoint.ts';
import { isObject } from '../../protocol/json.ts';
import type { ApiAuditEntry } from '../../api/audit-endpoints.ts';

/** A request that was answered. */
export interface Answered {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly answer: unknown;
}

type Told = Pick<ApiAuditEntry, 'what' | 'id' | 'detail'>;
type Teller = (answered: Answered) => Told | undefined;

const ofId = (what: string): Teller => ({ params }) => ({ what, ...named(params['id']) });
const ofName = (what: string): Teller => ({ params, body }) => ({ what, ...named(params['name'] ?? textIn(body, 'name')) });

/** What is written down, by endpoint. Keys of settings, never values; names, never what they hold. */
const TELLERS: Readonly<Record<string, Teller>> = {
  // With the mode of the settings a session changes nothing of what may happen.
  'POST /api/sessions': ({ body, answer }) => (textIn(body, 'mode') === undefined ? undefined : { what: 'session made', ...named(textIn(answer, 'id')), ...detailed(textIn(body, 'mode')) }),
  'DELETE /api/sessions/:id': ofId('session removed'),
  'GET /api/sessions/:id/export': ofId('session exported'),
  'PATCH /api/sessions/:id': ({ params, body }) => ({ what: 'session changed', ...named(params['id']), ...detailed(textIn(body, 'mode')) }),
  'POST /api/sessions/:id/rewind': ofId('session taken back'),
  'POST /api/sessions/:id/answers': ({ params, body }) => ({ what: textIn(body, 'decision') === undefined ? 'question answered' : 'permission answered', ...named(params['id']), ...detailed([textIn(body, 'decision'), textIn(body, 'decision') && (textIn(body, 'scope') ?? 'once')].filter(Boolean).join(' ')) }),
  'PUT /api/settings': ({ body }) => ({ what: 'setting changed', ...named(textIn(body, 'key')) }),
  'POST /api/skills': ({ answer }) => ({ what: 'skill created', ...named(textIn(answer, 'id') ?? textIn(answer, 'name')) }),
  'PATCH /api/skills/:id': ofId('skill changed'),
  'DELETE /api/skills/:id': ofId('skill removed'),
  'POST /api/skills/install': ({ answer }) => ({ what: 'skill installed', ...named(installedIds(answer)) }),
  'POST /api/skills/:id/exec': ({ params, body }) => ({ what: 'skill executed', ...named(params['id']), ...detailed(textIn(body, 'script')) }),
  'POST /api/skills/:id/evaluate': ({ params, answer }) => ({ what: 'evaluation begun', ...named(params['id']), ...detailed(textIn(answer, 'id')) }),
  'POST /api/skills/enhance': ({ answer }) => ({ what: 'skill enhancement begun', ...named(textIn(answer, 'id')) }),
  'POST /api/enhancements/:id/resume': ofId('skill enhancement resumed'),
  'POST /api/enhancements/:id/stop': ofId('skill enhancement stopped'),
  'POST /api/enhancements/:id/apply': ({ params, answer }) => ({ what: 'skill enhancement applied', ...named(textIn(answer, 'skill') ?? params['id']) }),
  'POST /api/evaluations/:id/resume': ofId('evaluation resumed'),
  'POST /api/evaluations/:id/stop': ofId('evaluation stopped'),
  'POST /api/skills/:id/trust': ofId('skill trusted'),
  'DELETE /api/skills/:id/trust': ofId('trust in skill revoked'),
  'POST /api/mcp/servers': ofName('MCP server added'),
  'DELETE /api/mcp/servers/:name': ofName('MCP server removed'),
  'POST /api/mcp/servers/:name/approval': ofName('MCP server approved'),
  'DELETE /api/mcp/servers/:name/approval': ofName('approval of MCP server revoked'),
  'POST /api/mcp/add-server': ofName('MCP server added'),
  'POST /api/mcp/remove-server': ofName('MCP server removed'),
};

/** What is written down of a request that was answered; undefined for what only looks, or belongs to a conversation. */
export function audited({ method, path }: Pick<AnyEndpoint, 'method' | 'path'>, answered: Answered): Told | undefined {
  return TELLERS[`${method} ${path}`]?.(answered);
}

function named(id: string | undefined): Pick<Told, 'id'> {
  return id === undefined ? {} : { id: id.slice(0, 200) };
}

function detailed(detail: string | undefined): Pick<Told, 'detail'> {
  return detail === undefined || detail === '' ? {} : { detail: detail.slice(0, 200) };
}

function textIn(value: unknown, key: string): string | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : undefined;
}

function installedIds(answer: unknown): string | undefined {
  const installed = isObject(answer) && Array.isArray(answer['installed']) ? answer['installed'] : [];
  const ids = installed.flatMap((one: unknown) => textIn(one, 'id') ?? []);
  return ids.length === 0 ? undefined : ids.join(' ');
}
