import type { EventBase, StoredBody, TransientBody } from '../events.ts';
import type { TranscriptFold } from './transcript-fold.ts';
import type { CallItem } from './transcript.ts';

/** Of what a running call says so many characters are kept, the last ones; its result holds the whole of it. */
const LIVE_CHARS = 20_000;

type CallEvent = Extract<StoredBody | TransientBody, { readonly type: 'tool.requested' | 'tool.started' | 'tool.delta' | 'tool.completed' | 'permission.requested' | 'permission.resolved' | 'question.asked' | 'question.answered' | 'hook.completed' }> & EventBase;

/** What happens to a call. */
export function foldCall(fold: TranscriptFold, key: string, event: CallEvent): void {
  switch (event.type) {
    case 'tool.requested': return addCall(fold, key, event);
    case 'permission.requested':
    case 'question.asked': fold.requests.set(event.request_id, event.call_id); return change(fold, event.call_id, () => ({ phase: 'waiting' }));
    case 'permission.resolved':
    case 'question.answered': return change(fold, fold.requests.get(event.request_id), ({ startedAt }) => ({ phase: startedAt === undefined ? 'requested' : 'running' }));
    case 'tool.started': return change(fold, event.call_id, () => ({ phase: 'running', startedAt: event.time, live: '' }));
    case 'tool.delta': return change(fold, event.call_id, ({ live }) => ({ live: lastOf(live + event.text) }));
    case 'hook.completed': return change(fold, event.call_id, ({ input }) => ({ input: event.updated_input ?? input }));
    case 'tool.completed': return completeCall(fold, event);
  }
}

/** What calls that run have said is told again. */
export function forgetLiveOutput(fold: TranscriptFold): void {
  for (const callId of fold.calls.keys()) change(fold, callId, () => ({ live: '' }));
}

function addCall(fold: TranscriptFold, key: string, { call_id, tool, input }: Extract<CallEvent, { type: 'tool.requested' }>): void {
  const invalid = fold.invalid.get(call_id);
  fold.calls.set(call_id, key);
  fold.items.set(key, { kind: 'call', key, callId: call_id, tool, input, phase: 'requested', live: '', output: [], ...(invalid === undefined ? {} : { invalid }) });
}

function completeCall(fold: TranscriptFold, { call_id, status, output, details, duration_ms }: Extract<CallEvent, { type: 'tool.completed' }>): void {
  const diff = details?.['diff'];
  change(fold, call_id, () => ({ phase: 'done', status, output, live: '', ...(typeof diff === 'string' && diff !== '' ? { diff } : {}), ...(duration_ms === undefined ? {} : { durationMs: duration_ms }) }));
  // Models may give a later call the id of this one.
  fold.calls.delete(call_id);
}

function change({ items, calls }: TranscriptFold, callId: string | undefined, changes: (call: CallItem) => Partial<CallItem>): void {
  const item = items.get(calls.get(callId ?? '') ?? '');
  if (item?.kind === 'call') items.set(item.key, { ...item, ...changes(item) });
}

function lastOf(text: string): string {
  return text.length > 2 * LIVE_CHARS ? text.slice(text.indexOf('\n', text.length - LIVE_CHARS) + 1) : text;
}
