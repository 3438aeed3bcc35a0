import type { GuardedFetch } from '../../egress/guarded-fetch.ts';
import { isSameSite } from '../../tools/page-address.ts';
import { never } from '../../util/never.ts';
import { cutStart } from '../../util/cut-text.ts';
import { AGENT } from '../fetch-page.ts';
import { htmlText } from '../html-text.ts';
import { duckduckgo } from './duckduckgo.ts';
import type { EngineAnswer, EngineKeys, EngineName, SearchEngine, SearchHit } from './engine.ts';
import { bing, brave, google, searxng } from './json-engines.ts';

/** A search. */
export interface SearchQuery {
  readonly query: string;
  readonly count: number;
  /** Only hosts of these domains, or none of those. */
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
}

/** What searching takes. */
export interface SearchOptions {
  readonly engine: EngineName;
  readonly keys: Partial<EngineKeys>;
  /** How the key may be given, for a person who has none: a variable of the environment. */
  readonly keyVariable: string | undefined;
  readonly fetch: GuardedFetch;
  readonly signal: AbortSignal;
}

/** What was found, by whom; or one sentence on why nothing was. */
export type SearchFound = { readonly title: string; readonly hits: readonly SearchHit[] } | { readonly problem: string };

const LIMITS = { bodyBytes: 2 * 1024 * 1024, totalMs: 20_000, idleMs: 10_000 };
const LONGEST_TITLE = 200;
const LONGEST_SNIPPET = 500;

/** Asks an engine. Hits are plain text, one for each address, at most `count`. Throws the errors of the guard. */
export async function searchWeb(search: SearchQuery, { engine: name, keys, keyVariable, fetch, signal }: SearchOptions): Promise<SearchFound> {
  const engine = engineOf(name);
  const missing = engine.needs.find((need) => (keys[need] ?? '') === '');
  if (missing !== undefined) return { problem: `${engine.title} cannot be asked: ${howToSet(missing, keyVariable)}` };
  const { url, headers } = engine.request(queryText(search), search.count, { key: keys.key ?? '', engineId: keys.engineId ?? '', baseUrl: keys.baseUrl ?? '' });
  // What is looked for goes to the engine alone.
  const redirect = async ({ from, to }: { readonly from: URL; readonly to: URL }): Promise<URL | undefined> => (isSameSite(from, to) ? to : undefined);
  const response = await fetch(url, { signal, limits: LIMITS, plainHttp: 'listed', headers: { 'user-agent': AGENT, ...headers }, redirect });
  const problem = problemOf(engine, response.status);
  if (problem !== undefined) {
    response.cancel();
    return { problem: `${engine.title} ${problem}.` };
  }
  const answer: EngineAnswer = engine.read(await response.text());
  if ('problem' in answer) return { problem: `${engine.title} ${answer.problem}.` };
  return { title: engine.title, hits: await tidy(answer.hits, search, (text) => (engine.isHtml ? shownText(text, signal) : text)) };
}

function engineOf(name: EngineName): SearchEngine {
  switch (name) {
    case 'duckduckgo': return duckduckgo;
    case 'brave': return brave;
    case 'google': return google;
    case 'bing': return bing;
    case 'searxng': return searxng;
    default: return never(name);
  }
}

function howToSet(missing: keyof EngineKeys, variable: string | undefined): string {
  switch (missing) {
    case 'key': return `it needs a key. Set ${variable === undefined ? '' : `the variable ${variable} or `}the setting search.apiKey.`;
    case 'engineId': return 'it needs the id of a programmable search engine. Set the variable GOOGLE_CSE_ID or the setting search.engineId.';
    case 'baseUrl': return 'its address is not known. Set the setting search.baseUrl, for example to http://localhost:8888.';
    default: return never(missing);
  }
}

function problemOf({ statuses = {} }: SearchEngine, status: number): string | undefined {
  if (statuses[status] !== undefined) return `${statuses[status]} (status ${status})`;
  if (status === 429) return 'has been asked too often (status 429): wait a while, or look at the quota of the key';
  if (status >= 300 && status < 400) return `redirects to another host (status ${status}), where the query is not sent`;
  return status >= 200 && status < 300 ? undefined : `answered with the status ${status}. Try again later`;
}

/** All engines understand these words. */
function queryText({ query, allowedDomains, blockedDomains }: SearchQuery): string {
  const allowed = allowedDomains.map((domain) => `site:${domain}`).join(' OR ');
  // Half a character has no place in an address.
  const whole = query.replace(/\p{Cs}/gu, '\ufffd');
  return [whole, allowedDomains.length > 1 ? `(${allowed})` : allowed, ...blockedDomains.map((domain) => `-site:${domain}`)].filter((part) => part !== '').join(' ');
}

async function tidy(hits: readonly SearchHit[], { count, allowedDomains, blockedDomains }: SearchQuery, shown: (text: string) => string | Promise<string>): Promise<readonly SearchHit[]> {
  const seen = new Set<string>();
  const kept = hits.filter(({ url }) => {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || seen.has(url)) return false;
    seen.add(url);
    const { hostname } = new URL(url);
    const isOf = (domain: string): boolean => hostname === domain.toLowerCase() || hostname.endsWith(`.${domain.toLowerCase()}`);
    return (allowedDomains.length === 0 || allowedDomains.some(isOf)) && !blockedDomains.some(isOf);
  });
  const line = async (text: string, most: number): Promise<string> => cutStart((await shown(text)).replace(/\s+/g, ' ').trim(), most);
  return Promise.all(kept.slice(0, count).map(async ({ title, url, snippet }) => ({ url, title: (await line(title, LONGEST_TITLE)) || url, snippet: await line(snippet, LONGEST_SNIPPET) })));
}

async function shownText(html: string, signal: AbortSignal): Promise<string> {
  const { text } = await htmlText(html, new URL('https://localhost/'), signal);
  return text;
}
