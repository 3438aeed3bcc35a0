import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { SessionEvent } from '../protocol/events.ts';
import type { Fetch } from '../egress/http-fetch.ts';
import { otlpExporter } from './otlp-exporter.ts';
import { observeRuns } from './observed-runs.ts';
import { runSpans } from './run-spans.ts';
import { tracesTarget, type Env } from './traces-target.ts';

/** Spans that are being written. */
export interface Traces {
  /** Takes each event of a runtime's own sessions in order. */
  readonly observe: (event: SessionEvent) => void;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

/** What traces are opened with. */
export interface TracesParts {
  readonly env: Env;
  readonly version: string;
  readonly fetch: Fetch;
  /** Is told, in a sentence, of what could not be sent. */
  readonly onFault: (message: string) => void;
}

/** The end of the program waits so long for a collector, ms. */
const LAST_MS = 3_000;

/** Opens traces where the standard variables of OpenTelemetry ask for them. @throws SkillmintError config_invalid where one of them makes no sense */
export function openTraces({ env, version, fetch, onFault }: TracesParts): Traces | undefined {
  const target = tracesTarget(env);
  if (!target) return undefined;
  const given = new AbortController();
  const exporter = otlpExporter({ ...target, fetch, onFault, signal: given.signal, now: () => performance.now() });
  const resource = resourceFromAttributes({ 'service.name': 'skillmint', 'service.version': version, ...target.resource });
  const provider = new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const close = async (): Promise<void> => {
    const late = setTimeout(() => given.abort(new Error(`it did not take them within ${LAST_MS / 1_000} s at the end`)), LAST_MS);
    await provider.shutdown().catch(told);
    clearTimeout(late);
  };
  return { observe: observeRuns(runSpans(provider.getTracer('skillmint', version))), close };
}

/** The provider rejects when spans were left that could not be sent, which the exporter has told of. */
function told(): void {}
