import { isIP } from 'node:net';
import { addressProblem } from '../egress/address-check.ts';
import { createEgressGuard } from '../egress/egress-guard.ts';
import type { GuardedResponse } from '../egress/guarded-fetch.ts';
import type { ServerDefinition } from './definition.ts';
import { MOST_MESSAGE } from './stdio-transport.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Headers of answers that the protocol and its authorisation speak of. */
const HEADERS = ['content-type', 'location', 'mcp-protocol-version', 'mcp-session-id', 'retry-after', 'www-authenticate'] as const;
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

type HttpServer = Extract<ServerDefinition, { kind: 'http' }>;

/** What the way to a server is made of. */
export interface HttpWayParts {
  readonly definition: HttpServer;
  /** The setting `network.allow`. */
  readonly allow: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A message was larger than one may be. */
  readonly onTooLarge: () => void;
  /** ms that an answer may take which is no stream of notices; left out, as long as calls take. */
  readonly answerMs?: number;
  /** Ends all requests. */
  readonly signal?: AbortSignal;
}

/**
 * A `fetch` for the library that goes through the guard of the network. An address on this machine or in a private network
 * that the definition itself names was named by the person, and counts as listed for this server alone.
 */
export function httpWay({ definition, allow, env, onTooLarge, answerMs, signal }: HttpWayParts): typeof fetch {
  const guard = createEgressGuard({ allow: [...allow, ...namedAddress(definition.url)], env });
  return async (input, init = {}) => {
    const method = (init.method ?? 'GET').toUpperCase();
    const headers = new Headers(init.headers);
    // Metadata of logins are fetched with GET, too.
    const isStream = (method === 'GET' && headers.get('accept')?.includes('text/event-stream')) || headers.get('mcp-method') === 'subscriptions/listen';
    const signals = [init.signal, signal].filter((one) => one !== undefined && one !== null);
    const response = await guard.fetch(typeof input === 'string' ? input : input instanceof URL ? input.href : input.url, {
      method,
      headers: Object.fromEntries(headers),
      ...(init.body === undefined || init.body === null ? {} : { body: bodyText(init.body) }),
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
      redirect: () => Promise.resolve(undefined),
      plainHttp: 'listed',
      // Calls have limits of their own; a stream of notices stays open as long as the server does.
      limits: { bodyBytes: Number.MAX_SAFE_INTEGER, totalMs: isStream ? DAY_MS : answerMs ?? Math.max(10 * definition.callMs, 60_000), idleMs: isStream ? DAY_MS : answerMs ?? Math.max(2 * definition.callMs, 60_000) },
    });
    return answerOf(response, onTooLarge);
  };
}

function bodyText(body: NonNullable<RequestInit['body']>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('a request to an MCP server has a body of text');
}

function answerOf(response: GuardedResponse, onTooLarge: () => void): Response {
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  if (WITHOUT_BODY.has(response.status)) {
    response.cancel();
    return new Response(null, { status: response.status === 101 ? 502 : response.status, headers });
  }
  return new Response(bounded(response, onTooLarge), { status: response.status, headers });
}

function bounded(response: GuardedResponse, onTooLarge: () => void): ReadableStream<Uint8Array> {
  const chunks = response.body[Symbol.asyncIterator]();
  const isEvents = response.headers.get('content-type')?.includes('text/event-stream') === true;
  const measure = isEvents ? eventMeter() : byteMeter();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) return controller.close();
      if (measure(next.value) <= MOST_MESSAGE) return controller.enqueue(next.value);
      response.cancel();
      controller.error(new Error(TOO_LARGE));
      onTooLarge();
    },
    cancel: () => response.cancel(),
  });
}

/** Bytes so far. */
function byteMeter(): (chunk: Uint8Array) => number {
  let bytes = 0;
  return (chunk) => (bytes += chunk.length);
}

/** Bytes of the event that is under way: a stream may last for a day, and each of its events is a message. Events end with an empty line. */
function eventMeter(): (chunk: Uint8Array) => number {
  let bytes = 0;
  let tail: Uint8Array = Buffer.alloc(0);
  return (chunk) => {
    const seen = Buffer.concat([tail, chunk]);
    const end = Math.max(seen.lastIndexOf('\n\n'), seen.lastIndexOf('\r\r'), seen.lastIndexOf('\r\n\r\n'));
    bytes = end < 0 ? bytes + chunk.length : seen.length - end;
    tail = seen.subarray(-3);
    return bytes;
  };
}

/** Why a connection is given up whose server sends too much. */
export const TOO_LARGE = `the answer is larger than ${MOST_MESSAGE / 1024 / 1024} MiB and was dropped; ask for less at once`;

/** Where clouds hand out credentials is never meant by naming a server. */
function namedAddress(address: string): readonly string[] {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isLocal = isIP(host) === 0 ? host === 'localhost' || host.endsWith('.localhost') : addressProblem(host)?.literalOnly === false;
  return isLocal ? [`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`] : [];
}
