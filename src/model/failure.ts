import type { ModelEvent, ModelFailure, ModelInfo } from './model.ts';
import { parseJson } from '../protocol/json.ts';
import { numberIn, objectIn, textIn } from './read-json.ts';

/** What a provider said of a failure, in whatever shape it said it. */
export interface ProviderError {
  readonly message: string;
  readonly status?: number;
  /** The provider's own word for it, such as `overloaded_error`. */
  readonly code?: string;
}

/** Statuses that the words of in-stream errors stand for; a stream has begun with 200, so the words are all there is. */
const STATUS_OF_CODE: readonly (readonly [RegExp, number])[] = [
  [/overloaded/, 529],
  [/rate_limit|too_many_requests/, 429],
  [/insufficient_quota|billing|payment/, 402],
  [/authentication|invalid_api_key|unauthorized/, 401],
  [/permission|forbidden/, 403],
  [/not_found/, 404],
  [/timeout/, 504],
  [/invalid_request|invalid_prompt|bad_request/, 400],
  [/server_error|api_error|internal|unavailable/, 500],
];

const OVERFLOW = /context[ _-]?(length|window|size|limit)|maximum context|model token limit|input tokens exceed|prompt (is )?too long|input (is )?too (long|large)|too many (input )?tokens|range of input length|exceed\w* (the )?(model'?s? )?(max\w* )?(number of |input )?tokens?\b|request_too_large/i;

const RETRYABLE = new Set([408, 409, 425, 429]);

/** Reads the error out of a body, an event or a part of one; every API and proxy nests it another way. */
export function readProviderError(value: unknown): ProviderError {
  if (Array.isArray(value)) return readProviderError(value[0]);
  const outer = objectIn(value);
  if (typeof outer['error'] === 'string') return { message: outer['error'], ...codeOf(outer) };
  const error = objectIn(outer['error'] ?? outer['base_resp'] ?? value);
  const message = textIn(error['message']) || textIn(error['status_msg']) || textIn(error['detail']) || textIn(outer['detail']) || textIn(outer['message']);
  return { message: message || JSON.stringify(value) || 'no reason given', ...codeOf(error) };
}

function codeOf(error: Readonly<Record<string, unknown>>): { readonly code?: string; readonly status?: number } {
  const named = [error['code'], error['type'], error['status']].find((word) => typeof word === 'string' && word !== '' && word !== 'error');
  const number = numberIn(error['code']) ?? numberIn(error['status']);
  const status = number !== undefined && number >= 400 && number < 600 ? number : undefined;
  return { ...(typeof named === 'string' ? { code: named } : {}), ...(status === undefined ? {} : { status }) };
}

/** Whether a body that came with status 200 is an error all the same. */
export function isErrorBody(value: unknown): boolean {
  const body = objectIn(Array.isArray(value) ? value[0] : value);
  const refused = numberIn(objectIn(body['base_resp'])['status_code']);
  return body['type'] === 'error' || (body['error'] !== undefined && body['error'] !== null) || (refused !== undefined && refused !== 0);
}

/** The text of an error body for people: the provider's own words, or the title of the page that came instead. */
export function readErrorBody(body: string): ProviderError {
  const value = parseJson(body);
  if (value !== undefined && value !== null && typeof value === 'object') return readProviderError(value);
  const title = /<title[^>]*>([^<]*)</i.exec(body)?.[1];
  if (title !== undefined || /^\s*</.test(body)) return { message: `an HTML page${title ? ` ("${title.trim()}")` : ''}` };
  return { message: body.trim() || 'no reason given' };
}

/**
 * The failure that a provider's error means. `streaming`: it came inside a reply, where an error of an unknown
 * kind may go away by itself.
 */
export function failureOf(error: ProviderError, info: ModelInfo, options: { readonly streaming: boolean; readonly retryAfterMs?: number }): ModelFailure {
  const status = error.status ?? STATUS_OF_CODE.find(([words]) => words.test(error.code ?? ''))?.[1];
  const more = { ...(status === undefined ? {} : { status }), ...(options.retryAfterMs === undefined ? {} : { retryAfterMs: options.retryAfterMs }) };
  const said = `${info.provider} answered${status === undefined ? ' with an error' : ` ${status}`}${error.code ? ` (${error.code})` : ''}: ${error.message}`;
  if (status === 413 || ((status === undefined || status === 400 || status === 422) && OVERFLOW.test(`${error.code ?? ''} ${error.message}`))) {
    return { kind: 'overflow', message: said, retryable: false, ...more };
  }
  if (status === 401 || status === 403) return { kind: 'auth', message: said, retryable: false, ...more };
  const quota = /insufficient_quota/.test(error.code ?? '');
  const retryable = status === undefined ? options.streaming : !quota && (RETRYABLE.has(status) || status >= 500);
  return { kind: status === undefined && options.streaming ? 'stream' : 'http', message: said, retryable, ...more };
}

/** The last event of a reply that the provider ended with an error. */
export function failedEvent(error: ProviderError, info: ModelInfo, options: { readonly streaming: boolean }): ModelEvent {
  return { type: 'failed', failure: failureOf(error, info, options) };
}

/** What `Retry-After` or `retry-after-ms` asks for, in ms from `now` (ms since 1970). */
export function retryAfterOf(headers: { get(name: string): string | null }, now: number): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const text = headers.get('retry-after')?.trim() ?? '';
  if (text === '') return undefined;
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
