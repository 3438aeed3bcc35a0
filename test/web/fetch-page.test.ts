import { expect, it } from 'vitest';
import type { GuardedFetch } from '../../src/egress/guarded-fetch.ts';
import { pageAddress } from '../../src/tools/page-address.ts';
import { fetchPage, type FetchPageOptions } from '../../src/web/fetch-page.ts';
import type { Page } from '../../src/web/page.ts';
import { guardFor, serveSafely } from '../egress/servers.ts';
import type { RequestListener } from 'node:http';

/** Fetches a page of hosts that a server with a certificate of the test plays. */
async function fetchFrom(url: string, listener: RequestListener, options: Partial<FetchPageOptions> = {}): Promise<Page> {
  const server = await serveSafely(listener);
  const guard = guardFor(['public.example', 'rebound.example'], { resolve: async () => ['127.0.0.1'], env: { NODE_EXTRA_CA_CERTS: server.certificate } });
  // The port is that of the test's server; what is asked for has the usual one.
  const withPort = (href: string): string => { const address = new URL(href); address.port = String(server.port); return address.href; };
  const fetch: GuardedFetch = (address, { redirect, ...request } = {}) => guard.fetch(withPort(address), {
    ...request,
    redirect: async ({ from, to }) => {
      for (const each of [from, to]) each.port = '';
      const next = await redirect?.({ from, to });
      return next && new URL(withPort(next.href));
    },
  });
  return fetchPage(new URL(url), { fetch, signal: new AbortController().signal, isListed: () => false, refusal: async () => undefined, ...options });
}

it('http: becomes https:, in redirects too, and www. is the same site', async () => {
  const page = await fetchFrom('http://public.example/a', (request, response) => {
    if (request.url === '/a') response.writeHead(301, { location: 'http://public.example/b/' }).end();
    else response.end(`${request.headers.host?.split(':')[0]} ${request.url}`);
  });
  expect(page).toMatchObject({ kind: 'text', text: 'public.example /b/' });
});

it('www. is the same site, another name below a domain is not', async () => {
  const redirect = (location: string): RequestListener => (_, response) => void response.writeHead(308, { location }).end();
  expect(await fetchFrom('https://public.example/', redirect('https://api.public.example/'))).toMatchObject({ kind: 'redirect', to: 'https://api.public.example/', status: 308 });
  const asked: string[] = [];
  const refusal = async (url: string): Promise<string> => { asked.push(url); return 'the rule says no'; };
  expect(await fetchFrom('https://public.example/', redirect('http://www.public.example/x'), { refusal })).toMatchObject({ kind: 'redirect', to: 'https://www.public.example/x', why: 'the rule says no' });
  expect(asked).toEqual(['https://www.public.example/x']);
});

it('the safer address is decided on, too', async () => {
  expect(await fetchFrom('http://public.example/', (_, response) => response.end('x'), { refusal: async () => 'the rule says no' })).toEqual({ kind: 'problem', message: 'http://public.example/ would be fetched by https:, and that is refused: the rule says no.' });
});

it.each([
  ['https://a.example/x?y=1#z', 'https://a.example/x?y=1'], [' a.example/x ', 'https://a.example/x'], ['//a.example', 'https://a.example/'], ['localhost:3000/x', 'http://localhost:3000/x'], ['a.example:8443', 'https://a.example:8443/'],
  ['127.0.0.1:80', 'http://127.0.0.1/'], ['HTTP://A.Example', 'http://a.example/'], ['http://0x7f.1/', 'http://127.0.0.1/'], ['mailto:a@b', undefined], ['', undefined], ['what is this', undefined], ['http://', undefined],
])('%j means %s', (given, url) => {
  expect(pageAddress(given)?.href).toBe(url);
});
