import { Client, ProtocolError, SSEClientTransport, StreamableHTTPClientTransport, type Transport, type VersionNegotiationOptions } from '@modelcontextprotocol/client';
import type { Clock, Host } from '../host/host.ts';
import { SkillmintError } from '../protocol/errors.ts';
import { VERSION } from '../version.ts';
import type { ServerDefinition } from './definition.ts';
import { rootsOf } from './roots.ts';
import { httpWay, TOO_LARGE } from './http-way.ts';
import { keptLogin, LOGIN_ANSWER_MS, type LoginStore } from './logins.ts';
import { failureText, statusOf } from './request-failure.ts';
import { stdioTransport, type StdioTransport } from './stdio-transport.ts';
import { within } from './within.ts';

/** How long a program may take to say whether it knows the newest revision, in ms; most that do not know the question say so at once. */
const PROBE_MS = 3_000;
/** How long a server may take to hear that a connection is over, in ms. */
const LEAVE_MS = 1_000;
/** Pages of one list. */
const MOST_PAGES = 50;

/** What connections are made with. */
export interface ConnectParts {
  readonly host: Pick<Host, 'start' | 'env'>;
  readonly clock: Clock;
  /** The setting `network.allow`. */
  readonly allow: readonly string[];
  readonly shortName: string;
  /** Logins at servers over HTTP. */
  readonly logins?: LoginStore;
  /** Folders that the server is told to work in when it asks; left out, it is told of none. */
  readonly roots?: (() => readonly string[]) | undefined;
}

/** A server that has answered. */
export interface Connection {
  readonly client: Client;
  /** Revision of the protocol that both speak. */
  readonly protocol: string;
  /** Resolves with the reason when the connection is gone, whoever ended it. */
  readonly closed: Promise<string>;
  /** Why it is gone; undefined while it is there. */
  ended(): string | undefined;
  /** True where the server has refused a request unread, because it no longer knows the connection. */
  isForgotten(error: unknown): boolean;
  /** Resolves when a program is gone with all that it started; a server over HTTP is told that the connection is over. */
  close(): Promise<void>;
}

interface Line {
  readonly transport: Transport;
  /** Why the line is gone, where more is known than the library tells. */
  readonly ended: () => string | undefined;
  /** What closes it, where that has begun by itself. */
  readonly ending?: () => Promise<void> | undefined;
  /** Tells the server that the connection is over. */
  readonly leave?: () => Promise<void>;
  /** What a program has printed beside the protocol. */
  readonly said?: () => string | undefined;
  /** The newest revision is not asked for. */
  readonly older?: boolean;
  /** The answer to the question for the newest revision is waited for to the end. */
  readonly isPatient?: boolean;
}

interface Limits {
  readonly clock: Clock;
  /** ms since 1970. */
  readonly until: number;
  /** Aborts then, by the clock. */
  readonly late: AbortSignal;
  readonly signal: AbortSignal;
  readonly shortName: string;
  readonly definition: ServerDefinition;
  readonly roots: ConnectParts['roots'];
  /** See `connectServer`. */
  readonly onProgram: (said: () => string | undefined) => void;
}

/**
 * Connects within `limitMs`: the newest revision first, then older ones; over HTTP then also the older form with a stream of
 * its own. `onProgram` gets what tells the words that a program has printed beside the protocol. Rejects with an error that says
 * why; nothing of the server is left then.
 */
export async function connectServer(definition: ServerDefinition, parts: ConnectParts, { limitMs, signal, onProgram }: { readonly limitMs: number } & Pick<Limits, 'signal' | 'onProgram'>): Promise<Connection> {
  const { clock, shortName } = parts;
  return within(clock, limitMs, (late) => {
    const limits = { clock, until: clock.now() + limitMs, late, signal, shortName, definition, roots: definition.roots ? parts.roots : undefined, onProgram };
    return definition.kind === 'stdio' ? connectProgram(() => stdioTransport({ host: parts.host, definition }), limits) : connectAddress({ definition, parts }, limits);
  });
}

/**
 * Some programs end at a question that they do not know; those are started again and not asked. Others know nothing but the
 * newest revision and take long to start: what they were sent meanwhile they refuse, and are asked once more.
 */
async function connectProgram(start: () => StdioTransport, limits: Limits): Promise<Connection> {
  const first = start();
  limits.onProgram(first.said);
  let wasRefused = false;
  try {
    return await open({ transport: first, ended: first.ended, said: first.said }, limits);
  } catch (error) {
    wasRefused = !first.hasRun() && isRefusal(error);
    if ((!first.hasRun() && !wasRefused) || limits.signal.aborted || limits.late.aborted) throw error;
  }
  const second = start();
  limits.onProgram(second.said);
  return open({ transport: second, ended: second.ended, said: second.said, ...(wasRefused ? { isPatient: true } : { older: true }) }, limits);
}

/** True where the server itself has answered that it does not speak with us. */
function isRefusal(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProtocolError) return true;
  return false;
}

async function connectAddress({ definition, parts }: { readonly definition: Extract<ServerDefinition, { kind: 'http' }>; readonly parts: ConnectParts }, limits: Limits): Promise<Connection> {
  const line = <T extends Transport>(make: (url: URL, options: object) => T, { older, leave }: { readonly older: boolean; readonly leave?: (transport: T) => Promise<void> }): Line => {
    let broken: string | undefined;
    let ending: Promise<void> | undefined;
    const onTooLarge = (): void => {
      broken = TOO_LARGE;
      ending = transport.close();
    };
    const way = { definition, allow: parts.allow, env: parts.host.env, onTooLarge };
    const fetch = httpWay(way);
    const authProvider = keptLogin({ store: parts.logins, shortName: parts.shortName, url: definition.url, fetchFn: httpWay({ ...way, answerMs: LOGIN_ANSWER_MS, signal: AbortSignal.any([limits.signal, limits.late]) }) });
    const transport = make(new URL(definition.url), { fetch, requestInit: { headers: { ...definition.headers } }, ...(authProvider ? { authProvider } : {}) });
    return { transport, ended: () => broken, older, ending: () => ending, ...(leave ? { leave: () => leave(transport) } : {}) };
  };
  try {
    if (!definition.legacy) return await open(line((url, options) => new StreamableHTTPClientTransport(url, options), { older: false, leave: (transport) => transport.terminateSession() }), limits);
  } catch (error) {
    if (!(error instanceof SkillmintError) || !saysOtherForm(error.cause)) throw error;
  }
  return open(line((url, options) => new SSEClientTransport(url, options), { older: true }), limits);
}

/** What a server of the older form answers to a message that is sent to the address of its stream. */
function saysOtherForm(error: unknown): boolean {
  return [400, 404, 405].includes(statusOf(error));
}

async function open(line: Line, limits: Limits): Promise<Connection> {
  const { transport, ended, said, older, isPatient } = line;
  const left = Math.max(1, limits.until - limits.clock.now());
  const client = newClient({ mode: older ? 'legacy' : 'auto', probe: { timeoutMs: isPatient ? left : PROBE_MS } }, limits.roots);
  const { late } = limits;
  const signal = AbortSignal.any([limits.signal, late]);
  try {
    // The library bounds each of its questions, not all of them together, and waits for its first one even when it is stopped.
    await Promise.race([client.connect(transport, { timeout: left, signal }), aborted(signal).then(() => signal.throwIfAborted())]);
  } catch (error) {
    const why = late.aborted ? inTime(said?.()) : ended() ?? failureText(error, limits).replace(/\.$/, '');
    await transport.close();
    throw new SkillmintError('network_failed', why, { cause: error });
  }
  return connectionOf(client, line, limits.clock);
}

function inTime(said: string | undefined): string {
  return `it did not answer in time${said === undefined ? '' : `; it printed: ${said}`}`;
}

/** What servers may ask for in return: folders. Questions to the person are answered with the call that brings them; a model's answers are not given. */
function newClient(versionNegotiation: VersionNegotiationOptions, roots: ConnectParts['roots']): Client {
  const client = new Client({ name: 'skillmint', version: VERSION }, { capabilities: roots ? { roots: { listChanged: true } } : {}, versionNegotiation, listMaxPages: MOST_PAGES });
  if (roots) client.setRequestHandler('roots/list', () => rootsOf(roots()));
  return client;
}

function connectionOf(client: Client, { transport, ended, ending, leave }: Line, clock: Clock): Connection {
  let gone: string | undefined;
  const closed = new Promise<string>((resolve) => {
    Object.assign(client, {
      onclose: () => {
        gone ??= ended() ?? 'the connection was closed';
        resolve(gone);
      },
    });
  });
  return {
    client,
    protocol: client.getNegotiatedProtocolVersion() ?? 'unknown',
    closed,
    ended: () => gone ?? ended(),
    isForgotten: (error) => transport.sessionId !== undefined && statusOf(error) === 404,
    close: async () => {
      // A server that does not hear it ends the connection by itself some day.
      if (leave && gone === undefined) await within(clock, LEAVE_MS, (late) => Promise.race([leave(), aborted(late)])).catch(() => undefined);
      await client.close();
      await transport.close();
      await ending?.();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
