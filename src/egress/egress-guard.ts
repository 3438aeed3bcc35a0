/** Bounds of one request. */
export interface EgressLimits {
  /** Bytes of a body, as sent and as unpacked; 10 MiB unless told. */
  readonly bodyBytes: number;
  /** ms for everything, redirects included; 30,000 unless told. */
  readonly totalMs: number;
  /** ms without a byte; 10,000 unless told. */
  readonly idleMs: number;
}

/** A request. */
export interface GuardedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<EgressLimits>;
}

/** An answer; `url` is the address after all redirects. */
export interface GuardedResponse {
  readonly url: string;
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Reading it throws `network_failed` when a limit ends it. It must be read to the end, or be left by `cancel`. */
  readonly body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
  cancel(): void;
}

/** A `fetch` that leaves the machine only for addresses that the guard lets pass. */
export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<GuardedResponse>;

/** A proxy on loopback for one program; `url` holds its password. */
export interface LocalProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** The one way out: a `fetch` and a proxy for other programs, with the same checks. */
export interface EgressGuard {
  readonly fetch: GuardedFetch;
}
