import { STATUS_CODES } from 'node:http';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import { isObject } from '../protocol/json.ts';
import { cutStart } from '../util/cut-text.ts';
import type { ServerDefinition } from './definition.ts';
import { needsLogin } from './logins.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Characters of what a server says itself. */
const MOST_WORDS = 200;

/** Status of the answer that the library could not use; 0 where there was none. */
export function statusOf(error: unknown): number {
  for (let at = error; isObject(at); at = at['cause']) if (isObject(at['data']) && typeof at['data']['status'] === 'number') return at['data']['status'];
  return 0;
}

/** Why a request has failed, in a few words. What the library says of it begins with its own view; what the guard of the network has said is clearer. */
export function failureText(error: unknown, { shortName, definition }: { readonly shortName: string; readonly definition: ServerDefinition }): string {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof SkillmintError) return at.message;
  const status = statusOf(error);
  if (status === 401) return needsLogin(shortName).message;
  const message = withoutSecrets(messageOf(error), definition);
  if (status === 0) return message;
  const said = cutStart(/^Error POSTing to endpoint:\s*([^<\n]+)/.exec(message)?.[1]?.trim() ?? '', MOST_WORDS);
  return `it answered with the status ${status}${STATUS_CODES[status] === undefined ? '' : ` (${STATUS_CODES[status]})`}${said === '' ? '' : `: ${said}`}`;
}
