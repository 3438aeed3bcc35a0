import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import type { Duplex } from 'node:stream';
import { SkillmintError, messageOf, systemCode } from '../protocol/errors.ts';
import type { CheckedTarget } from './check-target.ts';
import { displayUrl } from './display-url.ts';
import { proxyAuthorization } from './upstream-proxy.ts';

/** A line to a target; `toProxy` when requests must name the whole address, because a proxy reads them. */
export interface Connection {
  readonly socket: Duplex;
  readonly toProxy: boolean;
}

/**
 * Connects to a checked target, to one of its checked addresses alone, or through the proxy: by a tunnel for `https:`.
 * Nothing is encrypted yet. Throws `network_failed`; an aborted signal throws its reason.
 */
export async function connectTo(target: CheckedTarget, signal: AbortSignal): Promise<Connection> {
  signal.throwIfAborted();
  const { proxy } = target;
  try {
    if (proxy === undefined) return { socket: await connectDirectly(target, signal), toProxy: false };
    if (target.tls) return { socket: await tunnel(target, proxy, signal), toProxy: false };
    return { socket: await connectToProxy(proxy, signal), toProxy: true };
  } catch (error) {
    signal.throwIfAborted();
    const where = proxy === undefined ? '' : ` through the proxy ${proxy.host}`;
    throw networkFailed(target.url, `cannot be reached${where}: ${reasonOf(error)}`, error);
  }
}

/** Encrypts a line to a target and checks its certificate. `ca` takes the place of Node's certificates. Same errors. */
export async function encrypt(socket: Duplex, target: CheckedTarget, { ca, signal }: { readonly ca: readonly string[] | undefined; readonly signal: AbortSignal }): Promise<Duplex> {
  const named = net.isIP(target.host) === 0 ? { servername: target.host } : {};
  const secure = tls.connect({ socket, host: target.host, ...named, ALPNProtocols: ['http/1.1'], ...(ca === undefined ? {} : { ca: [...ca] }) });
  try {
    await untilEvent(secure, 'secureConnect', signal);
    return secure;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw networkFailed(target.url, `has no safe connection: ${reasonOf(error)}`, error);
  }
}

/** The error of a target that cannot be used; `says` continues its address. */
export function networkFailed(url: URL, says: string, cause?: unknown): SkillmintError {
  return new SkillmintError('network_failed', `${displayUrl(url)} ${says}. Check the address and the connection, then try again.`, { cause });
}

async function connectDirectly({ host, port, addresses, local }: CheckedTarget, signal: AbortSignal): Promise<Duplex> {
  const inside = local && addresses.every((address) => address === '::1' || address.startsWith('127.')) ? await local(port) : undefined;
  if (inside) return inside;
  const checked = addresses.map((address) => ({ address, family: net.isIP(address) }));
  const lookup: net.LookupFunction = (_name, options, done) => {
    const [first] = checked;
    if (options.all === true) done(null, checked);
    else if (first === undefined) done(new Error('no address was checked'), '');
    else done(null, first.address, first.family);
  };
  return untilConnected(net.connect({ host, port, lookup }), signal);
}

function connectToProxy(proxy: URL, signal: AbortSignal): Promise<net.Socket> {
  const host = proxy.hostname.replace(/^\[(.*)\]$/, '$1');
  if (proxy.protocol === 'http:') return untilConnected(net.connect({ host, port: Number(proxy.port || 80) }), signal);
  const named = net.isIP(host) === 0 ? { servername: host } : {};
  return untilEvent(tls.connect({ host, port: Number(proxy.port || 443), ...named }), 'secureConnect', signal);
}

function untilConnected(socket: net.Socket, signal: AbortSignal): Promise<net.Socket> {
  return untilEvent(socket, 'connect', signal);
}

/** Waits for a socket; destroys it when that fails. */
function untilEvent<S extends Duplex>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const stop = (): void => void socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    const settled = (): void => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop, { once: true });
    socket.once(event, () => { settled(); resolve(socket); });
    // It stays: a socket that fails between its users must not end the process.
    socket.on('error', (error) => { settled(); socket.destroy(); reject(error); });
    socket.once('close', () => { settled(); reject(new Error('the connection was closed')); });
  });
}

function tunnel({ host, port }: CheckedTarget, proxy: URL, signal: AbortSignal): Promise<Duplex> {
  const authority = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
  const { request } = proxy.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const asked = request(proxy, { method: 'CONNECT', path: authority, agent: false, signal, headers: { host: authority, ...proxyAuthorization(proxy) } });
    asked.on('error', reject);
    asked.on('response', (answer) => { answer.destroy(); reject(new Error(`the proxy answered with the status ${answer.statusCode}`)); });
    asked.on('connect', ({ statusCode }, socket, head) => {
      socket.on('error', () => socket.destroy());
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(new Error(`the proxy answered with the status ${statusCode}`));
    });
    asked.end();
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const says = messageOf(error);
  const code = systemCode(error);
  return says === '' || code === 'ECONNREFUSED' ? code : says;
}
