import type { ModelClock } from './clock.ts';
import type { Model, ModelEvent, ModelFailure, ModelReply, ModelRequest } from './model.ts';

/** Bounds over all tries of one reply. Times in ms. */
export interface RetryLimits {
  readonly tries: number;
  /** Tries that may end with a reply without text and calls. */
  readonly emptyTries: number;
  /** Tries that may end because the provider stood still. */
  readonly idleTries: number;
  /** After so long no new try begins, save the one after a provider that stood still: standing still may use up all of it. */
  readonly totalMs: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** The limits that hold unless others are given: 5 tries, 5 minutes. */
export const RETRY_LIMITS: RetryLimits = { tries: 5, emptyTries: 2, idleTries: 2, totalMs: 300_000, firstWaitMs: 500, longestWaitMs: 30_000 };

/** What retries need. */
export interface RetryOptions {
  readonly clock: ModelClock;
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number;
  readonly limits?: Partial<RetryLimits>;
}

interface Tally {
  readonly began: number;
  tries: number;
  empty: number;
  idle: number;
}

/**
 * The same model, asked again when a try fails in a way that may go away by itself, or when the reply holds
 * neither text nor calls. Waits grow from try to try, with jitter; what the provider asks to wait is waited.
 * A `retry` event comes before each wait.
 */
export function withRetry(model: Model, options: RetryOptions): Model {
  return { info: model.info, stream: (request, signal) => tries(model, { request, signal, options }) };
}

interface Call {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly options: RetryOptions;
}

async function* tries(model: Model, { request, signal, options }: Call): AsyncGenerator<ModelEvent> {
  const { clock } = options;
  const limits = { ...RETRY_LIMITS, ...options.limits };
  const tally: Tally = { began: clock.now(), tries: 0, empty: 0, idle: 0 };
  for (;;) {
    const failure = yield* oneTry(model, request, signal);
    if (!failure) return;
    tally.tries += 1;
    if (failure.kind === 'empty') tally.empty += 1;
    if (failure.idle) tally.idle += 1;
    const waitMs = waitAfter(failure, tally.tries, { limits, random: options.random });
    const late = clock.now() + waitMs - tally.began > limits.totalMs;
    if (!failure.retryable || isSpent(tally, limits) || (late && !failure.idle)) {
      yield { type: 'failed', failure: { ...failure, message: failure.message + epilogue(failure, tally) } };
      return;
    }
    yield { type: 'retry', attempt: tally.tries, status: String(failure.status ?? failure.kind), waitMs };
    await clock.sleep(waitMs, signal);
  }
}

/** Passes one try on. Gives its failure, and nothing after a reply that was passed on as `done`. */
async function* oneTry(model: Model, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  const { provider } = model.info;
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'failed') return event.failure;
    if (event.type === 'done' && isEmpty(event.reply)) {
      return { kind: 'empty', message: `${provider} gave a reply without text and without tool calls.`, retryable: true };
    }
    yield event;
    if (event.type === 'done') return undefined;
  }
  return { kind: 'stream', message: `The stream of ${provider} ended without a result.`, retryable: true };
}

/** A refusal is an answer, even without words. */
function isEmpty({ content, stop }: ModelReply): boolean {
  return stop !== 'refusal' && !content.some((part) => part.type === 'tool_call' || (part.type === 'text' && part.text.trim() !== ''));
}

function isSpent(tally: Tally, limits: RetryLimits): boolean {
  return tally.tries >= limits.tries || tally.empty >= limits.emptyTries || tally.idle >= limits.idleTries;
}

function epilogue({ kind, retryAfterMs }: ModelFailure, { tries }: Tally): string {
  const tried = tries > 1 && kind !== 'aborted' ? ` (after ${tries} tries)` : '';
  return retryAfterMs === undefined ? tried : `${tried} It asks to wait ${Math.ceil(retryAfterMs / 1_000)} s.`;
}

/** Between half and the whole of a wait that doubles from try to try; never less than what the provider asks for. */
function waitAfter(failure: ModelFailure, tries: number, { limits, random }: { readonly limits: RetryLimits; readonly random: () => number }): number {
  const full = Math.min(limits.longestWaitMs, limits.firstWaitMs * 2 ** (tries - 1));
  return Math.max(Math.round(full * (0.5 + random() / 2)), Math.ceil(failure.retryAfterMs ?? 0));
}
