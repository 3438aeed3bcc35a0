import type http from 'node:http';
import net from 'node:net';
import { ProxyAgent, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EGRESS_LIMITS, type EgressLimits } from '../../src/egress/egress-limits.ts';
import type { LocalProxy } from '../../src/egress/local-proxy.ts';
import { guardFor, serve, serveProxy, serveSafely } from './servers.ts';

async function proxyFor(allow: readonly string[], { limits = {}, ...options }: { readonly limits?: Partial<EgressLimits>; readonly env?: Record<string, string>; readonly resolve?: () => Promise<readonly string[]> } = {}): Promise<LocalProxy> {
  const proxy = await guardFor(allow, options).startProxy({ limits: { ...EGRESS_LIMITS, ...limits }, plainHttp: 'listed' });
  onTestFinished(() => proxy.close());
  return proxy;
}

/** What a client that knows proxies gets, as `STATUS TEXT`. Plain addresses are asked for whole, as most clients do. */
async function through(proxy: string, url: string, body?: string): Promise<string> {
  const { username, password, origin } = new URL(proxy);
  const token = username === '' ? {} : { token: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  const dispatcher = new ProxyAgent({ uri: origin, ...token, proxyTunnel: url.startsWith('https:'), requestTls: { rejectUnauthorized: false } });
  onTestFinished(() => dispatcher.destroy());
  const answer = await request(url, { dispatcher, ...(body === undefined ? {} : { method: 'POST', body }) });
  return `${answer.statusCode} ${await answer.body.text()}`;
}

function outcome(proxy: string, url: string): Promise<string> {
  return through(proxy, url).then(() => 'whole', () => 'broken off');
}

/** Asks for a tunnel and gives the first line of the answer. */
function askTunnel(proxy: LocalProxy, authority: string, { password }: { readonly password?: string } = {}): Promise<string> {
  const { hostname, port, username, password: own } = new URL(proxy.url);
  const pair = Buffer.from(`${username}:${password ?? own}`).toString('base64');
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: Basic ${pair}\r\n\r\n`));
    socket.once('data', (data) => { socket.destroy(); resolve(String(data).split('\r\n')[0] ?? ''); });
    socket.on('error', reject);
  });
}

describe('the local proxy', () => {
  it('passes requests on to listed hosts, plain and by a tunnel, and keeps its password to itself', async () => {
    const heads: http.IncomingHttpHeaders[] = [];
    const echo: http.RequestListener = (request, response) => {
      heads.push(request.headers);
      request.pipe(response);
    };
    const [plain, safe] = [await serve(echo), await serveSafely(echo)];
    const proxy = await proxyFor([plain.host, safe.host]);
    expect(await through(proxy.url, `${plain.url}/a`, 'plain')).toBe('200 plain');
    expect(await through(proxy.url, `${safe.url}/a`, 'safe')).toBe('200 safe');
    expect(heads.flatMap((head) => Object.keys(head)).filter((name) => name.startsWith('proxy-'))).toEqual([]);
    expect([new URL(proxy.url).hostname, proxy.problems]).toEqual(['127.0.0.1', []]);
  });

  it('refuses whoever does not know its password', async () => {
    const server = await serve((_request, response) => response.end('x'));
    const proxy = await proxyFor([server.host]);
    const { host } = new URL(proxy.url);
    expect(await askTunnel(proxy, server.host, { password: 'wrong' })).toContain('407');
    for (const user of ['', 'skillmint:guess@']) await expect(through(`http://${user}${host}`, server.url)).rejects.toThrow('407');
    expect(proxy.problems).toEqual([]);
  });

  it.each(['127.0.0.1:80', '2130706433:443', '[::1]:443', 'localhost:443', '169.254.169.254:80', '10.0.0.1:443', '[::ffff:127.0.0.1]:443', 'turned.example:443', 'user@127.0.0.1:443', 'public.example:25', 'x y:443', ''])('refuses a tunnel to %j', async (authority) => {
    const proxy = await proxyFor([], { resolve: async () => (authority.startsWith('public') ? ['93.184.216.34'] : ['127.0.0.1']) });
    expect(await askTunnel(proxy, authority)).toMatch(/ 40[03] /);
  });

  it('refuses plain requests to hosts that are not listed, and notes why', async () => {
    let requests = 0;
    const server = await serve((_request, response) => { requests += 1; response.end(); });
    const proxy = await proxyFor(['other.example'], { resolve: async () => ['93.184.216.34'] });
    expect(await through(proxy.url, server.url)).toContain('is refused');
    expect(await through(proxy.url, 'http://public.example/')).toContain('use https:');
    expect(proxy.problems.map(({ code }) => code)).toEqual(['egress_refused', 'egress_refused']);
    expect(requests).toBe(0);
  });

  it('connects to the checked address alone', async () => {
    const server = await serveSafely((_request, response) => response.end('inside'));
    const proxy = await proxyFor(['rebound.example'], { resolve: async () => ['127.0.0.1'] });
    expect(await through(proxy.url, `https://rebound.example:${server.port}/`)).toBe('200 inside');
  });

  it('ends at its limits of bytes and of time', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/large') response.end(Buffer.alloc(300_000));
      else response.write('a');
    });
    const small = await proxyFor([server.host], { limits: { bodyBytes: 100_000 } });
    expect(await outcome(small.url, `${server.url}/large`)).toBe('broken off');
    expect(small.problems).toEqual([expect.objectContaining({ code: 'network_failed', message: expect.stringContaining('more than') })]);
    const hasty = await proxyFor([server.host], { limits: { totalMs: 300 } });
    const from = Date.now();
    expect(await outcome(hasty.url, `${server.url}/slow`)).toBe('broken off');
    expect(Date.now() - from).toBeLessThan(5_000);
    expect(hasty.problems).toEqual([expect.objectContaining({ message: expect.stringContaining('was not complete after 0.3 s') })]);
  });

  it('goes through the proxy of the environment', async () => {
    const server = await serveSafely((_request, response) => response.end('far'));
    const upstream = await serveProxy(server);
    const proxy = await proxyFor([], { env: { HTTPS_PROXY: upstream.url }, resolve: async () => { throw new Error('unknown here'); } });
    expect(await through(proxy.url, 'https://public.example/')).toBe('200 far');
    expect(upstream.asked).toEqual(['CONNECT public.example:443']);
  });

  it('ends with its lines', async () => {
    const server = await serve((_request, response) => response.write('a'));
    const proxy = await proxyFor([server.host]);
    const waiting = outcome(proxy.url, server.url);
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    await proxy.close();
    expect(await waiting).toBe('broken off');
    await expect(askTunnel(proxy, server.host)).rejects.toThrow('ECONNREFUSED');
  });
});
