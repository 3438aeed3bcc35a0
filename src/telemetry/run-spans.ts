import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes, type Context, type Span, type Tracer } from '@opentelemetry/api';
import type { SessionEvent } from '../protocol/events.ts';
import type { ModelCall, RunEnd, RunListener, ObservedRun, ToolRun } from './observed-runs.ts';

interface Traced {
  readonly span: Span;
  readonly context: Context;
  /** Sessions of sub-agents that the turn has started. */
  readonly children: string[];
}

/**
 * Writes turns as spans by the semantic conventions for generative AI: `invoke_agent` for a turn, in it `chat` for each answer of a
 * model and `execute_tool` for each call; what a sub-agent does lies in the span of the turn that has started it. Skills are
 * span events. What was said, what tools are given and what they give back never stands in a span.
 */
export function runSpans(tracer: Tracer): RunListener {
  const open = new Map<string, Traced>();
  const parents = new Map<string, Context>();
  const within = (run: ObservedRun): Context => open.get(run.sessionId)?.context ?? ROOT_CONTEXT;
  return {
    onBegin(run) {
      const parent = parents.get(run.sessionId) ?? ROOT_CONTEXT;
      const span = tracer.startSpan('invoke_agent skillmint', { kind: SpanKind.INTERNAL, startTime: run.startedAt, attributes: turnAttributes(run) }, parent);
      open.set(run.sessionId, { span, context: trace.setSpan(parent, span), children: [] });
    },
    onModelCall(run, call) {
      tracer.startSpan(`chat ${modelOf(call.model).name}`, { kind: SpanKind.CLIENT, startTime: call.startedAt, attributes: chatAttributes(run, call) }, within(run)).end(call.endedAt);
      open.get(run.sessionId)?.span.setAttributes(modelAttributes(call.model));
    },
    onToolRun(run, call) {
      const span = tracer.startSpan(`execute_tool ${call.tool}`, { kind: SpanKind.INTERNAL, startTime: call.startedAt, attributes: toolAttributes(run, call) }, within(run));
      if (call.status !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', call.status);
      span.end(call.endedAt);
    },
    onEvent(run, event) {
      const traced = open.get(run.sessionId);
      if (!traced) return;
      if (event.type === 'agent.started') {
        parents.set(event.child_id, traced.context);
        traced.children.push(event.child_id);
      }
      const attributes = eventAttributes(event);
      if (attributes) traced.span.addEvent(`skillmint.${event.type}`, attributes, Date.parse(event.time));
    },
    onEnd(run, end) {
      const traced = open.get(run.sessionId);
      open.delete(run.sessionId);
      if (!traced) return;
      for (const child of traced.children) parents.delete(child);
      finish(traced.span, end);
    },
  };
}

function finish(span: Span, { status, code, costUsd, endedAt }: RunEnd): void {
  span.setAttribute('skillmint.turn.status', status);
  if (costUsd !== undefined) span.setAttribute('skillmint.cost_usd', costUsd);
  if (status === 'failed' || status === 'lost') span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', code ?? status);
  span.end(endedAt);
}

function turnAttributes({ sessionId, turnId }: ObservedRun): Attributes {
  return { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'skillmint', 'gen_ai.conversation.id': sessionId, ...(turnId === undefined ? {} : { 'skillmint.turn.id': turnId }) };
}

function chatAttributes({ sessionId }: ObservedRun, { model, usage, stopReason, firstAt, startedAt }: ModelCall): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.conversation.id': sessionId,
    ...modelAttributes(model),
    ...(stopReason === undefined ? {} : { 'gen_ai.response.finish_reasons': [stopReason] }),
    ...(firstAt === undefined ? {} : { 'gen_ai.response.time_to_first_chunk': (firstAt - startedAt) / 1_000 }),
    ...(usage ? {
      'gen_ai.usage.input_tokens': usage.input + usage.cache_read + usage.cache_write,
      'gen_ai.usage.output_tokens': usage.output,
      'gen_ai.usage.cache_read.input_tokens': usage.cache_read,
      'gen_ai.usage.cache_creation.input_tokens': usage.cache_write,
    } : {}),
  };
}

function toolAttributes({ sessionId }: ObservedRun, { tool, callId, status }: ToolRun): Attributes {
  return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.conversation.id': sessionId, 'gen_ai.tool.name': tool, 'gen_ai.tool.call.id': callId, 'gen_ai.tool.type': tool.startsWith('mcp__') ? 'extension' : 'function', 'skillmint.tool.status': status };
}

function eventAttributes(event: SessionEvent): Attributes | undefined {
  switch (event.type) {
    case 'skill.activated': return { 'skillmint.skill.id': event.skill_id, 'skillmint.skill.trigger': event.trigger, 'skillmint.skill.digest': event.digest };
    case 'skill.offered': return { 'skillmint.skills.offered': event.skills.map(({ id }) => id) };
    case 'model.retried': return { 'skillmint.retry.attempt': event.attempt, 'skillmint.retry.status': event.status };
    case 'permission.requested': return { 'gen_ai.tool.call.id': event.call_id, 'gen_ai.tool.name': event.tool };
    case 'context.compacted': return { 'skillmint.tokens.before': event.before_tokens, 'skillmint.tokens.after': event.after_tokens };
    default: return undefined;
  }
}

function modelAttributes(model: string): Attributes {
  const { provider, name } = modelOf(model);
  return { 'gen_ai.provider.name': CONVENTIONAL[provider] ?? provider, 'gen_ai.request.model': name };
}

/** Where the conventions call a provider by another name than we do; the others have the same one, or none yet. */
const CONVENTIONAL: Readonly<Record<string, string>> = { gemini: 'gcp.gemini' };

/** `PROVIDER/MODEL`; names of models may hold slashes themselves. */
function modelOf(model: string): { readonly provider: string; readonly name: string } {
  const slash = model.indexOf('/');
  return slash < 0 ? { provider: '', name: model } : { provider: model.slice(0, slash), name: model.slice(slash + 1) };
}
