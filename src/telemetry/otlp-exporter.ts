import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Fetch } from '../egress/http-fetch.ts';

const DEADLINE_MS = 10_000;

/** Where spans go. */
export interface OtlpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  /** Is told of spans that could not be delivered. They are dropped: turns never wait for them. */
  readonly onFault: (message: string) => void;
}

/** Sends spans as OTLP over HTTP in JSON, the way all requests to endpoints go: through the proxy of the environment, following no redirect. */
export function otlpExporter({ url, headers, fetch, onFault }: OtlpTarget): SpanExporter {
  const running = new Set<Promise<void>>();
  const send = async (spans: readonly ReadableSpan[]): Promise<void> => {
    const body = JsonTraceSerializer.serializeRequest([...spans]);
    if (!body) return;
    const answer = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: new TextDecoder().decode(body), redirect: 'error', signal: AbortSignal.timeout(DEADLINE_MS) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`it answered ${answer.status} ${text.slice(0, 200)}`.trim());
  };
  const deliver = async (spans: readonly ReadableSpan[], done: (result: ExportResult) => void): Promise<void> => {
    try {
      await send(spans);
    } catch (error) {
      onFault(`${spans.length} spans could not be sent to ${new URL(url).origin} and are dropped: ${error instanceof Error ? error.message : String(error)}`);
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
    shutdown: allSent,
  };
}
