import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { bodyOf } from './body.ts';
import { pairingProblems } from './pairing.ts';
import type { FakeAnswer, FakeApi, FakeFault, FakeReply, FakeRequest, FakeStep } from './script.ts';

/** How a fake provider behaves. */
export interface FakeProviderOptions {
  /** What it does with the first request, the second and so on. After the last one it answers 400. */
  readonly steps?: readonly FakeStep[];
  /** Answers 400, without using up a step, when a call has no result or a result no call. */
  readonly strictPairing?: boolean;
  /** What `GET …/models` lists. */
  readonly models?: readonly string[];
}

/** A running fake provider. */
export interface FakeProvider {
  /** `http://127.0.0.1:PORT/v1`, the base URL for each of the three formats. */
  readonly url: string;
  /** Every model request so far, refused ones included. */
  readonly requests: readonly FakeRequest[];
  /** Appends steps. */
  push(...steps: readonly FakeStep[]): void;
  /** Connections that are open now, and all there have been. */
  connections(): { readonly open: number; readonly total: number };
  /** Ends all connections and the server. */
  close(): Promise<void>;
}

/**
 * Starts an HTTP server on loopback that speaks Anthropic Messages, OpenAI Chat Completions and OpenAI Responses,
 * and can go wrong in every way that a real provider can. The same script serves each format.
 *
 * ```ts
 * const provider = await startFakeProvider({ steps: [
 *   { status: 529, body: { error: { type: 'overloaded_error', message: 'try later' } } },
 *   { text: 'I look.', calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
 *   { text: 'Half an answer', fault: { kind: 'cut', afterBytes: 400 } },
 *   (request) => `You sent ${request.text.length} characters.`,
 * ] });
 * // … point a provider of the settings to provider.url …
 * await provider.close();
 * ```
 */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const steps: FakeStep[] = [...(options.steps ?? [])];
  const requests: FakeRequest[] = [];
  const ending = new AbortController();
  const server = createServer((incoming, response) => {
    serve({ incoming, response, options, steps, requests, signal: ending.signal }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else answer(response, problem(500, `the fake provider failed: ${messageOf(error)}`));
    });
  });
  const sockets = { open: 0, total: 0 };
  server.on('connection', (socket) => {
    sockets.open += 1;
    sockets.total += 1;
    socket.once('close', () => { sockets.open -= 1; });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the fake provider has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    push: (...more) => { steps.push(...more); },
    connections: () => ({ open: sockets.open, total: sockets.total }),
    close: () => new Promise((resolve, reject) => {
      ending.abort();
      server.close((error) => (error ? reject(error) : resolve()));
      server.closeAllConnections();
    }),
  };
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: FakeProviderOptions;
  readonly steps: FakeStep[];
  readonly requests: FakeRequest[];
  readonly signal: AbortSignal;
}

async function serve(exchange: Exchange): Promise<void> {
  const { incoming, response, options, steps, requests } = exchange;
  const path = (incoming.url ?? '/').replace(/\?.*$/, '');
  if (incoming.method === 'GET' && path.endsWith('/models')) return answer(response, { status: 200, body: { object: 'list', data: (options.models ?? []).map((id) => ({ id, object: 'model' })) } });
  const api = apiOf(path);
  const text = await readAll(incoming);
  if (!api) return answer(response, problem(404, `no such path: ${path}`));
  const body: unknown = JSON.parse(text);
  const request: FakeRequest = { api, path, headers: { ...incoming.headers }, body: isObject(body) ? body : {}, text };
  requests.push(request);
  const unpaired = options.strictPairing ? pairingProblems(api, request.body) : [];
  if (unpaired.length > 0) return answer(response, problem(400, unpaired.join('; ')));
  const step = steps.shift();
  if (step === undefined) return answer(response, problem(400, 'the script of the fake provider is over'));
  const made = typeof step === 'function' ? await step(request) : step;
  if (typeof made === 'object' && 'status' in made) return answer(response, made);
  await stream(exchange, typeof made === 'string' ? { text: made } : made, { api, nonce: String(requests.length) });
}

function apiOf(path: string): FakeApi | undefined {
  if (path.endsWith('/messages')) return 'anthropic';
  if (path.endsWith('/chat/completions')) return 'openai-chat';
  return path.endsWith('/responses') ? 'openai-responses' : undefined;
}

function problem(status: number, message: string): FakeAnswer {
  return { status, body: { error: { type: 'invalid_request_error', message } } };
}

function answer(response: ServerResponse, { status, body = '', headers = {} }: FakeAnswer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body !== 'string' ? 'application/json' : text.startsWith('<') ? 'text/html' : 'text/plain';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(text);
}

async function stream(exchange: Exchange, reply: FakeReply, { api, nonce }: { readonly api: FakeApi; readonly nonce: string }): Promise<void> {
  const { response } = exchange;
  const { fault } = reply;
  const whole = bodyOf(api, reply, nonce);
  const bytes = whole.subarray(0, lengthOf(whole, fault));
  if (fault?.kind === 'hang' && fault.afterBytes === 0) return;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const size = reply.chunkBytes ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size));
    await (reply.pauseMs === undefined ? nextTick() : sleep(reply.pauseMs, undefined, { signal: exchange.signal }));
  }
  await finish(exchange, fault);
}

/** Comments and pings can only come between events. */
function lengthOf(whole: Buffer, fault: FakeFault | undefined): number {
  if (!fault || !('afterBytes' in fault)) return whole.length;
  if (fault.kind !== 'drip') return fault.afterBytes;
  const end = whole.subarray(0, fault.afterBytes).lastIndexOf('\n\n');
  return end < 0 ? 0 : end + 2;
}

async function finish({ response, signal }: Exchange, fault: FakeFault | undefined): Promise<void> {
  switch (fault?.kind) {
    case 'hang': return;
    case 'reset':
      await sleep(20);
      response.destroy();
      return;
    case 'drip':
      while (!signal.aborted && !response.destroyed) {
        response.write(fault.as === 'comment' ? ': still here\n\n' : 'event: ping\ndata: {"type":"ping"}\n\n');
        await sleep(fault.everyMs);
      }
      return;
    default: response.end();
  }
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
