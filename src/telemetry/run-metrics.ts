import { Counter, Histogram, type Registry } from 'prom-client';
import { isBuiltInTool } from '../protocol/tool-names.ts';
import type { SessionEvent } from '../protocol/events.ts';
import type { ModelCall, RunEnd, RunListener, ToolRun } from './observed-runs.ts';

/** From a quick reply to an hour, in seconds. */
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600];

const ENDS = ['done', 'waiting', 'failed', 'limit', 'cancelled', 'lost'] as const satisfies readonly RunEnd['status'][];

/** Whoever brings an endpoint of their own can name models as they like: further ones are told together. */
const MOST_MODELS = 100;

/** Counts what turns do. Labels are bounded: no session, no person, no skill and no name of a server's own stands in them. */
export function runMetrics(registry: Registry): RunListener {
  const registers = [registry];
  const turns = new Counter({ name: 'skillmint_turns_total', help: 'Runs of turns by how they ended; one that waited for a person ends as waiting and counts again when it goes on.', labelNames: ['status'], registers });
  // A rate needs the step from nothing to one.
  for (const status of ENDS) turns.inc({ status }, 0);
  const turnTime = new Histogram({ name: 'skillmint_turn_duration_seconds', help: 'Time that a run of a turn took.', labelNames: ['status'], buckets: SECONDS, registers });
  const cost = new Counter({ name: 'skillmint_cost_usd_total', help: 'Cost of turns in USD, where prices of models are set.', registers });
  const models = modelMetrics(registers);
  const tools = toolMetrics(registers);
  const others = eventMetrics(registers);
  return {
    onBegin: () => undefined,
    onModelCall: (_run, call) => models(call),
    onToolRun: (_run, call) => tools(call),
    onEvent: (_run, event) => others(event),
    onEnd(run, { status, endedAt, costUsd }) {
      turns.inc({ status });
      turnTime.observe({ status }, seconds(endedAt - run.startedAt));
      if (costUsd !== undefined) cost.inc(costUsd);
    },
  };
}

function modelMetrics(registers: Registry[]): (call: ModelCall) => void {
  const time = new Histogram({ name: 'skillmint_model_call_duration_seconds', help: 'Time from the request to the end of an answer of a model.', labelNames: ['model'], buckets: SECONDS, registers });
  const first = new Histogram({ name: 'skillmint_model_first_token_seconds', help: 'Time from the request to the first word of an answer.', labelNames: ['model'], buckets: SECONDS, registers });
  const tokens = new Counter({ name: 'skillmint_model_tokens_total', help: 'Tokens by kind: input (not cached), output, cache_read, cache_write.', labelNames: ['model', 'kind'], registers });
  const known = new Set<string>();
  return ({ model: named, startedAt, endedAt, firstAt, usage }) => {
    const model = known.has(named) || known.size < MOST_MODELS ? named : 'other';
    known.add(model);
    time.observe({ model }, seconds(endedAt - startedAt));
    if (firstAt !== undefined) first.observe({ model }, seconds(firstAt - startedAt));
    for (const kind of ['input', 'output', 'cache_read', 'cache_write'] as const) if (usage) tokens.inc({ model, kind }, usage[kind]);
  };
}

function toolMetrics(registers: Registry[]): (call: ToolRun) => void {
  const calls = new Counter({ name: 'skillmint_tool_calls_total', help: 'Calls of tools by how they ended; those of MCP servers under mcp, unknown names under other.', labelNames: ['tool', 'status'], registers });
  const time = new Histogram({ name: 'skillmint_tool_call_duration_seconds', help: 'Time that calls of tools took.', labelNames: ['tool'], buckets: SECONDS, registers });
  return ({ tool: name, status, startedAt, endedAt }) => {
    const tool = nameOf(name);
    calls.inc({ tool, status });
    time.observe({ tool }, seconds(endedAt - startedAt));
  };
}

function eventMetrics(registers: Registry[]): (event: SessionEvent) => void {
  const skills = new Counter({ name: 'skillmint_skill_activations_total', help: 'Skills that were loaded, by what loaded them.', labelNames: ['trigger'], registers });
  const retries = new Counter({ name: 'skillmint_model_retries_total', help: 'Requests to models that were made again, by what the first ones ended with.', labelNames: ['status'], registers });
  const permissions = new Counter({ name: 'skillmint_permissions_total', help: 'Questions to persons whether a call may be made, by their answers.', labelNames: ['decision'], registers });
  const compactions = new Counter({ name: 'skillmint_compactions_total', help: 'Histories that were replaced by a summary.', registers });
  return (event) => {
    switch (event.type) {
      case 'skill.activated': return skills.inc({ trigger: event.trigger });
      case 'model.retried': return retries.inc({ status: event.status });
      case 'permission.resolved': return permissions.inc({ decision: event.decision });
      case 'context.compacted': return compactions.inc();
      default: return undefined;
    }
  };
}

/** A model may ask for a tool by any name; only known ones become labels. */
function nameOf(tool: string): string {
  if (tool.startsWith('mcp__')) return 'mcp';
  return isBuiltInTool(tool) ? tool : 'other';
}

/** The clock may be set back between two events. */
function seconds(ms: number): number {
  return Math.max(0, ms) / 1_000;
}
