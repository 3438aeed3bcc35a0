import type { EngineName } from './engine.ts';

const ADDRESSES: Readonly<Record<Exclude<EngineName, 'searxng'>, string>> = {
  duckduckgo: 'https://html.duckduckgo.com/html/',
  brave: 'https://api.search.brave.com/res/v1/web/search',
  google: 'https://www.googleapis.com/customsearch/v1',
  bing: 'https://api.bing.microsoft.com/v7.0/search',
};

/** Where an engine is asked; `baseUrl` is that of a SearXNG server. */
export function engineAddress(name: EngineName, baseUrl: string | undefined): string {
  return name === 'searxng' ? `${(baseUrl ?? '').replace(/\/+$/, '')}/search` : ADDRESSES[name];
}
