import { API } from '../api/api.ts';
import type { AnswerOf, AnyEndpoint, BodyOf, PartsOf, QueryOf } from '../api/endpoint.ts';
import { isObject } from '../protocol/json.ts';
import type { FollowedEvent } from '../protocol/events.ts';
import { followEvents, type Following } from './follow-events.ts';
import { ServerError } from './server-error.ts';

/** Where the server is, and how one gets in. */
export interface ClientOptions {
  /** Such as `http://127.0.0.1:8765`; the server of the page when left out. */
  readonly url?: string;
  /** A page that has logged in needs none. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

/** What a call is given: the parts of the path by name, the query, the body. */
export type Given<E extends AnyEndpoint> = Readonly<Record<PartsOf<E['path']>, string>> & {
  readonly query?: QueryOf<E>;
  readonly body?: BodyOf<E> | Blob | Uint8Array<ArrayBuffer>;
  /** What follows the path, where it ends in `*`. */
  readonly rest?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** Every endpoint as a method; what is no JSON comes as the response. They reject with a ServerError. */
export type Client = { readonly [K in keyof typeof API]: (given: Given<(typeof API)[K]>) => Promise<AnswerOf<(typeof API)[K]>> } & {
  /** The events of a session, across broken connections: each stored one once and in order. Ends with `signal`. Rejects with a ServerError where the server refuses. */
  readonly follow: (sessionId: string, following?: Following) => AsyncGenerator<FollowedEvent>;
};

/** Makes a client. */
export function createClient({ url = '', token, fetch: ask = fetch }: ClientOptions = {}): Client {
  const headers: Readonly<Record<string, string>> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const answer = await ask(`${url}${path}`, { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) } }).catch((error: unknown) => {
      if (init.signal?.aborted) throw error;
      throw new ServerError(`The server at ${url === '' ? 'this address' : url} does not answer.`, { status: 0, code: 'network_failed', cause: error });
    });
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  };
  const methods = Object.fromEntries(Object.entries(API).map(([name, endpoint]) => [name, async (given: Given<AnyEndpoint>) => {
    const answer = await send(pathOf(endpoint, given), requestOf(endpoint, given));
    return endpoint.answerType === undefined ? answer.json() : answer;
  }]));
  const follow: Client['follow'] = (sessionId, following = {}) => followEvents((path, init) => send(path, init), sessionId, following);
  // The table says what each method takes and gives; a type cannot be worked out of its entries one by one.
  return { ...methods, follow } as Client;
}

function pathOf({ path }: AnyEndpoint, given: Given<AnyEndpoint>): string {
  const parts: Readonly<Record<string, unknown>> = given;
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(parts[name]))).replace(/\*$/, () => (given.rest ?? '').split('/').map(encodeURIComponent).join('/'));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(isObject(given.query) ? given.query : {})) if (typeof value === 'string') query.set(name, value);
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

function requestOf({ method, bytes }: AnyEndpoint, { body, headers = {}, signal }: Given<AnyEndpoint>): RequestInit {
  const common = { method, ...(signal ? { signal } : {}) };
  if (method === 'GET') return { ...common, headers };
  if (isBytes(body)) return { ...common, body, headers: { 'content-type': bytes?.type ?? 'application/octet-stream', ...headers } };
  return { ...common, body: JSON.stringify(body ?? {}), headers: { 'content-type': 'application/json', ...headers } };
}

function isBytes(body: unknown): body is Blob | Uint8Array<ArrayBuffer> {
  return body instanceof Blob || body instanceof Uint8Array;
}

async function refusalOf(answer: Response): Promise<ServerError> {
  const body: unknown = await answer.json().catch(() => undefined);
  const { error, code } = isObject(body) ? body : {};
  return new ServerError(typeof error === 'string' ? error : `The server answered with ${answer.status}.`, { status: answer.status, code: typeof code === 'string' ? code : 'unknown' });
}
