import type { Effort, ModelEvent, ModelInfo, ModelRequest } from './model.ts';

/** What a model takes beyond the common ground of its wire format. */
export interface ModelTraits {
  /** Levels of effort that it takes, lowest first; empty when it has none. */
  readonly efforts: readonly Effort[];
  /**
   * Anthropic format: how thinking is asked for. `budget`: a number of tokens; `adaptive`: by effort alone;
   * `preserved`: adaptive, and thinking that is sent back is checked against the conversation before it.
   */
  readonly thinking?: 'budget' | 'adaptive' | 'preserved';
  /** Anthropic format: knows the `cache_control` field of the request, which moves on with the conversation by itself. */
  readonly autoCache?: boolean;
  /** Chat format: wants the `reasoning_content` of its earlier replies back. */
  readonly wantsReasoningBack?: boolean;
  /** Can be held to a JSON schema. */
  readonly jsonSchema: boolean;
  /** Summaries of its reasoning can be asked for. */
  readonly summaries?: boolean;
}

/** The model that a request is written for. */
export interface WireTarget {
  readonly info: ModelInfo;
  readonly baseUrl: string;
  readonly traits: ModelTraits;
}

/** What the reading of one reply needs. */
export interface ReplyContext {
  readonly info: ModelInfo;
  /** Makes an id for a call that came without a usable one. */
  readonly ids: () => string;
  /** Call ids that the conversation holds already. */
  readonly taken: ReadonlySet<string>;
}

/** The data of one server-sent event. */
export type WireEvent = typeof END_MARK | Readonly<Record<string, unknown>>;

/** The data of the last event of a chat completion. */
export const END_MARK = '[DONE]';

/**
 * Takes in the events of one reply in their order and gives what they mean. `done` comes only after the format's
 * own end event; after `done` or `failed` it is not called again.
 */
export type ReplyReader = (event: WireEvent) => readonly ModelEvent[];

/** One wire format: how to write a request and how to read the stream that answers it. All of it is pure. */
export interface WireFormat {
  url(baseUrl: string): string;
  headers(target: WireTarget, key: string | undefined): Readonly<Record<string, string>>;
  body(request: ModelRequest, target: WireTarget): Readonly<Record<string, unknown>>;
  reader(context: ReplyContext): ReplyReader;
}
