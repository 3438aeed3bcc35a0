import fs from 'node:fs';
import http, { type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createEgressGuard, type EgressGuard, type EgressGuardOptions } from '../../src/egress/egress-guard.ts';

/** A server on loopback that ends with its test; `host` is `127.0.0.1:PORT`. */
export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

async function listening(server: Server | https.Server | net.Server, scheme: string): Promise<TestServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port always has an address with one.
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return { port, host: `127.0.0.1:${port}`, url: `${scheme}://127.0.0.1:${port}` };
}

export function serve(listener: RequestListener): Promise<TestServer> {
  return listening(http.createServer(listener), 'http');
}

/** For 127.0.0.1, localhost, rebound.example, public.example and github.com; it signs itself, and its key is for these tests alone. */
const CERTIFICATE = path.resolve(import.meta.dirname, 'certificate', 'certificate.pem');
const KEY = path.resolve(import.meta.dirname, 'certificate', 'key.pem');

/** `certificate`: the file of the certificate to trust. */
export async function serveSafely(listener: RequestListener): Promise<TestServer & { readonly certificate: string }> {
  const server = https.createServer({ key: fs.readFileSync(KEY), cert: fs.readFileSync(CERTIFICATE) }, listener);
  return { ...(await listening(server, 'https')), certificate: CERTIFICATE };
}

/** A proxy that notes what it is asked for, and connects to `target` instead of the named host. */
export async function serveProxy(target: { readonly port: number }): Promise<TestServer & { readonly asked: string[] }> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    response.end('by the proxy');
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    const through = net.connect(target.port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    through.pipe(socket).pipe(through);
    for (const end of [through, socket]) end.on('error', () => { through.destroy(); socket.destroy(); });
  });
  return { ...(await listening(server, 'http')), asked };
}

export function guardFor(allow: readonly string[], options: Partial<EgressGuardOptions> = {}): EgressGuard {
  return createEgressGuard({ allow, env: {}, ...options });
}
