import { SkillmintError } from '../protocol/errors.ts';
import { checkTarget, type EgressRules, type PlainHttp } from './check-target.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { displayUrl } from './display-url.ts';
import { EGRESS_LIMITS, type EgressLimits } from './egress-limits.ts';
import type { Exchange, WireAnswer } from './exchange.ts';
import { ACCEPTED_ENCODINGS, type BodyReading, readBody } from './read-body.ts';

/** A request. */
export interface GuardedRequest {
  /** `GET` unless told. */
  readonly method?: string;
  /** Sent to this origin; after a redirect to another one only those that cannot be a credential. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<EgressLimits>;
  /** Anywhere unless told. */
  readonly plainHttp?: PlainHttp;
  /** Whether the body is decoded (unless told) or kept as it was sent, as a file that is packed already. */
  readonly encoding?: BodyReading['encoding'];
  /**
   * Decides where a redirect leads on, before the guard checks that address like any other; undefined makes the redirect
   * itself the answer. Redirects are followed as they stand unless given.
   */
  readonly redirect?: (hop: { readonly from: URL; readonly to: URL }) => Promise<URL | undefined>;
}

/** An answer; `url` is the address after all redirects. */
export interface GuardedResponse {
  readonly url: string;
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** To be read once. Throws `network_failed` when a limit or a fault ends it. Whoever does not read to the end calls `cancel`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body as text in UTF-8. Same errors. */
  text(): Promise<string>;
  cancel(): void;
}

/**
 * A `fetch` that leaves the machine only for addresses that the guard lets pass, redirects included (at most 5).
 * Throws `egress_refused`, `network_failed` and, when the signal stops it, `interrupted`.
 */
export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<GuardedResponse>;

/** What the fetch works with. */
export interface FetchParts {
  readonly rules: EgressRules;
  readonly exchange: Exchange;
  /** Take the place of Node's certificates. */
  readonly ca?: readonly string[] | undefined;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What says nothing about who asks; everything else may be a credential. */
const KEPT_HEADERS = new Set(['accept', 'accept-encoding', 'accept-language', 'content-type', 'user-agent']);

interface Step {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface Journey {
  readonly first: Step;
  readonly request: GuardedRequest;
  readonly deadline: Deadline;
}

/** Makes the guarded fetch. */
export function guardedFetch(parts: FetchParts): GuardedFetch {
  return async (url, request = {}) => {
    const limits = { ...EGRESS_LIMITS, ...request.limits };
    const what = URL.canParse(url) ? displayUrl(new URL(url)) : 'the address';
    const deadline = startDeadline({ what, totalMs: limits.totalMs, idleMs: limits.idleMs, signal: request.signal });
    try {
      const { step, answer } = await follow(parts, { request, deadline, first: firstStep(url, request) });
      return response(answer, { url: new URL(step.url), encoding: request.encoding ?? 'decode', bodyBytes: limits.bodyBytes, deadline });
    } catch (error) {
      deadline.stop();
      throw error;
    }
  };
}

function firstStep(url: string, { method = 'GET', headers = {}, body, encoding }: GuardedRequest): Step {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const accepted = encoding === 'keep' ? 'identity' : ACCEPTED_ENCODINGS;
  const sized = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return { url, method: method.toUpperCase(), headers: { 'user-agent': 'skillmint', accept: '*/*', ...Object.fromEntries(own), ...sized, 'accept-encoding': accepted }, body };
}

async function follow(parts: FetchParts, { request, deadline, first }: Journey): Promise<{ readonly step: Step; readonly answer: WireAnswer }> {
  let step = first;
  for (let redirects = 0; ; redirects++) {
    const target = await withSignal(checkTarget(step.url, parts.rules, { plainHttp: request.plainHttp ?? 'anywhere' }), deadline.signal);
    const { method, headers, body } = step;
    const answer = await parts.exchange(target, { method, headers, ...(body === undefined ? {} : { body }), ca: parts.ca, signal: deadline.signal });
    deadline.touch();
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.statusCode ?? 0) || location === undefined) return { step, answer };
    const chosen = await chooseNext(step, location, request).catch((error: unknown) => {
      answer.destroy();
      throw error;
    });
    if (chosen === undefined) return { step, answer };
    answer.destroy();
    if (redirects === MAX_REDIRECTS) throw new SkillmintError('network_failed', `${displayUrl(new URL(first.url))} redirects more than ${MAX_REDIRECTS} times. Give the address that it leads to.`);
    step = nextStep(step, { to: chosen, status: answer.statusCode ?? 0 });
  }
}

async function chooseNext(step: Step, location: string, { redirect }: GuardedRequest): Promise<URL | undefined> {
  const to = redirectTarget(step, location);
  return redirect ? redirect({ from: new URL(step.url), to }) : to;
}

function redirectTarget(step: Step, location: string): URL {
  const from = new URL(step.url);
  if (!URL.canParse(location, from.href)) throw new SkillmintError('network_failed', `${displayUrl(from)} redirects to something that is no address.`);
  const to = new URL(location, from);
  if (to.hash === '') to.hash = from.hash;
  return to;
}

function nextStep(step: Step, { to, status }: { readonly to: URL; readonly status: number }): Step {
  const from = new URL(step.url);
  const asGet = status === 303 ? step.method !== 'HEAD' : status < 303 && step.method === 'POST';
  const kept = Object.entries(step.headers).filter(([name]) => (to.origin === from.origin || KEPT_HEADERS.has(name)) && !(asGet && name.startsWith('content-')));
  return { url: to.href, method: asGet ? 'GET' : step.method, headers: Object.fromEntries(kept), body: asGet ? undefined : step.body };
}

/** A look-up cannot be stopped, but nobody has to wait for it. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function response(answer: WireAnswer, reading: BodyReading): GuardedResponse {
  const status = answer.statusCode ?? 0;
  const body = readBody(answer, reading);
  return {
    url: reading.url.href,
    ok: status >= 200 && status < 300,
    status,
    headers: {
      get: (name) => {
        const value = answer.headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      },
    },
    body,
    text: async () => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      return new TextDecoder().decode(Buffer.concat(chunks));
    },
    cancel: () => {
      answer.destroy();
      reading.deadline.stop();
    },
  };
}
