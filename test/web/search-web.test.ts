import type { IncomingMessage, RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { GuardedFetch } from '../../src/egress/guarded-fetch.ts';
import type { EngineName } from '../../src/web/search/engine.ts';
import { searchWeb, type SearchFound, type SearchOptions, type SearchQuery } from '../../src/web/search/search-web.ts';
import { guardFor, serve } from '../egress/servers.ts';

/** Asks an engine that a server of the test plays. */
async function ask(engine: EngineName, listener: RequestListener, more: { readonly search?: Partial<SearchQuery>; readonly keys?: SearchOptions['keys'] } = {}): Promise<{ readonly found: SearchFound; readonly asked: readonly { readonly url: URL; readonly headers: IncomingMessage['headers'] }[] }> {
  const asked: { readonly url: URL; readonly headers: IncomingMessage['headers'] }[] = [];
  const server = await serve((request, response) => {
    asked.push({ url: new URL(request.url ?? '', 'http://engine'), headers: request.headers });
    listener(request, response);
  });
  const guard = guardFor([server.host]);
  const fetch: GuardedFetch = (url, request) => guard.fetch(url.replace(/^https:\/\/[^/]+/, server.url), request);
  const found = await searchWeb(
    { query: 'tea & "milk"', count: 5, allowedDomains: [], blockedDomains: [], ...more.search },
    { engine, keys: more.keys ?? { key: 'secret-key-1', engineId: 'cx-1', baseUrl: server.url }, keyVariable: 'THE_KEY', fetch, signal: new AbortController().signal },
  );
  return { found, asked };
}

const answer = (body: unknown, status = 200): RequestListener => (_, response) => void response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body));

const result = (url: string, title: string, snippet: string, more = ''): string => `
  <div class="result results_links results_links_deep web-result ${more}"><div class="links_main links_deep result__body">
    <h2 class="result__title"><a rel="nofollow" class="result__a" href="${url}">${title}</a></h2>
    <div class="result__extras"><a class="result__url" href="${url}"> somewhere </a></div>
    <a class="result__snippet" href="${url}">${snippet}</a></div></div>`;
const through = (url: string): string => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=abc`;
const ddgPage = (inner: string): string => `<!DOCTYPE html><html><body><form><input name="q"></form><div id="links" class="results">${inner}</div></body></html>`;

describe('DuckDuckGo, without a key', () => {
  it('gives titles, addresses and excerpts; advertisements and repetitions are left out', async () => {
    const page = ddgPage([
      result('https://duckduckgo.com/y.js?ad_domain=shop.example', 'Buy tea', 'an advertisement', 'result--ad'),
      result(through('https://duckduckgo.com/y.js?ad_provider=x'), 'Buy more', 'another'),
      result(through('https://tea.example/a?b=1&c=2'), 'Tea &amp; <b>milk</b>', 'How <b>much</b> milk\n   goes into tea.'),
      result(through('https://tea.example/a?b=1&c=2'), 'Again', 'the same'),
      result('https://direct.example/', 'Direct', ''),
    ].join(''));
    const { found, asked } = await ask('duckduckgo', answer(page));
    expect(found).toEqual({ title: 'DuckDuckGo', hits: [
      { title: 'Tea & milk', url: 'https://tea.example/a?b=1&c=2', snippet: 'How much milk goes into tea.' },
      { title: 'Direct', url: 'https://direct.example/', snippet: '' },
    ] });
    expect(asked[0]?.url.pathname).toBe('/html/');
    expect(asked[0]?.url.searchParams.get('q')).toBe('tea & "milk"');
  });

  it('tells nothing found, a page that wants a person, and a page of another form apart', async () => {
    expect((await ask('duckduckgo', answer(ddgPage('<div class="result result--no-result"><div class="no-results">No results.</div></div>')))).found).toEqual({ title: 'DuckDuckGo', hits: [] });
    const wall = { problem: expect.stringContaining('asks whether a person searches') };
    expect((await ask('duckduckgo', answer('<html><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></html>', 202))).found).toEqual(wall);
    expect((await ask('duckduckgo', answer('<html><script src="/anomaly.js"></script></html>'))).found).toEqual(wall);
    expect((await ask('duckduckgo', answer('<html><body>a new design</body></html>'))).found).toEqual({ problem: expect.stringContaining('its form must have changed') });
  });
});

const TEA = { title: 'Tea', url: 'https://tea.example/', snippet: 'About tea.' };

describe.each([
  ['brave', 'Brave Search', { type: 'search', web: { results: [{ title: '<strong>Tea</strong>', url: TEA.url, description: 'About <strong>tea</strong>.' }] } }, { type: 'search' }, 'x-subscription-token', 'count'],
  ['google', 'Google', { searchInformation: {}, items: [{ title: 'Tea', link: TEA.url, snippet: 'About\ntea.' }] }, { searchInformation: { totalResults: '0' } }, 'x-goog-api-key', 'num'],
  ['bing', 'Bing', { _type: 'SearchResponse', webPages: { value: [{ name: 'Tea', url: TEA.url, snippet: 'About tea.' }] } }, { _type: 'SearchResponse' }, 'ocp-apim-subscription-key', 'count'],
] as const)('%s', (engine, title, full, empty, header, count) => {
  it('gives results, with the key in a header and the number in the question', async () => {
    const { found, asked } = await ask(engine, answer(full), { search: { count: 7 } });
    expect(found).toEqual({ title, hits: [TEA] });
    expect(asked[0]?.headers[header]).toBe('secret-key-1');
    expect(asked[0]?.url.href).not.toContain('secret-key-1');
    expect(asked[0]?.url.searchParams.get(count)).toBe('7');
    expect(asked[0]?.url.searchParams.get('q')).toBe('tea & "milk"');
    expect((await ask(engine, answer(empty))).found).toEqual({ title, hits: [] });
  });

  it('says what is missing or wrong, and never the key', async () => {
    const problem = async (listener: RequestListener, keys?: SearchOptions['keys']): Promise<string> => {
      const { found } = await ask(engine, listener, keys ? { keys } : {});
      return 'problem' in found ? found.problem : 'none';
    };
    const problems = [
      await problem(answer(full), { engineId: 'cx' }), await problem(answer({}, 403)), await problem(answer({}, 429)), await problem(answer({}, 500)),
      await problem(answer('<html>')), await problem(answer({ other: [] })),
    ];
    expect(problems).toEqual([
      `${title} cannot be asked: it needs a key. Set the variable THE_KEY or the setting search.apiKey.`,
      expect.stringContaining('refuses the key. Check search.apiKey'),
      `${title} has been asked too often (status 429): wait a while, or look at the quota of the key.`,
      `${title} answered with the status 500. Try again later.`,
      `${title} answered with something that is no JSON.`,
      `${title} answered with JSON of another form than expected.`,
    ]);
    expect(problems.join()).not.toContain('secret-key-1');
  });
});

describe('Google', () => {
  it('needs the id of an engine', async () => {
    expect((await ask('google', answer({}), { keys: { key: 'k' } })).found).toEqual({ problem: expect.stringContaining('GOOGLE_CSE_ID or the setting search.engineId') });
  });
});

describe('SearXNG', () => {
  it('is asked at its own address, and says when it gives no JSON', async () => {
    const { found, asked } = await ask('searxng', answer({ query: 'x', results: [{ title: 'Tea', url: TEA.url, content: 'About tea.' }, { title: 'List<String> & more', url: 'https://java.example/', content: '' }, 'odd', { title: 'no address' }] }));
    expect(found).toEqual({ title: 'SearXNG', hits: [TEA, { title: 'List<String> & more', url: 'https://java.example/', snippet: '' }] });
    expect(asked[0]?.url.pathname).toBe('/search');
    expect((await ask('searxng', answer({ results: [] }))).found).toEqual({ title: 'SearXNG', hits: [] });
    expect((await ask('searxng', answer('<h1>Forbidden</h1>', 403))).found).toEqual({ problem: expect.stringContaining('add "json" to search.formats') });
    expect((await ask('searxng', answer({}), { keys: {} })).found).toEqual({ problem: expect.stringContaining('search.baseUrl') });
  });
});

describe('what was found', () => {
  const many = { results: Array.from({ length: 30 }, (_, i) => ({ title: `T${i} ${'x'.repeat(500)}`, url: `https://${i % 2 === 0 ? 'docs.even' : 'odd'}.example/${i}`, content: 'y'.repeat(2_000) })) };

  it('is bounded in number and length', async () => {
    const { found } = await ask('searxng', answer(many), { search: { count: 3 } });
    if ('problem' in found) throw new Error(found.problem);
    expect(found.hits).toHaveLength(3);
    expect(found.hits.map(({ title, snippet }) => [title.length, snippet.length])).toEqual(Array.from({ length: 3 }, () => [200, 500]));
  });

  it('keeps to the domains that are wanted, and is asked for so', async () => {
    const only = await ask('searxng', answer(many), { search: { allowedDomains: ['even.example', 'third.example'] } });
    expect(only.asked[0]?.url.searchParams.get('q')).toBe('tea & "milk" (site:even.example OR site:third.example)');
    expect('hits' in only.found && only.found.hits.map(({ url }) => new URL(url).hostname)).toEqual(Array.from({ length: 5 }, () => 'docs.even.example'));
    const not = await ask('searxng', answer(many), { search: { blockedDomains: ['even.example'] } });
    expect(not.asked[0]?.url.searchParams.get('q')).toBe('tea & "milk" -site:even.example');
    expect('hits' in not.found && not.found.hits.every(({ url }) => url.startsWith('https://odd.example/'))).toBe(true);
  });

  it('a body without end is left', async () => {
    await expect(ask('searxng', (_, response) => { const more = (): void => { while (!response.destroyed && response.write('z'.repeat(65_536))); }; response.on('drain', more); more(); })).rejects.toMatchObject({ code: 'network_failed' });
  });
});
