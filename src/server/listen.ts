import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { SkillmintError, systemCode } from '../protocol/errors.ts';
import type { AppEnv } from './app-env.ts';
import { refusal } from './http-error.ts';

/** How long a client has to send the head of a request, and the whole of it, and how often that is looked at; ms. */
export interface ListenLimits {
  readonly headMs: number;
  readonly wholeMs: number;
  readonly lookMs: number;
}

const LIMITS: ListenLimits = { headMs: 10_000, wholeMs: 300_000, lookMs: 2_000 };
const HEAD_BYTES = 16_384;
const NO_REQUEST = 'This is no request of HTTP that can be read.';
/** An idle connection is kept so long, ms. */
const IDLE_MS = 5_000;

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Takes no more requests; resolves when those that run have ended, or were cut off after `withinMs`. */
  readonly close: (withinMs: number) => Promise<void>;
}

/** Opens the port; 0 takes a free one. @throws SkillmintError io when it cannot be had */
export async function listen({ app, host, port, limits: { headMs, wholeMs, lookMs } = LIMITS }: { readonly app: () => Hono<AppEnv>; readonly host: string; readonly port: number; readonly limits?: ListenLimits }): Promise<Listening> {
  const listener = getRequestListener((request, { incoming }) => app().fetch(request, { address: incoming.socket.remoteAddress ?? '' }), { errorHandler: () => refusal(400, 'bad_request', NO_REQUEST) });
  const server = createServer({ requireHostHeader: false, headersTimeout: headMs, requestTimeout: wholeMs, connectionsCheckingInterval: lookMs, keepAliveTimeout: IDLE_MS, maxHeaderSize: HEAD_BYTES }, (request, response) => void listener(request, response));
  server.on('clientError', refuseBroken);
  await opened(server, { host, port });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: (withinMs) => new Promise((resolve) => {
      const cut = setTimeout(() => server.closeAllConnections(), withinMs);
      server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      server.closeIdleConnections();
    }),
  };
}

/** What is no request is answered in the form of all errors, as far as somebody still listens. */
function refuseBroken(error: Error, socket: Duplex): void {
  const [line, code, says] = refusalOf(systemCode(error));
  if (!socket.writable || systemCode(error) === 'ECONNRESET') return void socket.destroy();
  const body = JSON.stringify({ error: says, code });
  socket.end(`HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`, () => socket.destroy());
}

function refusalOf(code: string): readonly [line: string, code: string, says: string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': return ['431 Request Header Fields Too Large', 'headers_too_large', `The head of the request is larger than ${HEAD_BYTES} bytes.`];
    case 'ERR_HTTP_REQUEST_TIMEOUT': return ['408 Request Timeout', 'timeout', 'The request took too long to come.'];
    default: return ['400 Bad Request', 'bad_request', NO_REQUEST];
  }
}

function opened(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(refused(error, { host, port })));
    server.listen(port, host, resolve);
  });
}

function refused(error: Error, { host, port }: { readonly host: string; readonly port: number }): SkillmintError {
  switch (systemCode(error)) {
    case 'EADDRINUSE': return new SkillmintError('io', `Port ${port} of ${host} is taken, perhaps by another skillmint. End that one, or take another port: --port ${port + 1}`, { cause: error });
    case 'EACCES': return new SkillmintError('io', `Port ${port} may not be opened by this user. Take one above 1023: --port 8765`, { cause: error });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND': return new SkillmintError('io', `This machine has no address ${host}. Take one of its own: --host 127.0.0.1`, { cause: error });
    default: return new SkillmintError('io', `The server cannot listen on ${host}:${port}: ${error.message}`, { cause: error });
  }
}
