import { endpoint, NONE } from './endpoint.ts';
import { list, object, oneOf, optional, text } from './schema.ts';

/** The server itself, and whoever asks it. */
export const SERVER_ENDPOINTS = {
  whoAmI: endpoint({ method: 'GET', path: '/api/me', summary: 'Says who is logged in, and in which folders they may work.', query: NONE, body: NONE, answer: object({ name: text(), role: oneOf(['admin', 'member']), version: text(), roots: list(text({ max: 4_096 })) }) }),
  showSandbox: endpoint({ method: 'GET', path: '/api/sandbox', summary: 'Tries the sandbox out and says what it is worth.', query: NONE, body: NONE, answer: object({ state: oneOf(['isolated', 'limited', 'not isolated']), mechanism: text(), reason: optional(text({ max: 10_000 })), remedy: optional(text({ max: 10_000 })) }) }),
};
