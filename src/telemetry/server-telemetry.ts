import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
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

/** Resolves when a turn may run, to what is called once at its end; to nothing when the signal aborts first. */
type TakePlace = (signal: AbortSignal) => Promise<(() => void) | undefined>;

/** What a server tells of itself. */
export interface ServerTelemetry {
  /** Takes the events of all runtimes of the server. */
  readonly observe: (event: SessionEvent) => void;
  readonly request: (request: AnsweredRequest) => void;
  /** The same places; how many turns have one, and how many wait for one, is counted. */
  readonly places: (take: TakePlace) => TakePlace;
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
  new Gauge({ name: 'skillmint_build_info', help: 'Version of this program; the value is always 1.', labelNames: ['version'], registers: register }).set({ version: parts.version }, 1);
  const traces = openTraces(parts);
  const observers = [observeRuns(runMetrics(registry)), ...(traces ? [traces.observe] : [])];
  return {
    observe: (event) => observers.forEach((observe) => observe(event)),
    request({ method, path, status, tookMs }) {
      requests.inc({ method, path, status });
      time.observe({ method, path }, tookMs / 1_000);
    },
    places: countedPlaces(register),
    metrics: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    close: async () => traces?.close(),
  };
}

/** Counted by their places and not by events: a turn that another process has taken over tells nothing of its end. */
function countedPlaces(registers: Registry[]): ServerTelemetry['places'] {
  const running = new Gauge({ name: 'skillmint_turns_running', help: 'Turns that run in this process.', registers });
  const queued = new Gauge({ name: 'skillmint_turns_queued', help: 'Turns that wait in this process until fewer run.', registers });
  return (take) => async (signal) => {
    queued.inc();
    const leave = await take(signal).finally(() => queued.dec());
    if (!leave) return undefined;
    running.inc();
    return () => {
      running.dec();
      leave();
    };
  };
}
