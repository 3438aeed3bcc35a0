import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CheckedTarget } from './check-target.ts';
import { connectTo, encrypt, networkFailed } from './connect.ts';
import { messageOf } from '../protocol/errors.ts';
import { proxyAuthorization } from './upstream-proxy.ts';

/** One request on the wire. `body`: text, a stream that is piped, or nothing. */
export interface WireRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | NodeJS.ReadableStream;
  /** Takes the place of Node's certificates. */
  readonly ca?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** The head of an answer, and its body to be iterated over once or destroyed. */
export interface WireAnswer extends AsyncIterable<Uint8Array> {
  readonly statusCode?: number | undefined;
  readonly headers: IncomingHttpHeaders;
  destroy(): unknown;
}

/** Sends one request to a checked target. */
export type Exchange = (target: CheckedTarget, request: WireRequest) => Promise<WireAnswer>;

/**
 * Sends one request over a line of its own and resolves with the head of the answer; whoever reads its body must destroy
 * it. The signal ends it at any time, in the middle of the body too. Throws `network_failed`, or the signal's reason.
 */
export async function exchange(target: CheckedTarget, request: WireRequest): Promise<IncomingMessage> {
  const { signal, ca } = request;
  const { socket, toProxy } = await connectTo(target, signal);
  const line = target.tls ? await encrypt(socket, target, { ca, signal }) : socket;
  try {
    return await send(target, request, { line, toProxy });
  } catch (error) {
    line.destroy();
    signal.throwIfAborted();
    throw networkFailed(target.url, `did not answer: ${messageOf(error)}`, error);
  }
}

function send({ url, proxy }: CheckedTarget, { method, headers, body, signal }: WireRequest, { line, toProxy }: { readonly line: Duplex; readonly toProxy: boolean }): Promise<IncomingMessage> {
  const proxied = toProxy && proxy !== undefined;
  return new Promise((resolve, reject) => {
    const sent = http.request({
      createConnection: () => line,
      method,
      path: proxied ? `${url.origin}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, connection: 'close', ...(proxied ? proxyAuthorization(proxy) : {}) },
    });
    const stop = (): void => void line.destroy(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    signal.addEventListener('abort', stop, { once: true });
    line.once('close', () => signal.removeEventListener('abort', stop));
    sent.on('error', reject);
    sent.on('response', (answer) => {
      // Whoever reads is told; what happens before or after that concerns nobody.
      answer.on('error', () => answer.destroy());
      resolve(answer);
    });
    if (body === undefined || typeof body === 'string') sent.end(body);
    else body.pipe(sent);
  });
}
