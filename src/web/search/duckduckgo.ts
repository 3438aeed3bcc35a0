import { Parser } from 'htmlparser2';
import { engineAddress } from './engine-address.ts';
import type { EngineAnswer, SearchEngine, SearchHit } from './engine.ts';

const BLOCKED = 'asks whether a person searches, and so answers no program for a while. Try again later, or set another engine with the setting search.engine (brave, google, bing or searxng)';

/** The page of DuckDuckGo for browsers without scripts; it needs no key. */
export const duckduckgo: SearchEngine = {
  title: 'DuckDuckGo',
  needs: [],
  request: (query) => ({ url: `${engineAddress('duckduckgo', undefined)}?q=${encodeURIComponent(query)}`, headers: { accept: 'text/html' } }),
  read: readResults,
  statuses: { 202: BLOCKED, 403: BLOCKED, 418: BLOCKED },
};

interface Open {
  title: string;
  snippet: string;
  readonly href: string;
}

/** Reads the results by the classes of their links, as the rest of the page changes more often. */
function readResults(html: string): EngineAnswer {
  if (/anomaly[-.](?:modal|js)|bots use DuckDuckGo too/i.test(html)) return { problem: BLOCKED };
  const found: Open[] = [];
  let inside: 'title' | 'snippet' | undefined;
  let isEmpty = false;
  const parser = new Parser({
    onopentag(name, { class: classes = '', href = '' }) {
      const has = (wanted: string): boolean => classes.split(/\s+/).includes(wanted);
      if (has('no-results')) isEmpty = true;
      if (name === 'a' && has('result__a')) {
        found.push({ title: '', snippet: '', href });
        inside = 'title';
      } else if (has('result__snippet')) inside = 'snippet';
    },
    ontext(text) {
      const last = found.at(-1);
      if (last && inside) last[inside] += text;
    },
    onclosetag(name) {
      if (name === 'a' || name === 'div' || name === 'td') inside = undefined;
    },
  });
  parser.end(html);
  const hits = found.flatMap(hitOf);
  if (hits.length > 0 || (isEmpty && found.length === 0)) return { hits };
  return { problem: 'answered with a page that cannot be read: its form must have changed. Set another engine with the setting search.engine (brave, google, bing or searxng)' };
}

/** Results lead over a page of the engine that names the address; advertisements lead elsewhere. */
function hitOf({ title, snippet, href }: Open): readonly SearchHit[] {
  if (!URL.canParse(href, 'https://html.duckduckgo.com/')) return [];
  const link = new URL(href, 'https://html.duckduckgo.com/');
  const isOwn = /(?:^|\.)duckduckgo\.com$/.test(link.hostname);
  const url = isOwn ? link.searchParams.get('uddg') : link.href;
  return url === null || /^https?:\/\/(?:[^/]*\.)?duckduckgo\.com\/y\.js/.test(url) ? [] : [{ title, url, snippet }];
}
