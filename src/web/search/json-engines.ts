import { isObject, parseJson } from '../../protocol/json.ts';
import { engineAddress } from './engine-address.ts';
import type { EngineAnswer, SearchEngine, SearchHit } from './engine.ts';

const REFUSED = 'refuses the key. Check search.apiKey';

/** Brave's search interface. */
export const brave: SearchEngine = {
  title: 'Brave Search',
  needs: ['key'],
  isHtml: true,
  request: (query, count, { key }) => ({ url: `${engineAddress('brave', undefined)}?q=${encodeURIComponent(query)}&count=${count}&text_decorations=0`, headers: { 'x-subscription-token': key } }),
  read: (body) => readHits(body, ['web', 'results'], { title: 'title', url: 'url', snippet: 'description' }, (json) => json['type'] === 'search'),
  statuses: { 401: REFUSED, 403: REFUSED, 422: `${REFUSED}, and the query, which may be too long` },
};

/** Google's programmable search; it gives 10 results at most. */
export const google: SearchEngine = {
  title: 'Google',
  needs: ['key', 'engineId'],
  request: (query, count, { key, engineId }) => ({ url: `${engineAddress('google', undefined)}?cx=${encodeURIComponent(engineId)}&num=${Math.min(count, 10)}&q=${encodeURIComponent(query)}`, headers: { 'x-goog-api-key': key } }),
  read: (body) => readHits(body, ['items'], { title: 'title', url: 'link', snippet: 'snippet' }, (json) => isObject(json['searchInformation']) || isObject(json['queries'])),
  statuses: { 400: `${REFUSED} and search.engineId`, 401: REFUSED, 403: `${REFUSED}, and whether the Custom Search API is enabled for it` },
};

/** Bing's search interface. */
export const bing: SearchEngine = {
  title: 'Bing',
  needs: ['key'],
  request: (query, count, { key }) => ({ url: `${engineAddress('bing', undefined)}?q=${encodeURIComponent(query)}&count=${count}`, headers: { 'ocp-apim-subscription-key': key } }),
  read: (body) => readHits(body, ['webPages', 'value'], { title: 'name', url: 'url', snippet: 'snippet' }, (json) => json['_type'] === 'SearchResponse'),
  statuses: { 401: REFUSED, 403: REFUSED },
};

/** A SearXNG server of one's own, whose JSON form has to be switched on. */
export const searxng: SearchEngine = {
  title: 'SearXNG',
  needs: ['baseUrl'],
  request: (query, _count, { baseUrl }) => ({ url: `${engineAddress('searxng', baseUrl)}?format=json&q=${encodeURIComponent(query)}`, headers: { accept: 'application/json' } }),
  read: (body) => readHits(body, ['results'], { title: 'title', url: 'url', snippet: 'content' }, () => false),
  statuses: { 403: 'does not give JSON: add "json" to search.formats in the settings.yml of the server', 404: 'is not at this address: set search.baseUrl to where its start page is' },
};

/** `isWhole` tells an answer without results from one of another form. */
function readHits(body: string, path: readonly string[], names: Readonly<Record<keyof SearchHit, string>>, isWhole: (json: Readonly<Record<string, unknown>>) => boolean): EngineAnswer {
  const json = parseJson(body);
  const list = path.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), json);
  if (Array.isArray(list)) return { hits: list.flatMap((item) => hitOf(item, names)) };
  if (isObject(json) && isWhole(json)) return { hits: [] };
  return { problem: `answered with ${json === undefined ? 'something that is no JSON' : 'JSON of another form than expected'}` };
}

function hitOf(item: unknown, names: Readonly<Record<keyof SearchHit, string>>): readonly SearchHit[] {
  if (!isObject(item)) return [];
  const text = (name: string): string => (typeof item[name] === 'string' ? item[name] : '');
  return [{ title: text(names.title), url: text(names.url), snippet: text(names.snippet) }];
}
