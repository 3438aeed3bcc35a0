import type { ModelEvent, ModelFailure, ModelReply, ModelRequest } from '../model/model.ts';
import { textOf } from '../protocol/content.ts';
import type { EventBody, EventError, TurnStatus } from '../protocol/events.ts';
import { openCalls, type CallState, type SessionState } from '../protocol/session-state.ts';
import { failed } from '../protocol/tool.ts';
import { costOf } from '../protocol/usage.ts';
import { never } from '../util/never.ts';
import { compactHistory, contextTokens } from './compaction.ts';
import type { AgentPorts } from './ports.ts';
import { completed, runToolBatch } from './tool-batch.ts';

/** Replies that the output limit cut in the middle of a tool call, tried again so often within a turn. */
const MAX_CUT_REPLIES = 2;
/** Final answers that are sent back because they are not what was asked for, so often within a turn. */
const MAX_MENDS = 2;
/** Times that Stop hooks may send a turn on, so that none keeps it going for ever. */
const MAX_SENT_ON = 3;

/** How a turn ended, before it is written down. */
interface TurnEnd {
  readonly status: TurnStatus;
  readonly error?: EventError;
}

type Answer = { readonly kind: 'reply'; readonly reply: ModelReply } | { readonly kind: 'failed'; readonly failure: ModelFailure };

/**
 * Runs the session's turn from wherever its log stands to `done`, `waiting`, `failed`, `limit` or `cancelled`:
 * open calls first, then the model, until a reply makes no call. It keeps no state of its own, so it goes on
 * the same way after an answer, in another process, or after a crash. For a new prompt `opening` stores what it brings
 * with it (skills that it loads, calls and offers), once its hooks have let it pass.
 */
export async function runTurn(ports: AgentPorts, signal: AbortSignal, opening?: () => Promise<void>): Promise<void> {
  const refused = opening ? await openPrompt(ports, signal, opening) : undefined;
  for (;;) {
    const end: TurnEnd = refused === undefined ? await runSteps(ports, signal) : { status: 'failed', error: { code: 'prompt_blocked', message: refused } };
    if (end.status === 'cancelled') await closeOpenCalls(ports, 'Not finished: the turn was stopped.');
    const isOvertaken = (): boolean => end.status === 'done' && !isAnswered(ports.state);
    if (await ports.append([turnCompleted(ports.state, end)], { durable: true, unless: isOvertaken })) return;
  }
}

/** Nothing that a prompt brings with it is looked at or run before its hooks have had their say. Resolves to why it is refused, or nothing. */
async function openPrompt({ hooks, state }: AgentPorts, signal: AbortSignal, opening: () => Promise<void>): Promise<string | undefined> {
  const refused = await hooks?.beforePrompt(signal);
  if (refused === undefined && state.turn?.halted === undefined && !signal.aborted) await opening();
  return refused;
}

/** False when a message came in between the last reply and now. */
function isAnswered(state: SessionState): boolean {
  return state.messages.at(-1)?.message.role === 'assistant';
}

/** The event that ends the state's turn. */
export function turnCompleted(state: SessionState, end: { readonly status: TurnStatus; readonly error?: EventError }): Extract<EventBody, { type: 'turn.completed' }> {
  const { turn } = state;
  if (!turn) throw new Error('there is no turn to end');
  return {
    type: 'turn.completed',
    turn_id: turn.turn_id,
    status: end.status,
    usage: turn.usage,
    ...(turn.cost_usd > 0 ? { cost_usd: turn.cost_usd } : {}),
    text: lastText(state),
    ...(end.error ? { error: end.error } : {}),
  };
}

/** Gives every open call of the last reply a result, so that no provider ever sees a call without one. */
export async function closeOpenCalls(ports: Pick<AgentPorts, 'append' | 'state' | 'endRuns'>, reason: string): Promise<void> {
  await closeCalls(ports, openCalls(ports.state), () => reason);
}

/** Gives these calls a result, after the sub-agents that they wait for have come to their end. */
export async function closeCalls(ports: Pick<AgentPorts, 'append' | 'endRuns'>, calls: readonly CallState[], reasonOf: (call: CallState) => string): Promise<void> {
  if (calls.length === 0) return;
  await ports.endRuns?.(calls);
  await ports.append(calls.map((call) => completed(call, 'interrupted', failed(reasonOf(call)))));
}

async function runSteps(ports: AgentPorts, signal: AbortSignal): Promise<TurnEnd> {
  let cutReplies = 0;
  let mends = 0;
  let compactedForOverflow = false;
  let mayCompact = true;
  for (;;) {
    if (signal.aborted) return { status: 'cancelled' };
    const halted = ports.state.turn?.halted;
    if (halted !== undefined) {
      await closeOpenCalls(ports, 'Not run: a hook stopped the turn.');
      return { status: 'failed', error: { code: 'stopped_by_hook', message: halted } };
    }
    if (openCalls(ports.state).length > 0) {
      if ((await runToolBatch(ports, signal)) === 'waiting' && !signal.aborted) return { status: 'waiting' };
      continue;
    }
    const stop = stopReason(ports);
    const problem = stop?.status === 'done' ? ports.checkAnswer?.(lastText(ports.state)) : undefined;
    if (problem !== undefined && mends++ >= MAX_MENDS) return { status: 'failed', error: { code: 'output_invalid', message: problem } };
    if (problem !== undefined) await ports.append([{ type: 'message.added', text: problem, by: 'runtime' }]);
    else if (stop) {
      const task = stop.status === 'done' ? await taskOfStopHooks(ports, signal) : undefined;
      if (task === undefined) return stop;
      await ports.append([{ type: 'message.added', text: task, by: 'stop_hook' }]);
    }
    await ports.beforeRequest?.();
    if (mayCompact && contextTokens(ports) > ports.limits.compactAt * ports.model.info.contextWindow) mayCompact = await compactHistory(ports, signal);
    const answer = await askModel(ports, signal);
    if (answer.kind === 'failed') {
      if (answer.failure.kind !== 'overflow' || compactedForOverflow) return endOfFailure(answer.failure, compactedForOverflow);
      compactedForOverflow = true;
      await compactHistory(ports, signal, { force: true });
      continue;
    }
    compactedForOverflow = false;
    await recordReply(ports, answer.reply);
    if (answer.reply.stop === 'length' && (await dropCutCalls(ports)) && ++cutReplies > MAX_CUT_REPLIES) {
      return { status: 'failed', error: { code: 'reply_cut', message: `The model's replies were cut at its output limit ${cutReplies} times in the middle of a tool call. Ask for smaller steps, or set a larger maxOutput for the model.` } };
    }
  }
}

/** Why no further reply is asked for, or nothing. */
function stopReason({ state, limits }: AgentPorts): TurnEnd | undefined {
  const { turn } = state;
  if (!turn) throw new Error('there is no turn to run');
  if (turn.steps > 0 && isAnswered(state)) return { status: 'done' };
  if (turn.steps >= limits.steps) return { status: 'limit', error: { code: 'max_turns', message: `The turn reached its limit of ${limits.steps} steps. Send a message to go on, or raise --max-turns.` } };
  if (limits.costUsd !== undefined && (limits.spentUsd?.() ?? turn.cost_usd) >= limits.costUsd) return { status: 'limit', error: { code: 'max_cost', message: `The turn reached its limit of ${limits.costUsd} USD. Raise --max-cost to go on.` } };
  return undefined;
}

/** What Stop hooks want to be done before the turn ends. */
async function taskOfStopHooks({ hooks, state, append }: AgentPorts, signal: AbortSignal): Promise<string | undefined> {
  if (!hooks || signal.aborted) return undefined;
  if ((state.turn?.sent_on ?? 0) < MAX_SENT_ON) return hooks.beforeStop(signal);
  await append([{ type: 'warning', code: 'stop_hooks', message: `Stop hooks sent the turn on ${MAX_SENT_ON} times; it ends now without asking them again.` }]);
  return undefined;
}

function endOfFailure(failure: ModelFailure, compacted: boolean): TurnEnd {
  if (failure.kind === 'aborted') return { status: 'cancelled' };
  if (failure.kind === 'overflow' && compacted) return { status: 'failed', error: { code: 'context_overflow', message: `The conversation does not fit the model's context even after compaction: ${failure.message} Start a new session or choose a model with a larger context.` } };
  return { status: 'failed', error: { code: failure.kind === 'overflow' ? 'context_overflow' : 'model_failed', message: failure.message } };
}

async function askModel(ports: AgentPorts, signal: AbortSignal): Promise<Answer> {
  await ports.append([]);
  const request: ModelRequest = {
    system: ports.system,
    tools: ports.specs,
    messages: ports.state.messages.map((logged) => logged.message),
    cacheKey: ports.state.session_id,
    ...(ports.effort ? { effort: ports.effort } : {}),
    ...(ports.outputSchema ? { outputSchema: ports.outputSchema } : {}),
  };
  for await (const event of ports.model.stream(request, signal)) {
    const answer = await passOn(ports, event);
    if (answer) return answer;
  }
  return { kind: 'failed', failure: { kind: 'stream', message: 'The model stream ended without a result.', retryable: false } };
}

async function passOn(ports: AgentPorts, event: ModelEvent): Promise<Answer | undefined> {
  switch (event.type) {
    case 'text.delta':
    case 'reasoning.delta': ports.emit(event); return undefined;
    case 'retry': await ports.append([{ type: 'model.retried', attempt: event.attempt, status: event.status, wait_ms: event.waitMs }]); return undefined;
    case 'done': return { kind: 'reply', reply: event.reply };
    case 'failed': return { kind: 'failed', failure: event.failure };
    default: return never(event);
  }
}

/** The reply is stored together with what follows from it: the start of its calls, or the end of the turn. */
async function recordReply(ports: AgentPorts, reply: ModelReply): Promise<void> {
  const { price, provider, id } = ports.model.info;
  const calls = reply.content.flatMap((part): EventBody[] => (part.type === 'tool_call' ? [{ type: 'tool.requested', call_id: part.call_id, tool: part.tool, input: part.input }] : []));
  const cut: readonly EventBody[] = reply.stop === 'length' && calls.length === 0 ? [{ type: 'warning', code: 'reply_cut', message: "The reply was cut at the model's output limit." }] : [];
  await ports.stage([
    { type: 'message.completed', role: 'assistant', content: reply.content, usage: reply.usage, stop_reason: reply.stop, model: `${provider}/${id}`, ...(price ? { cost_usd: costOf(reply.usage, price) } : {}) },
    ...calls,
    ...cut,
  ]);
}

/** Arguments of a reply that was cut may be shorter than meant without showing it, so none of its calls runs. */
async function dropCutCalls(ports: AgentPorts): Promise<boolean> {
  const open = openCalls(ports.state);
  if (open.length === 0) return false;
  await ports.append(open.map((call) => completed(call, 'error', failed('Not run: the reply was cut at the output limit, so the arguments may be incomplete. Call again with less text at a time.'))));
  return true;
}

function lastText(state: SessionState): string {
  const last = state.messages.findLast((logged) => logged.message.role === 'assistant');
  return last && last.seq > (state.turn?.from_seq ?? 0) ? textOf(last.message.content) : '';
}
