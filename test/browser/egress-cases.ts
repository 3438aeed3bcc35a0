import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { RequestListener } from 'node:http';
import { onTestFinished, vi } from 'vitest';
import type { Resolver } from '../../src/egress/check-target.ts';
import type { PlayedNetwork } from '../../src/testing/security-adapter.ts';
import { serve } from '../egress/servers.ts';
import { SHARED } from '../skills/corpus.ts';
import { testBrowser } from './helpers.ts';

/** An address that no page may reach, with the network that is played for it. */
export interface Row extends PlayedNetwork {
  readonly id: string;
  readonly url: string;
  readonly expect: 'allow' | 'block';
}

const FILE = path.join(SHARED, 'security', 'ssrf-urls.jsonl');
const OWN: readonly Row[] = ['http://127.0.0.1:3000/', 'http://localhost:8080/', 'http://[::1]:3000/', 'http://169.254.169.254/', 'http://10.0.0.5/', 'http://0.0.0.0:8080/', 'file:///etc/passwd', 'chrome://version/', 'view-source:http://127.0.0.1:3000/'].map((url, index) => ({ id: `own${index}`, url, expect: 'block' }));
/** The shared ones, where that folder is there, and some of our own. */
export const ROWS: readonly Row[] = [...OWN, ...(fs.existsSync(FILE) ? fs.readFileSync(FILE, 'utf8').trim().split('\n').map((line): Row => JSON.parse(line)) : [])].filter(({ expect: expected }) => expected === 'block');
const PUBLIC = '93.184.216.34';

/** The names of all rows, and further public ones; a name with several answers gives them in turn. */
export function resolver(): Resolver {
  const turns = new Map<string, number>();
  return async (name) => {
    const sequence = ROWS.find(({ dnsSequence }) => dnsSequence?.[name])?.dnsSequence?.[name];
    const turn = turns.get(name) ?? 0;
    turns.set(name, turn + 1);
    if (sequence) return sequence[turn % sequence.length] ?? [];
    return ROWS.find(({ dns }) => dns?.[name])?.dns?.[name] ?? (name === 'localhost' ? ['127.0.0.1'] : /^(?:\w+\.)?public\.example$/.test(name) ? [PUBLIC] : []);
  };
}

/** What came to the wire. */
export interface Wire {
  /** Addresses that the guard connected to. */
  readonly made: Set<string>;
  /** Connections to ports of this machine that pages must not reach. */
  readonly touched: string[];
}

/** All of the internet is one server of the test; on this machine every port of the rows that is free is watched. */
export async function wire(internet: RequestListener): Promise<Wire> {
  const made = new Set<string>();
  const touched: string[] = [];
  const server = await serve(internet);
  const real = net.connect;
  vi.spyOn(net, 'connect').mockImplementation((...given: unknown[]) => {
    const [options] = given;
    if (typeof options !== 'object' || options === null || !('lookup' in options) || typeof options.lookup !== 'function') return Reflect.apply(real, net, given);
    options.lookup('', { all: true }, (_error: unknown, all: readonly { readonly address: string }[]) => all.forEach(({ address }) => made.add(address)));
    return real({ host: '127.0.0.1', port: server.port });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  for (const port of [80, 3000, 8080, 6379]) await watch(port, touched);
  return { made, touched };
}

/** A port that is taken, or that this user must not have, is not watched. */
export async function watch(port: number, touched: string[]): Promise<number> {
  const server = net.createServer((socket) => {
    touched.push(`${socket.remoteAddress}:${port}`);
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<title>INSIDE</title>');
  });
  const at = await new Promise<number>((resolve) => server.once('error', () => resolve(0)).listen(port, '::', () => {
    const address = server.address();
    resolve(typeof address === 'object' && address ? address.port : 0);
  }));
  if (at !== 0) onTestFinished(() => void server.close());
  return at;
}

/** What a test page does with all addresses. */
export const WAYS: Readonly<Record<string, string>> = {
  images: 'for (const url of urls) new Image().src = url;',
  scripts: 'for (const url of urls) document.body.append(Object.assign(document.createElement("script"), { src: url }));',
  styles: 'for (const url of urls) for (const rel of ["stylesheet", "prefetch", "preconnect", "dns-prefetch", "modulepreload"]) document.body.append(Object.assign(document.createElement("link"), { rel, href: url }));',
  frames: 'for (const url of urls) document.body.append(Object.assign(document.createElement("iframe"), { src: url }));',
  'fetch and beacon': 'for (const url of urls) { try { fetch(url, { mode: "no-cors" }).catch(() => 0); navigator.sendBeacon(url, "x"); new EventSource(url); } catch (error) {} }',
  WebSockets: 'for (const url of urls) { try { new WebSocket(url.replace(/^http/, "ws")); } catch (error) {} }',
  'redirected images': 'for (const url of urls) new Image().src = "/to?" + encodeURIComponent(url);',
  'redirected frames': 'for (const url of urls) document.body.append(Object.assign(document.createElement("iframe"), { src: "/to?" + encodeURIComponent(url) }));',
  'redirected fetches': 'for (const url of urls) fetch("/to?" + encodeURIComponent(url), { mode: "no-cors" }).catch(() => 0);',
};

/** Redirects as a row wants them, and pages with all addresses. */
export const internet: RequestListener = (request, response) => {
  const target = new URL(request.url ?? '', `http://${request.headers.host}`);
  const played = ROWS.find(({ redirects }) => redirects?.[target.href])?.redirects?.[target.href];
  const to = target.pathname === '/to' ? decodeURIComponent(target.search.slice(1)) : played;
  if (to !== undefined) response.writeHead(302, { location: Buffer.from(to).toString('latin1') }).end();
  else response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${target.host}</title><body>`);
};

/** True for those that lead to this machine. */
export const isLoopback = ({ url }: Row): boolean => URL.canParse(url) && /^(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(new URL(url).hostname);

/** Opens them in each way that a person or a page has: typed, by a redirect, by a script of a page. Gives what was reached or not refused. */
export async function openAll(rows: readonly Row[]): Promise<readonly string[]> {
  const { made, touched } = await wire(internet);
  const { ask, go } = testBrowser({ resolve: resolver() });
  const found: string[] = [];
  for (const { id, url, redirects } of rows) {
    const answer = await go(url);
    // A redirect is followed by the browser, which then shows what the proxy says.
    const isRefused = answer.isError || (redirects !== undefined && /status 403|cannot be opened/.test(answer.text));
    if (!isRefused) found.push(`${id} typed: ${answer.text}`);
  }
  for (const { id, url } of rows.filter((row) => isLoopback(row) || row.id.startsWith('own'))) {
    await go('http://public.example/');
    await ask({ action: 'evaluate', code: `void (location.href = ${JSON.stringify(url)})` });
    const now = await ask({ action: 'tabs', what: 'list' });
    if (now.text.includes('INSIDE')) found.push(`${id} by a script: ${now.text}`);
  }
  for (const { id, url } of rows.filter((row) => row.id.startsWith('own'))) {
    const answer = await go(`http://public.example/to?${encodeURIComponent(url)}`);
    if (!/status 403|cannot be opened|refused/.test(answer.text)) found.push(`${id} redirected: ${answer.text}`);
  }
  return [...found, ...[...made].filter((address) => address !== PUBLIC), ...touched];
}

/** Loads them from a page in the ways that are given, all at once. Gives what was reached. */
export async function loadAll(ways: Readonly<Record<string, readonly Row[]>>): Promise<readonly string[]> {
  const { made, touched } = await wire(internet);
  const { ask, go } = testBrowser({ resolve: resolver() });
  await go('http://public.example/');
  const codes = Object.entries(ways).map(([way, rows]) => `{ const urls = ${JSON.stringify(rows.map(({ url }) => url))};\n${WAYS[way] ?? ''} }`);
  const asked = await ask({ action: 'evaluate', code: `${codes.join('\n')}\nawait new Promise((done) => setTimeout(done, 1500));\nreturn 'all asked';` });
  return [...(asked.text.includes('all asked') ? [] : [asked.text]), ...[...made].filter((address) => address !== PUBLIC), ...touched];
}
