/** The wire formats that the fake provider speaks; it tells them apart by the path of the request. */
export type FakeApi = 'anthropic' | 'openai-chat' | 'openai-responses';

/** A tool call. `arguments` is sent as it is, so that it may be no JSON; else `input` is sent as JSON. */
export interface FakeCall {
  readonly name: string;
  readonly input?: unknown;
  readonly arguments?: string;
  /** Made up when left out; may be empty or the same twice. */
  readonly id?: string;
}

/** A reply in the terms of no API; it is sent as a stream in the format of the request. */
export interface FakeReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly FakeCall[];
  /** Tokens; `input` without the cached ones. */
  readonly usage?: { readonly input?: number; readonly output?: number; readonly cached?: number };
  /** `tool_calls` when there are calls, else `end`. */
  readonly stop?: 'end' | 'tool_calls' | 'length' | 'refusal';
  /** Characters of text, reasoning and arguments in one event; 8 unless told. */
  readonly fragment?: number;
  /** The body is written in pieces of so many bytes, whatever they cut. */
  readonly chunkBytes?: number;
  /** Time between two such pieces, ms; none unless told. */
  readonly pauseMs?: number;
  readonly fault?: FakeFault;
}

/** What goes wrong with a reply. Bytes are those of the body. */
export type FakeFault =
  /** The body ends cleanly after so many bytes. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The connection breaks after so many bytes. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** Nothing more is sent, and the connection stays open. With 0 bytes there are not even headers. */
  | { readonly kind: 'hang'; readonly afterBytes: number }
  /** After the last event that ends within so many bytes there are only comments or pings, without end. */
  | { readonly kind: 'drip'; readonly afterBytes: number; readonly everyMs: number; readonly as: 'comment' | 'ping' }
  /** Everything is sent but the format's end event. */
  | { readonly kind: 'no_end_event' }
  /** The last two events lack what parts them. */
  | { readonly kind: 'glued' }
  /** A byte that is no UTF-8 stands in the middle. */
  | { readonly kind: 'invalid_utf8' }
  /** After the content, and before the end event, comes an error in the format's own way. */
  | { readonly kind: 'error_event'; readonly code: string; readonly message: string };

/** An answer that is no stream: an error, a page of a proxy, a redirect. An object is sent as JSON. */
export interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** `content-type` is JSON for objects and HTML for texts that begin with `<`, unless it is given. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the provider was asked. */
export interface FakeRequest {
  readonly api: FakeApi;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it came, byte for byte. */
  readonly text: string;
}

/** What the provider says to one request; a plain text stands for a reply of that text. */
export type FakeWord = string | FakeReply | FakeAnswer;

/** What the provider does with one request; a function may take its time. */
export type FakeStep = FakeWord | ((request: FakeRequest) => FakeWord | Promise<FakeWord>);

/** The text in pieces of at most `size` characters; one empty piece for an empty text. */
export function fragments(text: string, size: number): readonly string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [''];
}

/** The arguments of a call as they go over the wire. */
export function argumentsOf(call: FakeCall): string {
  return call.arguments ?? JSON.stringify(call.input ?? {});
}
