import type { ModelClock } from './clock.ts';
import type { ModelFailure } from './model.ts';

/** Bounds of one attempt. Times in ms. */
export interface StreamLimits {
  /** Without a single byte. */
  readonly idleMs: number;
  /** With pings and comments alone. */
  readonly pingsMs: number;
  /** From the first byte sent to the last one received. */
  readonly totalMs: number;
  /** Of the reply, decompressed. */
  readonly maxBytes: number;
}

/** The limits that hold unless others are given: a minute of silence, 5 of pings, 10 in all, 16 MiB. */
export const STREAM_LIMITS: StreamLimits = { idleMs: 60_000, pingsMs: 300_000, totalMs: 600_000, maxBytes: 16 * 1024 * 1024 };

/** Ends an attempt that stands still or takes too long. */
export interface Watchdog {
  /** Aborts when the caller aborts or a limit is reached. */
  readonly signal: AbortSignal;
  /** Resolves when the signal aborts; one for all that is awaited in an attempt. */
  readonly ended: Promise<{ readonly ok: false; readonly error: unknown }>;
  sawBytes(): void;
  sawEvent(): void;
  /** Why the signal aborted; `undefined` as long as it has not. */
  failure(): ModelFailure | undefined;
  stop(): Promise<void>;
}

/** Watches one attempt from now on; `stop` must be called at its end. */
export function startWatchdog(options: { readonly clock: ModelClock; readonly limits: StreamLimits; readonly signal: AbortSignal; readonly provider: string }): Watchdog {
  const { clock, limits, signal, provider } = options;
  const attempt = new AbortController();
  const began = clock.now();
  let lastByte = began;
  let lastEvent = began;
  let expired: ModelFailure | undefined;
  const ended = new Promise<{ readonly ok: false; readonly error: unknown }>((resolve) => {
    attempt.signal.addEventListener('abort', () => resolve({ ok: false, error: attempt.signal.reason }), { once: true });
  });
  const end = (): void => attempt.abort('ended');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();

  const due = (): { readonly at: number; readonly failure: ModelFailure } =>
    [
      { at: lastByte + limits.idleMs, failure: idle(`${provider} sent nothing for ${seconds(limits.idleMs)}`) },
      { at: lastEvent + limits.pingsMs, failure: idle(`${provider} sent nothing but pings for ${seconds(limits.pingsMs)}`) },
      { at: began + limits.totalMs, failure: tooLong(`${provider} took longer than ${seconds(limits.totalMs)} for one reply`) },
    ].reduce((first, other) => (other.at < first.at ? other : first));

  const watching = (async () => {
    while (!attempt.signal.aborted) {
      const next = due();
      const wait = next.at - clock.now();
      if (wait > 0) {
        await clock.sleep(wait, attempt.signal);
      } else {
        expired = next.failure;
        end();
      }
    }
  })();

  return {
    signal: attempt.signal,
    ended,
    sawBytes: () => { lastByte = clock.now(); },
    sawEvent: () => { lastEvent = clock.now(); },
    failure: () => (signal.aborted ? ABORTED : expired),
    stop: async () => {
      signal.removeEventListener('abort', end);
      end();
      await watching;
    },
  };
}

const ABORTED: ModelFailure = { kind: 'aborted', message: 'The model call was stopped.', retryable: false };

function idle(message: string): ModelFailure {
  return { kind: 'stream', message, retryable: true, idle: true };
}

function tooLong(message: string): ModelFailure {
  return { kind: 'stream', message, retryable: true };
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`;
}
