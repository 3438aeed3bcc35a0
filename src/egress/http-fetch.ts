import http, { type ClientRequest, type IncomingMessage } from 'node:http';

/** What a request to an endpoint says. Redirects are never followed: a key must stay with its host. */
export interface FetchInit {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  readonly redirect?: 'manual' | 'error';
}

/** The part of a response's body that is read. */
export interface BodyReader {
  read(): Promise<{ readonly done: false; readonly value: Uint8Array } | { readonly done: true; readonly value?: Uint8Array | undefined }>;
  /** Ends the transfer. */
  cancel(): Promise<void>;
}

/** The part of a response that is used; the response of the global `fetch` is one, too. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): BodyReader } | null;
  /** The whole body as text. */
  text(): Promise<string>;
}

/** A `fetch`, as far as endpoints need it. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/**
 * A `fetch` on Node's own HTTP client, which loads in a quarter of the time of the global one. Rejects with the
 * system's error when there is no answer; a body that is cut off rejects its `read`.
 */
export async function httpFetch(url: string, init: FetchInit): Promise<FetchResponse> {
  const target = new URL(url);
  const request = target.protocol === 'https:' ? (await import('node:https')).request : http.request;
  const headers = { ...init.headers, ...(init.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(init.body)) }) };
  const message = await answerOf(request(target, { method: init.method ?? 'GET', headers }), init);
  const status = message.statusCode ?? 0;
  if (init.redirect === 'error' && status >= 300 && status < 400) {
    message.destroy();
    throw new Error(`${target.host} redirects, which is not followed`);
  }
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headerOf(message, name) },
    body: { getReader: () => readerOf(message) },
    text: () => textOf(message),
  };
}

/**
 * Sends the request. The signal is not left to Node: it would end a connection that is already free for others with an
 * error that nobody hears.
 */
function answerOf(sent: ClientRequest, { body, signal }: FetchInit): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let message: IncomingMessage | undefined;
    const stop = (): void => void (message ? message.destroy() : sent.destroy(new Error('the request was stopped')));
    signal?.addEventListener('abort', stop, { once: true });
    sent.on('close', () => signal?.removeEventListener('abort', stop));
    sent.on('error', reject);
    sent.on('response', (answer) => {
      message = answer;
      // Whoever reads is told by `read`; what happens after that, or before anyone reads, concerns nobody.
      answer.on('error', () => undefined);
      resolve(answer);
    });
    if (signal?.aborted) stop();
    else sent.end(body);
  });
}

function headerOf(message: IncomingMessage, name: string): string | null {
  const value = message.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  const reader = readerOf(message);
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function readerOf(message: IncomingMessage): BodyReader {
  const chunks: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  return {
    async read() {
      const next = await chunks.next();
      return next.done ? { done: true } : { done: false, value: next.value };
    },
    async cancel() {
      message.destroy();
    },
  };
}
