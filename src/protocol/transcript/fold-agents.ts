import type { FollowedEvent } from '../events.ts';
import type { EventBase, StoredBody } from '../events.ts';
import { tellingArgument } from '../telling-argument.ts';
import type { TranscriptFold } from './transcript-fold.ts';
import type { AgentCall, AgentRunView } from './transcript.ts';

/** Calls of a sub-agent that are kept; its own session has them all. */
const MOST_CALLS = 30;
const LINE_CHARS = 200;

type AgentEvent = Extract<StoredBody, { readonly type: 'agent.started' | 'agent.completed' }>;

/** The beginning and the end of a sub-agent. */
export function foldAgent(fold: TranscriptFold, key: string, event: AgentEvent): void {
  if (event.type === 'agent.completed') {
    change(fold, event.task_id, (agent) => ({ status: event.status, result: event.result, usage: event.usage, calls: withoutRunning(agent.calls), ...(event.cost_usd === undefined ? {} : { costUsd: event.cost_usd }) }));
    return;
  }
  const agent: AgentRunView = { taskId: event.task_id, type: event.agent_type, prompt: event.prompt, childId: event.child_id, isBackground: event.background === true, status: 'running', calls: [], ...(event.description === undefined ? {} : { description: event.description }) };
  const card = fold.items.get(fold.calls.get(event.call_id ?? '') ?? '');
  const isOfCall = card?.kind === 'call' && card.agent === undefined;
  fold.tasks.set(event.task_id, isOfCall ? card.key : key);
  if (isOfCall) fold.items.set(card.key, { ...card, agent });
  else fold.items.set(key, { kind: 'agent', key, agent });
}

/** What a sub-agent does, or one that it has started. */
export function foldSubAgent(fold: TranscriptFold, event: Exclude<FollowedEvent, { readonly type: 'connected' }> & EventBase): void {
  const taskId = event.agent_id ?? '';
  if (event.type === 'agent.started') {
    const card = fold.tasks.get(taskId);
    if (card !== undefined) fold.tasks.set(event.task_id, card);
  } else if (event.type === 'tool.requested') {
    change(fold, taskId, ({ calls }) => ({ calls: withCall(calls, event) }));
  } else if (event.type === 'tool.completed') {
    change(fold, taskId, ({ calls }) => ({ calls: withResult(calls, event) }));
  }
}

/** Calls from the log of a sub-agent itself; those that were heard live and do not stand in it follow them. */
export function addEarlierCalls(fold: TranscriptFold, taskId: string, events: readonly FollowedEvent[]): void {
  let told: readonly AgentCall[] = [];
  for (const event of events) {
    if (event.type === 'tool.requested') told = withCall(told, event);
    else if (event.type === 'tool.completed') told = withResult(told, event);
  }
  change(fold, taskId, ({ calls, status }) => {
    const later = new Map(calls.map((call) => [call.callId, call]));
    const merged = [...told.map((call) => later.get(call.callId) ?? call), ...calls.filter(({ callId }) => !told.some((call) => call.callId === callId))].slice(-MOST_CALLS);
    return { calls: status === 'running' ? merged : withoutRunning(merged) };
  });
}

function withCall(calls: readonly AgentCall[], { call_id, tool, input }: Extract<StoredBody, { type: 'tool.requested' }>): readonly AgentCall[] {
  return [...calls, { callId: call_id, tool, line: tellingArgument(input).slice(0, LINE_CHARS), status: 'running' as const }].slice(-MOST_CALLS);
}

function withResult(calls: readonly AgentCall[], { call_id, status }: Extract<StoredBody, { type: 'tool.completed' }>): readonly AgentCall[] {
  const at = calls.findLastIndex(({ callId }) => callId === call_id);
  const call = calls[at];
  return call ? calls.with(at, { ...call, status }) : calls;
}

/** Nobody has told meanwhile how calls of sub-agents have ended. */
export function forgetRunningCalls(fold: TranscriptFold): void {
  for (const taskId of fold.tasks.keys()) change(fold, taskId, ({ calls }) => ({ calls: withoutRunning(calls) }));
}

function withoutRunning(calls: readonly AgentCall[]): readonly AgentCall[] {
  return calls.filter(({ status }) => status !== 'running');
}

function change({ items, tasks }: TranscriptFold, taskId: string, changes: (agent: AgentRunView) => Partial<AgentRunView>): void {
  const item = items.get(tasks.get(taskId) ?? '');
  if (item?.kind === 'call' && item.agent) items.set(item.key, { ...item, agent: { ...item.agent, ...changes(item.agent) } });
  else if (item?.kind === 'agent') items.set(item.key, { ...item, agent: { ...item.agent, ...changes(item.agent) } });
}
