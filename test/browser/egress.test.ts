import dgram from 'node:dgram';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serve, type TestServer } from '../egress/servers.ts';
import { withoutChromium } from '../helpers/chromium.ts';
import { internet, isLoopback, loadAll, openAll, resolver, ROWS, watch, WAYS, wire } from './egress-cases.ts';
import { testBrowser } from './helpers.ts';

describe.skipIf(withoutChromium)('what pages reach (needs Chromium)', { timeout: 60_000 }, () => {
  it('C-N4: addresses of the list do not open, typed, by a redirect, or by a script of a page', async () => {
    expect(await openAll(ROWS.filter((row, index) => row.redirects !== undefined || index % 3 === 0))).toEqual([]);
  });

  it('C-N4: nor does a page reach one by what it loads', async () => {
    // All of the list, each in one of the ways; the soak has each in all of them.
    const ways = Object.keys(WAYS);
    expect(await loadAll(Object.fromEntries(ways.map((way, at) => [way, ROWS.filter((_, index) => index % ways.length === at)])))).toEqual([]);
  });

  it('sees every way by which a page reaches a server that is listed', async () => {
    const page = await serve(internet);
    const seen = await Promise.all(Object.keys(WAYS).map(async (way) => {
      const touched: string[] = [];
      return { way, touched, port: await watch(0, touched) };
    }));
    const { ask, go } = testBrowser({ allow: [page.host, ...seen.map(({ port }) => `127.0.0.1:${port}`)] });
    await go(page.url);
    await ask({ action: 'evaluate', code: seen.map(({ way, port }) => `{ const urls = ['http://127.0.0.1:${port}/'];\n${WAYS[way] ?? ''} }`).join('\n') });
    await expect.poll(() => seen.filter(({ touched }) => touched.length > 0).map(({ way }) => way), { timeout: 10_000 }).toEqual(Object.keys(WAYS));
    expect((await go(`http://127.0.0.1:${seen[0]?.port}/`)).text).toContain('INSIDE');
  });

  it('C-N4: nor by a service worker, WebRTC or WebTransport of a server that is granted', async () => {
    const { touched } = await wire(internet);
    const packets: string[] = [];
    const udp = dgram.createSocket('udp4').on('message', (_, { address }) => packets.push(address));
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    onTestFinished(() => void udp.close());
    vi.restoreAllMocks();
    const own: TestServer = await serve((request, response) => {
      if (request.url === '/worker.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end('onmessage = async ({ data, ports }) => { await Promise.allSettled(data.map((url) => fetch(url, { mode: "no-cors" }))); ports[0].postMessage("asked"); };');
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>own</title>');
    });
    const { ask, go } = testBrowser({ resolve: resolver(), allow: [`localhost:${own.port}`] });
    await go(`http://localhost:${own.port}/`);
    const worked = await ask({ action: 'evaluate', code: `await navigator.serviceWorker.register('/worker.js');
const { active } = await navigator.serviceWorker.ready;
const { port1, port2 } = new MessageChannel();
const answer = new Promise((done) => { port1.onmessage = ({ data }) => done(data); });
active.postMessage(${JSON.stringify(ROWS.filter(isLoopback).map(({ url }) => url))}, [port2]);
return answer;` });
    expect(worked.text).toContain('\nasked\n');
    const ice = await ask({ action: 'evaluate', code: `const line = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp.address().port}' }] });
const found = [];
line.onicecandidate = ({ candidate }) => { if (candidate) found.push(candidate.candidate); };
line.createDataChannel('x');
await line.setLocalDescription(await line.createOffer());
try { new WebTransport('https://127.0.0.1:${udp.address().port}/').ready.catch(() => 0); } catch (error) {}
await new Promise((done) => setTimeout(done, 1000));
return found.filter((one) => / udp /i.test(one)).length;` });
    expect(ice.text).toContain('\n0\n');
    expect(packets).toEqual([]);
    expect(touched).toEqual([]);
  });

  it('lets rules of the person keep pages from hosts, in what they load too', async () => {
    const asked: string[] = [];
    await wire((request, response) => {
      asked.push(`${request.headers.host}${request.url}`);
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>page</title><img src="http://ads.public.example/i.png"><img src="http://cdn.public.example/i.png">');
    });
    const { go } = testBrowser({ resolve: resolver(), refusal: (host) => (host === 'ads.public.example' ? 'the rule WebFetch(domain:ads.public.example) denies it' : undefined) });
    const page = await go('http://public.example/');
    expect(asked).toContain('cdn.public.example/i.png');
    expect(asked.filter((one) => one.startsWith('ads'))).toEqual([]);
    expect(page.text).toContain('ads.public.example is refused: the rule WebFetch(domain:ads.public.example) denies it.');
  });
});
