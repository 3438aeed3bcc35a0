import type { FollowedEvent } from '../../protocol/events.ts';
import { applyToTranscript } from '../../protocol/transcript/fold-transcript.ts';
import { emptyTranscript, type TranscriptFold } from '../../protocol/transcript/transcript-fold.ts';

/** An event of a session. */
export type Event = Exclude<FollowedEvent, { readonly type: 'connected' }>;

/** The conversation so far, and where in it calls stand. */
export interface ConversationLog {
  readonly fold: TranscriptFold;
  /** Takes in an event; the key of the call or sub-agent that it is about. */
  take(event: Event): string | undefined;
  /** Key of the latest call with this id of the model. */
  keyOfCall(callId: string): string | undefined;
}

/** An empty one. */
export function conversationLog(): ConversationLog {
  const fold = emptyTranscript();
  const latest = new Map<string, string>();
  const keyOf = (event: Event): string | undefined => {
    if (event.is_sub_agent) return fold.tasks.get(event.agent_id ?? '');
    if (event.type === 'agent.started' || event.type === 'agent.completed') return fold.tasks.get(event.task_id);
    if (event.type === 'permission.resolved' || event.type === 'question.answered') return fold.calls.get(fold.requests.get(event.request_id) ?? '');
    return 'call_id' in event && event.call_id !== undefined ? fold.calls.get(event.call_id) : undefined;
  };
  return {
    fold,
    keyOfCall: (callId) => latest.get(callId),
    take(event) {
      // The end of a call takes its key away.
      const before = keyOf(event);
      applyToTranscript(fold, event);
      const key = keyOf(event) ?? before;
      if (event.type === 'tool.requested' && !event.is_sub_agent && key !== undefined) latest.set(event.call_id, key);
      return key;
    },
  };
}
