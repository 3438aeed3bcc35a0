import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { messageOf } from '../protocol/errors.ts';
import type { Fetch } from '../egress/http-fetch.ts';

const DEADLINE_MS = 10_000;
/** A collector that is down is told of so often, ms; the first time at once. */
const TELL_MS = 60_000;

/** Where spans go. */
export interface OtlpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  /** Is told of spans that could not be delivered, at most once a minute and at the end. They are dropped: turns never wait for them. */
  readonly onFault: (message: string) => void;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
  /** ms. */
  readonly now: () => number;
}

/** Sends spans as OTLP over HTTP in JSON, the way all requests to endpoints go: through the proxy of the environment, following no redirect. */
export function otlpExporter({ url, headers, fetch, onFault, signal, now }: OtlpTarget): SpanExporter {
  const running = new Set<Promise<void>>();
  const send = async (spans: readonly ReadableSpan[]): Promise<void> => {
    const body = JsonTraceSerializer.serializeRequest([...spans]);
    if (!body) return;
    const answer = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: new TextDecoder().decode(body), redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`it answered ${answer.status} ${text.slice(0, 200)}`.trim());
  };
  let [dropped, why, toldAt] = [0, '', Number.NEGATIVE_INFINITY];
  const tell = (): void => {
    if (dropped === 0) return;
    onFault(`${dropped} spans could not be sent to ${new URL(url).origin} and are dropped: ${why}`);
    [dropped, toldAt] = [0, now()];
  };
  const deliver = async (spans: readonly ReadableSpan[], done: (result: ExportResult) => void): Promise<void> => {
    try {
      await send(spans);
    } catch (error) {
      dropped += spans.length;
      why = messageOf(error);
      if (now() - toldAt >= TELL_MS) tell();
      return done({ code: ExportResultCode.FAILED });
    }
    done({ code: ExportResultCode.SUCCESS });
  };
  const allSent = async (): Promise<void> => void (await Promise.all(running));
  return {
    export(spans, done) {
      const sending = deliver(spans, done).finally(() => running.delete(sending));
      running.add(sending);
    },
    forceFlush: allSent,
    async shutdown() {
      await allSent();
      tell();
    },
  };
}
