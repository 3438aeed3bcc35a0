import type { TranscriptItem } from './transcript.ts';

/** A transcript in the making; owned by whoever folds it, and changed in place. */
export interface TranscriptFold {
  /** In the order of the conversation. */
  readonly items: Map<string, TranscriptItem>;
  /** Id of a call → key of its latest card. */
  readonly calls: Map<string, string>;
  /** Id of a request → id of the call that waits for its answer. */
  readonly requests: Map<string, string>;
  /** Id of a sub-agent's task, also of those that it has started → key of its card. */
  readonly tasks: Map<string, string>;
  /** Arguments of the last reply that were no JSON, by call. */
  readonly invalid: Map<string, string>;
  /** Keys of what the model is saying and no stored event holds yet. */
  readonly unfinished: Set<string>;
  /** Key of the line that says that the turn waits for the person. */
  waiting?: string;
  /** Replies of the model that are whole. */
  replies: number;
  /** Events so far, for keys of those without a number. */
  events: number;
}

/** An empty one. */
export function emptyTranscript(): TranscriptFold {
  return { items: new Map(), calls: new Map(), requests: new Map(), tasks: new Map(), invalid: new Map(), unfinished: new Set(), replies: 0, events: 0 };
}
