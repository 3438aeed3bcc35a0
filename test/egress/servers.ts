import { execFileSync } from 'node:child_process';
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

/** With a certificate for 127.0.0.1 and localhost that signs itself; `certificate` is its file. */
export async function serveSafely(folder: string, listener: RequestListener): Promise<TestServer & { readonly certificate: string }> {
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:rebound.example';
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext', names, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  const server = https.createServer({ key: fs.readFileSync(key), cert: fs.readFileSync(certificate) }, listener);
  return { ...(await listening(server, 'https')), certificate };
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
