import { randomBytes, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Transform, type Duplex } from 'node:stream';
import { SkillmintError, messageOf } from '../protocol/errors.ts';
import { plainHost } from './allow-list.ts';
import { checkTarget, type CheckedTarget, type EgressRules, type PlainHttp } from './check-target.ts';
import { connectTo } from './connect.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import type { EgressLimits } from './egress-limits.ts';
import { exchange } from './exchange.ts';

/** A proxy on loopback through which one program reaches the network. */
export interface LocalProxy {
  /** With a name and a password that nobody else knows. */
  readonly url: string;
  /** What was refused or failed so far, in order. */
  readonly problems: readonly SkillmintError[];
  /** Gives them and forgets them, so that there is room for others. */
  takeProblems(): readonly SkillmintError[];
  /** Ends it with all its lines. */
  close(): Promise<void>;
}

/** What a proxy works with; `limits` hold for everything that goes through it, in both directions together. */
export interface LocalProxyOptions {
  readonly rules: EgressRules;
  readonly limits: EgressLimits;
  readonly plainHttp: PlainHttp;
  /** Asked first: false refuses a host before anything is looked up. All are admitted when left out. */
  readonly admits?: (host: string, port: number) => boolean;
  /** Asked first, too: why a host is refused although the guard may let it pass. */
  readonly refusal?: (host: string, port: number) => string | undefined;
  /** Listens elsewhere: hands every connection to `accept` and resolves to the port that its clients see. */
  readonly listenAt?: (accept: (socket: Socket) => void) => Promise<number>;
}

interface Session extends LocalProxyOptions {
  readonly problems: SkillmintError[];
  readonly secret: Buffer;
  /** Ends every line. */
  readonly closing: AbortController;
  bytes: number;
}

/** Headers that are between a client and its proxy. */
const HOP_HEADERS = new Set(['connection', 'host', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']);
const USER = 'skillmint';
/** A program may be refused without end. */
const MOST_PROBLEMS = 1_000;

/** Starts a proxy that checks every target as the guarded fetch does. It has to be closed by its caller. */
export async function startLocalProxy(options: LocalProxyOptions): Promise<LocalProxy> {
  const password = randomBytes(24).toString('hex');
  const secret = Buffer.from(`Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`);
  const session: Session = { ...options, problems: [], secret, closing: new AbortController(), bytes: 0 };
  const server = http.createServer((request, response) => void forward(session, request, response).catch((error: unknown) => refuseRequest(session, error, response)));
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    tunnel(session, { request, socket, head }).catch((error: unknown) => refuseTunnel(session, error, socket));
  });
  const port = await (options.listenAt?.((socket) => void server.emit('connection', socket)) ?? listenHere(server));
  return {
    url: `http://${USER}:${password}@127.0.0.1:${port}`,
    problems: session.problems,
    takeProblems: () => session.problems.splice(0),
    close: async () => {
      session.closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listenHere(server: http.Server): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  // A server that listens on a port always has an address with one.
  return (server.address() as AddressInfo).port;
}

/** Refuses what was not granted, and then what the rules of the guard refuse. */
async function checked(session: Session, text: string): Promise<CheckedTarget> {
  if ((session.admits || session.refusal) && URL.canParse(text)) {
    const { hostname, port: given, protocol } = new URL(text);
    const host = plainHost(hostname);
    const port = Number(given || (protocol === 'https:' ? 443 : 80));
    const refusal = session.refusal?.(host, port);
    if (refusal !== undefined) throw new SkillmintError('egress_refused', `${host} is refused: ${refusal}.`);
    if (session.admits && !session.admits(host, port)) throw new SkillmintError('egress_refused', `${host} is refused: no rule Network(${host}) was given.`);
  }
  return checkTarget(text, session.rules, session);
}

async function tunnel(session: Session, { request, socket, head }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer }): Promise<void> {
  authorize(session, request);
  const target = await checked(session, `https://${request.url ?? ''}`);
  const deadline = lineDeadline(session, { what: target.url.host, signal: session.closing.signal });
  deadline.signal.addEventListener('abort', () => void socket.destroy(), { once: true });
  try {
    const { socket: line } = await connectTo(target, deadline.signal);
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    await Promise.all([ended([socket, counter(session, deadline), line]), ended([line, counter(session, deadline), socket])]);
  } finally {
    noteStop(session, deadline);
    deadline.stop();
  }
}

/** Plain requests name their whole address. */
async function forward(session: Session, request: IncomingMessage, response: ServerResponse): Promise<void> {
  authorize(session, request);
  const target = await checked(session, request.url ?? '');
  if (target.tls) throw new SkillmintError('egress_refused', 'https addresses go through a tunnel.');
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const deadline = lineDeadline(session, { what: target.url.host, signal: AbortSignal.any([session.closing.signal, gone.signal]) });
  try {
    const body = counter(session, deadline);
    // A server may answer without reading it all.
    pipeline(request, body, () => undefined);
    const chunked = request.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
    const answer = await exchange(target, { method: request.method ?? 'GET', headers: { ...kept(request.headers), ...chunked }, body, signal: deadline.signal });
    response.writeHead(answer.statusCode ?? 502, kept(answer.headers));
    await ended([answer, counter(session, deadline), response]);
  } finally {
    noteStop(session, deadline);
    deadline.stop();
  }
}

function kept(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined || HOP_HEADERS.has(name) ? [] : [[name, value]])));
}

function authorize({ secret }: Session, { headers }: IncomingMessage): void {
  const given = Buffer.from(headers['proxy-authorization'] ?? '');
  if (given.length !== secret.length || !timingSafeEqual(given, secret)) throw new SkillmintError('permission_denied', 'This proxy belongs to another program.');
}

function lineDeadline({ limits }: Session, { what, signal }: { readonly what: string; readonly signal: AbortSignal }): Deadline {
  return startDeadline({ what, totalMs: limits.totalMs, idleMs: limits.idleMs, signal });
}

/** Passes bytes on and counts them; fails when there are too many. */
function counter(session: Session, deadline: Deadline): Transform {
  const { limits, problems } = session;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      deadline.touch();
      session.bytes += chunk.length;
      if (session.bytes <= limits.bodyBytes) return done(null, chunk);
      const problem = new SkillmintError('network_failed', `more than ${Math.floor(limits.bodyBytes / 1024 / 1024)} MiB would have to be fetched; nothing was kept.`);
      if (problems.length < MOST_PROBLEMS) problems.push(problem);
      done(problem);
    },
  });
}

/** Joins streams; whichever ends badly ends all of them, and what matters of it was noted. */
function ended(streams: readonly (NodeJS.ReadableStream | NodeJS.WritableStream | NodeJS.ReadWriteStream)[]): Promise<void> {
  return new Promise((resolve) => void pipeline(streams, () => resolve()));
}

/** A limit that has ended a line is the reason for what its user sees next. */
function noteStop({ problems }: Session, { signal }: Deadline): void {
  const { reason } = signal;
  if (reason instanceof SkillmintError && reason.code !== 'interrupted' && problems.length < MOST_PROBLEMS && !problems.includes(reason)) problems.push(reason);
}

function noted(session: Session, error: unknown): { readonly status: number; readonly says: string } {
  if (error instanceof SkillmintError && error.code === 'permission_denied') return { status: 407, says: error.message };
  const known = error instanceof SkillmintError ? error : new SkillmintError('network_failed', messageOf(error), { cause: error });
  if (known.code !== 'interrupted' && session.problems.length < MOST_PROBLEMS && !session.problems.includes(known)) session.problems.push(known);
  return { status: known.code === 'egress_refused' ? 403 : 502, says: known.message };
}

function refuseTunnel(session: Session, error: unknown, socket: Duplex): void {
  const { status } = noted(session, error);
  const challenge = status === 407 ? 'Proxy-Authenticate: Basic realm="skillmint"\r\n' : '';
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

function refuseRequest(session: Session, error: unknown, response: ServerResponse): void {
  const { status, says } = noted(session, error);
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { ...(status === 407 ? { 'proxy-authenticate': 'Basic realm="skillmint"' } : {}), 'content-type': 'text/plain', connection: 'close' });
  response.end(says);
}
