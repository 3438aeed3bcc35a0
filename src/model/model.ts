import type { AssistantPart } from '../protocol/content.ts';
import type { Message } from '../protocol/message.ts';
import type { JsonSchema } from '../protocol/json.ts';
import type { ToolSpec } from '../protocol/tool.ts';
import type { Price, Usage } from '../protocol/usage.ts';

/** How hard a model should think, where it can be told. */
export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** What is known of a model before it is asked. Sizes in tokens. */
export interface ModelInfo {
  readonly provider: string;
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly images: boolean;
  readonly documents: boolean;
  readonly price?: Price;
}

/** One question to a model, independent of any wire format. */
export interface ModelRequest {
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  /** Upper bound of the reply in tokens; the model's own when left out. */
  readonly maxOutput?: number;
  readonly effort?: Effort;
  /** The reply must be JSON of this schema, where the API can enforce it. */
  readonly outputSchema?: JsonSchema;
  /** A stable key (the session's id) for providers that route by it to a warm prompt cache. */
  readonly cacheKey?: string;
}

/** Why a reply ended. */
export type StopReason = 'end' | 'tool_calls' | 'length' | 'refusal' | 'other';

/** A complete reply: nothing in it comes from a stream that was cut. */
export interface ModelReply {
  readonly content: readonly AssistantPart[];
  readonly usage: Usage;
  readonly stop: StopReason;
}

/**
 * Why a call failed. `retryable` failures may go away by themselves; `overflow` means that the request is
 * larger than the context; `message` names the cause for a person and never holds a key.
 */
export interface ModelFailure {
  readonly kind: 'network' | 'http' | 'stream' | 'overflow' | 'aborted' | 'bad_response' | 'empty' | 'auth';
  readonly message: string;
  readonly retryable: boolean;
  readonly status?: number;
  /** What the provider asked to wait, from `Retry-After`. */
  readonly retryAfterMs?: number;
  /** The provider stood still: retried once at most, as every try costs a whole idle limit. */
  readonly idle?: true;
}

/**
 * What a model's stream yields. The last one is always `done` or `failed`. After a `retry` the reply begins anew:
 * all deltas since the stream's start or the last `retry` are void, and whoever showed them takes them back.
 */
export type ModelEvent =
  | { readonly type: 'text.delta'; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly text: string }
  | { readonly type: 'retry'; readonly attempt: number; readonly status: string; readonly waitMs: number }
  | { readonly type: 'done'; readonly reply: ModelReply }
  | { readonly type: 'failed'; readonly failure: ModelFailure };

/**
 * A model that can be asked. `stream` must not throw: failures, an abort included, are its last event.
 * It ends in a bounded time: every implementation limits idle time and total time.
 */
export interface Model {
  readonly info: ModelInfo;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
