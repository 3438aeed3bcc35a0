import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { observeRuns } from '../../src/telemetry/observed-runs.ts';
import { otlpExporter } from '../../src/telemetry/otlp-exporter.ts';
import { runMetrics } from '../../src/telemetry/run-metrics.ts';

const USAGE = { input: 1, output: 1, cache_read: 0, cache_write: 0 };

/** Metrics after these events of a session, by their lines. */
async function metricsAfter(events: readonly object[]): Promise<(line: string) => string | undefined> {
  const registry = new Registry();
  const observe = observeRuns(runMetrics(registry));
  events.forEach((event, seq) => observe({ session_id: 'ses_1', seq, time: new Date(1_000 * seq).toISOString(), ...event } as SessionEvent)); // each row is a whole event without its place
  const text = await registry.metrics();
  return (line) => text.split('\n').find((each) => each.startsWith(`${line} `))?.slice(line.length + 1);
}

const STARTED = { type: 'turn.started', turn_id: 'turn_1', input: [] };
const ended = (status: string): object => ({ type: 'turn.completed', turn_id: 'turn_1', status, usage: USAGE, text: '' });

it('a call that waited for a person is counted when it has run', async () => {
  const value = await metricsAfter([
    STARTED, { type: 'tool.requested', call_id: 'c1', tool: 'Bash', input: {} }, ended('waiting'),
    { type: 'permission.resolved', request_id: 'r1', decision: 'allow', scope: 'once' }, { type: 'tool.started', call_id: 'c1' }, { type: 'tool.completed', call_id: 'c1', status: 'ok', output: [] }, ended('done'),
  ]);
  expect([value('skillmint_tool_calls_total{tool="Bash",status="ok"}'), value('skillmint_tool_call_duration_seconds_sum{tool="Bash"}')]).toEqual(['1', '1']);
  expect([value('skillmint_turns_total{status="waiting"}'), value('skillmint_turns_total{status="done"}'), value('skillmint_turns_total{status="failed"}')]).toEqual(['1', '1', '0']);
});

it('a turn that another process has taken over is told as lost once the session is seen again', async () => {
  const value = await metricsAfter([STARTED, { ...STARTED, turn_id: 'turn_2' }, ended('done')]);
  expect([value('skillmint_turns_total{status="lost"}'), value('skillmint_turns_total{status="done"}')]).toEqual(['1', '1']);
});

it('names of models are bounded', async () => {
  const replies = Array.from({ length: 150 }, (_, i) => ({ type: 'message.completed', role: 'assistant', content: [], usage: USAGE, model: `own/m${i}` }));
  const value = await metricsAfter([STARTED, ...replies, ended('done')]);
  expect([value('skillmint_model_call_duration_seconds_count{model="own/m99"}'), value('skillmint_model_call_duration_seconds_count{model="own/m100"}'), value('skillmint_model_call_duration_seconds_count{model="other"}')]).toEqual(['1', undefined, '50']);
});

it('a collector that is down is told of at once, then once a minute and at the end', async () => {
  const told: string[] = [];
  let now = 0;
  const exporter = otlpExporter({ url: 'http://collector.example/v1/traces', headers: {}, fetch: async () => { throw new Error('refused'); }, onFault: (message) => void told.push(message), signal: new AbortController().signal, now: () => now });
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const send = async (at: number): Promise<void> => {
    now = at;
    provider.getTracer('test').startSpan('a').end();
    await provider.forceFlush().catch(() => undefined);
  };
  for (const at of [0, 10_000, 59_000, 61_000, 62_000]) await send(at);
  expect(told).toEqual(['1 spans could not be sent to http://collector.example and are dropped: refused', '3 spans could not be sent to http://collector.example and are dropped: refused']);
  await provider.shutdown().catch(() => undefined);
  expect(told.at(-1)).toMatch(/^1 spans/);
});
