import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { SessionEvent } from '../protocol/events.ts';
import { observeRuns } from './observed-runs.ts';
import { openTraces, type TracesParts } from './open-traces.ts';
import { runMetrics } from './run-metrics.ts';

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path as the document of the API has it, with the names of its parts. */
  readonly path: string;
  readonly status: number;
  /** From the request to the beginning of the answer, ms. */
  readonly tookMs: number;
}

/** What a server tells of itself. */
export interface ServerTelemetry {
  /** Takes the events of all runtimes of the server. */
  readonly observe: (event: SessionEvent) => void;
  readonly request: (request: AnsweredRequest) => void;
  /** The metrics in the text form of Prometheus. */
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  /** Sends what is left of traces. */
  readonly close: () => Promise<void>;
}

/** Opens metrics, and traces where the environment asks for them. @throws SkillmintError config_invalid */
export function openServerTelemetry(parts: TracesParts): ServerTelemetry {
  const registry = new Registry();
  const register = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({ name: 'skillmint_http_requests_total', help: 'Requests that were answered, by path of the API and status.', labelNames: ['method', 'path', 'status'], registers: register });
  const time = new Histogram({ name: 'skillmint_http_request_duration_seconds', help: 'Time from a request to the beginning of its answer.', labelNames: ['method', 'path'], registers: register });
  const traces = openTraces(parts);
  const observers = [observeRuns(runMetrics(registry)), ...(traces ? [traces.observe] : [])];
  return {
    observe: (event) => observers.forEach((observe) => observe(event)),
    request({ method, path, status, tookMs }) {
      requests.inc({ method, path, status });
      time.observe({ method, path }, tookMs / 1_000);
    },
    metrics: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    close: async () => traces?.close(),
  };
}
