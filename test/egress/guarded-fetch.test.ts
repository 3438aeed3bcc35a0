import type { RequestListener, ServerResponse } from 'node:http';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { EGRESS_LIMITS } from '../../src/egress/egress-limits.ts';
import { guardFor, serve, serveProxy, serveSafely } from './servers.ts';

const MIB = 1024 * 1024;

/** Sends pieces for as long as somebody listens, and says how many it was. */
function endless(response: ServerResponse, piece: Buffer): { sent: number } {
  const count = { sent: 0 };
  const more = (): void => {
    while (!response.destroyed && response.write(piece)) count.sent += piece.length;
    if (!response.destroyed) response.once('drain', more);
  };
  more();
  return count;
}

describe('the guarded fetch', () => {
  it('reaches loopback only where it is listed, and says how to list it', async () => {
    let requests = 0;
    const server = await serve((_request, response) => { requests += 1; response.end('hello'); });
    const refused = guardFor(['other.example', `127.0.0.1:${server.port + 1}`]).fetch(`${server.url}/a?token=t`);
    await expect(refused).rejects.toMatchObject({ code: 'egress_refused', message: `${server.url}/a is refused: 127.0.0.1 is this machine. If that is meant, add "${server.host}" to the setting network.allow.` });
    await expect(guardFor([]).fetch(`http://localhost:${server.port}/`)).rejects.toMatchObject({ code: 'egress_refused' });
    expect(requests).toBe(0);
    const answer = await guardFor([server.host]).fetch(`${server.url}/a`);
    expect([answer.ok, answer.status, await answer.text()]).toEqual([true, 200, 'hello']);
  });

  it('connects to the checked address alone, whatever the name leads to afterwards (C-N3)', async () => {
    let requests = 0;
    const server = await serve((_request, response) => { requests += 1; response.end('inside'); });
    // The name is in no zone: only the address that was checked can have been used.
    const pinned = guardFor(['rebound.example'], { resolve: async () => ['127.0.0.1'] });
    expect(await (await pinned.fetch(`http://rebound.example:${server.port}/`)).text()).toBe('inside');
    let looks = 0;
    const turning = guardFor([], { resolve: async () => (looks++ === 0 ? ['93.184.216.34'] : ['127.0.0.1']) });
    await expect(turning.fetch(`http://rebound.example:${server.port}/`)).rejects.toMatchObject({ code: 'egress_refused', message: expect.stringContaining('rebound.example leads to 127.0.0.1') });
    expect(requests).toBe(1);
  });

  it('refuses a name of which one address is private, and a listed name that leads to credentials', async () => {
    const mixed = guardFor([], { resolve: async () => ['93.184.216.34', '10.0.0.1'] });
    await expect(mixed.fetch('https://mixed.example/')).rejects.toMatchObject({ code: 'egress_refused', message: expect.stringContaining('10.0.0.1, which is an address of a private network') });
    const metadata = guardFor(['*.example'], { resolve: async () => ['169.254.169.254'] });
    await expect(metadata.fetch('http://meta.example/')).rejects.toMatchObject({ code: 'egress_refused', message: expect.stringContaining('list the address itself') });
  });

  it('gives a redirect as the answer where it is told to, and asks nobody else', async () => {
    let asked = 0;
    const target = await serve((_request, response) => { asked += 1; response.end('target'); });
    const server = await serve((_request, response) => void response.writeHead(307, { location: target.url }).end());
    const answer = await guardFor([server.host, target.host]).fetch(server.url, { method: 'POST', body: 'secret', redirect: () => Promise.resolve(undefined) });
    answer.cancel();
    expect([answer.status, answer.headers.get('location'), asked]).toEqual([307, target.url, 0]);
  });

  it('follows redirects with a check at each', async () => {
    const inner = await serve((_request, response) => response.end('inner'));
    const outer = await serve((request, response) => {
      const to: Readonly<Record<string, string>> = { '/in': inner.url, '/same': '/end', '/file': 'file:///etc/passwd', '/odd': 'http://[' };
      const location = to[request.url ?? ''];
      if (location === undefined) { response.end(`at ${request.url}`); return; }
      response.writeHead(302, { location });
      response.end();
    });
    const guard = guardFor([outer.host]);
    await expect(guard.fetch(`${outer.url}/in`)).rejects.toMatchObject({ code: 'egress_refused', message: expect.stringContaining(inner.host) });
    await expect(guard.fetch(`${outer.url}/file`)).rejects.toMatchObject({ code: 'egress_refused', message: expect.stringContaining('only http and https') });
    await expect(guard.fetch(`${outer.url}/odd`)).rejects.toMatchObject({ code: 'network_failed' });
    const same = await guard.fetch(`${outer.url}/same`);
    expect([same.url, await same.text()]).toEqual([`${outer.url}/end`, 'at /end']);
    expect(await (await guardFor([outer.host, inner.host]).fetch(`${outer.url}/in`)).text()).toBe('inner');
  });

  it('stops at the sixth redirect of fifty (C-N6)', async () => {
    let requests = 0;
    const server = await serve((request, response) => {
      requests += 1;
      response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` });
      response.end();
    });
    await expect(guardFor([server.host]).fetch(`${server.url}/1`)).rejects.toMatchObject({ code: 'network_failed', message: expect.stringContaining('more than 5 times') });
    expect(requests).toBe(6);
  });

  it('sends credentials to their own origin alone, and bodies as the standard says', async () => {
    const seen: string[] = [];
    const note: RequestListener = (request, response) => {
      const { authorization = '-', cookie = '-', 'x-api-key': key = '-', 'user-agent': agent = '-' } = request.headers;
      seen.push([request.method, request.url, authorization, cookie, String(key), agent].join(' '));
      const to = new URL(request.url ?? '', 'http://x').searchParams.get('to');
      if (to !== null) response.writeHead(302, { location: to });
      response.end();
    };
    const [first, second] = [await serve(note), await serve(note)];
    const headers = { Authorization: 'a', cookie: 'c', 'X-Api-Key': 'k', 'user-agent': 'u' };
    const request = { headers, method: 'POST', body: '{}' };
    const onward = `/own?to=${encodeURIComponent(`${second.url}/other`)}`;
    (await guardFor([first.host, second.host]).fetch(`${first.url}/start?to=${encodeURIComponent(onward)}`, request)).cancel();
    expect(seen).toEqual([`POST /start?to=${encodeURIComponent(onward)} a c k u`, `GET ${onward} a c k u`, 'GET /other - - - u']);
  });

  it('ends a body at its limit: announced, endless, and packed by gzip (C-N6)', async () => {
    let counted = { sent: 0 };
    const bomb = zlib.gzipSync(Buffer.alloc(64 * MIB));
    const server = await serve((request, response) => {
      if (request.url === '/announced') response.writeHead(200, { 'content-length': 5 * 1024 * MIB }).flushHeaders();
      else if (request.url === '/endless') counted = endless(response, Buffer.alloc(64 * 1024));
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const guard = guardFor([server.host]);
    const before = process.memoryUsage().rss;
    for (const path of ['/announced', '/endless', '/bomb']) {
      const answer = await guard.fetch(server.url + path);
      await expect(answer.text(), path).rejects.toMatchObject({ code: 'network_failed', message: `${server.url}${path} is larger than 10 MiB, the most that is fetched; nothing was kept.` });
    }
    expect(bomb.length).toBeLessThan(MIB);
    expect(counted.sent).toBeLessThan(20 * MIB);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
  });

  it.each([['gzip', zlib.gzipSync], ['deflate', zlib.deflateSync], ['br', zlib.brotliCompressSync]] as const)('reads %s, unless it is to be kept', async (encoding, pack) => {
    const packed = pack(Buffer.from('text '.repeat(100)));
    const server = await serve((request, response) => response.writeHead(200, { 'content-encoding': encoding, 'x-accepted': request.headers['accept-encoding'] }).end(packed));
    const guard = guardFor([server.host]);
    expect(await (await guard.fetch(server.url, { headers: { 'accept-encoding': 'zstd' } })).text()).toBe('text '.repeat(100));
    const kept = await guard.fetch(server.url, { encoding: 'keep' });
    const chunks: Uint8Array[] = [];
    for await (const chunk of kept.body) chunks.push(chunk);
    expect([kept.headers.get('X-Accepted'), Buffer.concat(chunks).equals(packed)]).toEqual(['identity', true]);
  });

  it('ends what drips, what is silent and what is cut off (C-N6)', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/drip') {
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
      } else if (request.url === '/stall') response.write('a');
      else if (request.url === '/cut') {
        response.writeHead(200, { 'content-length': 100 }).write('a');
        setTimeout(() => response.destroy(), 20);
      }
    });
    const guard = guardFor([server.host]);
    const text = async (path: string): Promise<string> => (await guard.fetch(server.url + path, { limits: { totalMs: 500, idleMs: 200 } })).text();
    const from = Date.now();
    await expect(text('/drip')).rejects.toMatchObject({ code: 'network_failed', message: expect.stringContaining('was not complete after 0.5 s') });
    await expect(text('/stall')).rejects.toMatchObject({ code: 'network_failed', message: expect.stringContaining('sent nothing for 0.2 s') });
    await expect(text('/silent')).rejects.toMatchObject({ code: 'network_failed', message: expect.stringContaining('sent nothing for 0.2 s') });
    await expect(text('/cut')).rejects.toMatchObject({ code: 'network_failed', message: expect.stringContaining('was not received whole') });
    expect(Date.now() - from).toBeLessThan(5_000);
    // What holds where a request says nothing.
    expect(EGRESS_LIMITS).toMatchObject({ bodyBytes: 10 * MIB, totalMs: 30_000 });
  });

  it('stops at once when it is told to, before, during and after the head', async () => {
    const server = await serve((request, response) => { if (request.url === '/head') response.write('a'); });
    const guard = guardFor([server.host]);
    await expect(guard.fetch(server.url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'interrupted' });
    await expect(guard.fetch(server.url, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ code: 'interrupted' });
    const answer = await guard.fetch(`${server.url}/head`, { signal: AbortSignal.timeout(200) });
    await expect(answer.text()).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('says what happened when nobody answers', async () => {
    const closed = await serve((_request, response) => response.end());
    const gone = guardFor(['127.0.0.1']).fetch(`http://127.0.0.1:${closed.port === 65_535 ? 1024 : closed.port + 1}/`);
    await expect(gone).rejects.toMatchObject({ code: 'network_failed' });
    const unknown = guardFor([], { resolve: async () => { throw new Error('getaddrinfo ENOTFOUND nowhere.example'); } });
    await expect(unknown.fetch('https://nowhere.example/x')).rejects.toMatchObject({ code: 'network_failed', message: expect.stringContaining('no address is known for nowhere.example') });
  });

  it('keeps to https where that is asked for, except for listed hosts', async () => {
    const guard = guardFor(['listed.example'], { resolve: async () => ['93.184.216.34'] });
    await expect(guard.check('http://other.example/', { plainHttp: 'listed' })).rejects.toMatchObject({ code: 'egress_refused', message: expect.stringContaining('use https:') });
    await expect(guard.check('http://listed.example/', { plainHttp: 'listed' })).resolves.toBeUndefined();
    await expect(guard.check('http://other.example/', { plainHttp: 'anywhere' })).resolves.toBeUndefined();
    await expect(guard.check('http://other.example:25/', { plainHttp: 'anywhere' })).rejects.toMatchObject({ message: expect.stringContaining('port 25 belongs to another protocol') });
  });

  it('checks certificates, and takes those of NODE_EXTRA_CA_CERTS', async () => {
    const server = await serveSafely((_request, response) => response.end('safe'));
    await expect(guardFor([server.host]).fetch(server.url)).rejects.toMatchObject({ code: 'network_failed', message: expect.stringContaining('has no safe connection') });
    const env = { NODE_EXTRA_CA_CERTS: server.certificate };
    expect(await (await guardFor([server.host], { env }).fetch(server.url)).text()).toBe('safe');
    const byName = { env, resolve: async () => ['127.0.0.1'] };
    expect(await (await guardFor(['rebound.example'], byName).fetch(`https://rebound.example:${server.port}/`)).text()).toBe('safe');
    await expect(guardFor(['wrong.test'], byName).fetch(`https://wrong.test:${server.port}/`)).rejects.toMatchObject({ message: expect.stringContaining('has no safe connection') });
    await expect(guardFor([], { env: { NODE_EXTRA_CA_CERTS: '/nowhere.pem' } }).fetch('https://a.example')).rejects.toMatchObject({ code: 'config_invalid' });
  });
});

describe('behind a proxy, the guarded fetch', () => {
  it('goes through a tunnel for https and asks for the whole address for http', async () => {
    const server = await serveSafely((_request, response) => response.end('safe'));
    const proxy = await serveProxy(server);
    const env = { HTTPS_PROXY: `http://me:p%40ss@${proxy.host}`, http_proxy: proxy.url, NODE_EXTRA_CA_CERTS: server.certificate };
    const guard = guardFor([], { env, resolve: async () => { throw new Error('names are unknown here'); } });
    expect(await (await guard.fetch('https://rebound.example/')).text()).toBe('safe');
    expect(await (await guard.fetch('http://rebound.example/a?b')).text()).toBe('by the proxy');
    expect(proxy.asked).toEqual([`CONNECT rebound.example:443 Basic ${Buffer.from('me:p@ss').toString('base64')}`, 'GET http://rebound.example/a?b']);
  });

  it.each([
    'http://127.0.0.1/', 'http://2130706433/', 'http://[::ffff:10.0.0.1]/', 'https://localhost/', 'https://app.localhost/', 'https://intranet/', 'https://wiki.corp/', 'http://metadata.google.internal/', 'http://169.254.169.254/',
    'https://known.example/',
  ])('refuses %s', async (url) => {
    const proxy = await serveProxy({ port: 9 });
    const guard = guardFor([], { env: { ALL_PROXY: proxy.url }, resolve: async () => ['10.1.2.3'] });
    await expect(guard.fetch(url)).rejects.toMatchObject({ code: 'egress_refused' });
    expect(proxy.asked).toEqual([]);
  });

  it('honours NO_PROXY, and never sends this machine there', async () => {
    const server = await serve((_request, response) => response.end('direct'));
    const proxy = await serveProxy(server);
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: 'x.example, .direct.example' };
    const guard = guardFor([server.host, '*.direct.example'], { env, resolve: async () => ['127.0.0.1'] });
    expect(await (await guard.fetch(server.url)).text()).toBe('direct');
    expect(await (await guard.fetch(`http://a.direct.example:${server.port}/`)).text()).toBe('direct');
    expect(proxy.asked).toEqual([]);
  });

  it('says what a proxy answers, without its password', async () => {
    const server = await serve((_request, response) => response.writeHead(407).end());
    const guard = guardFor([], { env: { HTTPS_PROXY: `http://me:secret@${server.host}` }, resolve: async () => ['93.184.216.34'] });
    const error: unknown = await guard.fetch('https://a.example/').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'network_failed', message: expect.stringContaining(`through the proxy ${server.host}`) });
    expect(String(error)).not.toContain('secret');
    expect(() => guardFor([], { env: { HTTPS_PROXY: 'socks5://x' } })).toThrow(expect.objectContaining({ code: 'config_invalid' }));
  });
});
