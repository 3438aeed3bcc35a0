import type { BodyReader, Fetch, FetchInit, FetchResponse } from '../egress/http-fetch.ts';
import type { ModelClock } from './clock.ts';
import { failureOf, isErrorBody, readErrorBody, readProviderError, retryAfterOf } from './failure.ts';
import { masker } from './masking.ts';
import type { Model, ModelEvent, ModelFailure, ModelRequest } from './model.ts';
import { parseJson } from '../protocol/json.ts';
import { frameDecoder, type Frame } from './sse.ts';
import { callIdsOf } from './tool-call.ts';
import { startWatchdog, type StreamLimits, type Watchdog } from './watchdog.ts';
import { END_MARK, type ReplyReader, type WireFormat, type WireTarget } from './wire.ts';

/** Everything that a model behind HTTP needs. */
export interface HttpModelOptions {
  readonly target: WireTarget;
  /** Loads the wire format, once a request is made. */
  readonly loadWire: () => Promise<WireFormat>;
  readonly key: string | undefined;
  /** What to check when the key is refused, for example `ANTHROPIC_API_KEY`. */
  readonly keyHint: string;
  /** Sent beside the format's own headers and after them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly clock: ModelClock;
  readonly ids: () => string;
  readonly limits: StreamLimits;
}

const MAX_ERROR_BYTES = 65_536;
const DRAIN_MS = 100;

/** A header of the settings may hold a credential; shorter values are ordinary words. */
const SECRET_HEADER_LENGTH = 12;

/** A model behind HTTP. Each `stream` is one attempt; `withRetry` makes more of it. */
export function httpModel(options: HttpModelOptions): Model {
  const mask = masker([options.key ?? '', ...Object.values(options.headers).filter((value) => value.length >= SECRET_HEADER_LENGTH)]);
  return {
    info: options.target.info,
    stream: async function* (request, signal) {
      const watchdog = startWatchdog({ clock: options.clock, limits: options.limits, signal, provider: options.target.info.provider });
      try {
        for await (const event of attempt(options, request, watchdog)) {
          yield event.type === 'failed' ? { type: 'failed', failure: { ...event.failure, message: mask(event.failure.message) } } : event;
        }
      } finally {
        await watchdog.stop();
      }
    },
  };
}

async function* attempt(options: HttpModelOptions, request: ModelRequest, watchdog: Watchdog): AsyncGenerator<ModelEvent> {
  const wire = await options.loadWire();
  const answer = await ask({ ...options, wire }, request, watchdog);
  if ('failure' in answer) {
    yield { type: 'failed', failure: answer.failure };
    return;
  }
  const { info } = options.target;
  const read = wire.reader({ info, ids: options.ids, taken: callIdsOf(request) });
  yield* reply(options, answer.body, { read, watchdog });
}

type Answer = { readonly body: BodyReader } | { readonly failure: ModelFailure };

/** Sends the request. Redirects are not followed, as the key would go along. */
async function ask(options: HttpModelOptions & { readonly wire: WireFormat }, request: ModelRequest, watchdog: Watchdog): Promise<Answer> {
  const { target, wire, key, fetch } = options;
  const url = wire.url(target.baseUrl);
  const init: FetchInit = {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'user-agent': 'skillmint', ...wire.headers(target, key), ...options.headers },
    body: JSON.stringify(wire.body(request, target)),
    signal: watchdog.signal,
  };
  const response = await settle(() => fetch(url, init), watchdog);
  if (!response.ok) return { failure: watchdog.failure() ?? unreachable(url, response.error) };
  watchdog.sawBytes();
  return judge(options, response.value, watchdog);
}

/** Whether the answer is a stream of events, and else what it says. */
async function judge(options: HttpModelOptions, response: FetchResponse, watchdog: Watchdog): Promise<Answer> {
  const { provider } = options.target.info;
  const body = response.body?.getReader();
  const type = response.headers.get('content-type') ?? '';
  if (response.status >= 300 && response.status < 400) {
    await body?.cancel();
    const to = response.headers.get('location') ?? 'another address';
    return { failure: { kind: 'bad_response', message: `${provider} redirects to ${to}. This is not followed, so that the key stays with its host: set the base URL to where the API is.`, retryable: false, status: response.status } };
  }
  if (response.ok && body && !/html|json/i.test(type)) return { body };
  const text = await settle(() => readText(body, watchdog), watchdog);
  if (!text.ok) return { failure: watchdog.failure() ?? cut(provider) };
  return { failure: response.ok ? notAStream(options, text.value) : refused(options, response, text.value) };
}

function refused({ target: { info }, clock, keyHint }: HttpModelOptions, response: FetchResponse, text: string): ModelFailure {
  const retryAfterMs = retryAfterOf(response.headers, clock.now());
  const error = { ...readErrorBody(text), status: response.status };
  const failure = failureOf(error, info, { streaming: false, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  const advice = response.status === 401 || response.status === 403 ? ` Check ${keyHint}.` : response.status === 404 ? ` Check the model "${info.id}" and the base URL.` : '';
  return { ...failure, message: withAdvice(failure.message, advice) };
}

/** The advice stands first where a long answer would push it out of sight. */
function withAdvice(message: string, advice: string): string {
  return message.length > 200 && advice !== '' ? `${advice.trim()} ${message}` : message + advice;
}

function notAStream({ target: { info } }: HttpModelOptions, text: string): ModelFailure {
  const value = parseJson(text);
  if (isErrorBody(value)) return failureOf(readProviderError(value), info, { streaming: false });
  const what = value === undefined ? readErrorBody(text).message : 'a reply that is not streamed';
  return { kind: 'bad_response', message: `${info.provider} answered with ${what} instead of a stream of events. Check the base URL.`, retryable: false, status: 200 };
}

interface Reading {
  readonly read: ReplyReader;
  readonly watchdog: Watchdog;
}

/** Reads the stream to its end event. Whatever comes short of it is a failure, never a reply. */
async function* reply(options: HttpModelOptions, body: BodyReader, { read, watchdog }: Reading): AsyncGenerator<ModelEvent> {
  const { provider } = options.target.info;
  const decoder = frameDecoder(options.limits);
  let events = 0;
  for (let ended = false; !ended; ) {
    const chunk = await settle(() => body.read(), watchdog);
    if (!chunk.ok) return yield failed(watchdog.failure() ?? cut(provider));
    watchdog.sawBytes();
    ended = chunk.value.done;
    for (const frame of chunk.value.done ? decoder.end() : decoder.push(chunk.value.value)) {
      if (frame.kind === 'broken') return yield failed(events === 0 ? unlikeEvents(options, decoder.start(), frame) : broken(provider, frame.why));
      events += 1;
      if (frame.event === END_MARK || frame.event['type'] !== 'ping') watchdog.sawEvent();
      for (const event of read(frame.event)) {
        if (event.type === 'done') await drain(body, options.clock);
        yield event;
        if (event.type === 'done' || event.type === 'failed') return;
      }
    }
  }
  yield failed(events === 0 ? unlikeEvents(options, decoder.start(), undefined) : cut(provider));
}

/** A stream without a single event: an error as plain JSON, a page of a proxy, or nothing. */
function unlikeEvents(options: HttpModelOptions, start: string, frame: Extract<Frame, { kind: 'broken' }> | undefined): ModelFailure {
  const { provider } = options.target.info;
  if (/^\s*[<{[]/.test(start)) return notAStream(options, start);
  return frame ? broken(provider, frame.why) : cut(provider);
}

/** Lets the server end the answer by itself, so that the connection serves the next request too. */
async function drain(body: BodyReader, clock: ModelClock): Promise<void> {
  const over = new AbortController();
  const rest = (async () => { while (!(await body.read()).done) if (over.signal.aborted) return; })();
  await Promise.race([rest.catch(() => undefined), clock.sleep(DRAIN_MS, over.signal)]);
  over.abort('over');
}

async function readText(body: BodyReader | undefined, watchdog: Watchdog): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; body && bytes < MAX_ERROR_BYTES; ) {
    const { done, value } = await body.read();
    if (done) break;
    watchdog.sawBytes();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await body?.cancel();
  return text;
}

type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** What became of the work: its value, what it threw, or the watchdog's end, even if the work itself goes on. */
async function settle<T>(work: () => Promise<T>, { signal, ended }: Watchdog): Promise<Settled<T>> {
  if (signal.aborted) return ended;
  return Promise.race([work().then((value): Settled<T> => ({ ok: true, value }), (error: unknown): Settled<T> => ({ ok: false, error })), ended]);
}

function failed(failure: ModelFailure): ModelEvent {
  return { type: 'failed', failure };
}

function cut(provider: string): ModelFailure {
  return { kind: 'stream', message: `The reply of ${provider} was cut before its end.`, retryable: true };
}

function broken(provider: string, why: string): ModelFailure {
  return { kind: 'stream', message: `The reply of ${provider} cannot be read: ${why}.`, retryable: !why.startsWith('it is larger') };
}

/** The system's own reason lies below the error of `fetch`. */
function unreachable(url: string, error: unknown): ModelFailure {
  const { host } = new URL(url);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return { kind: 'network', message: `Cannot reach ${host}: ${reason}. Check the connection and the base URL.`, retryable: true };
}
