import type { SearchSettings } from '../../config/settings.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { failed, type ToolOutcome } from '../../protocol/tool.ts';
import type { WebAccess, WebCall } from '../../tools/define.ts';
import { searchOutcome } from '../../web/search/search-outcome.ts';
import { searchWeb } from '../../web/search/search-web.ts';
import type { WebParts } from './web-parts.ts';
import { webGuard } from './web-guard.ts';

/** Where keys are looked for that no setting gives. */
const KEY_VARIABLES: Readonly<Partial<Record<SearchSettings['engine'], string>>> = { brave: 'BRAVE_API_KEY', google: 'GOOGLE_API_KEY', bing: 'BING_API_KEY' };

/** A search for the model; what the guard refuses or the network does not give is a failure in a sentence. */
export async function runWebSearch(web: WebParts, request: Parameters<WebAccess['search']>[0], { signal }: WebCall): Promise<ToolOutcome> {
  const { settings: { search = { engine: 'duckduckgo' }, network }, parts: { env } } = web;
  const { engine, apiKey, engineId = env['GOOGLE_CSE_ID'], baseUrl } = search;
  const keyVariable = typeof apiKey === 'object' ? apiKey.env : KEY_VARIABLES[engine];
  const key = typeof apiKey === 'string' ? apiKey : keyVariable === undefined ? undefined : env[keyVariable];
  // Whoever names a server in the settings means it, wherever it is.
  const allow = engine === 'searxng' && baseUrl !== undefined ? [...network.allow, ...hostOf(baseUrl)] : network.allow;
  try {
    const found = await searchWeb(request, { engine, keys: { ...(key === undefined ? {} : { key }), ...(engineId === undefined ? {} : { engineId }), ...(baseUrl === undefined ? {} : { baseUrl }) }, keyVariable, fetch: webGuard(web, allow).fetch, signal });
    return searchOutcome(request.query, found);
  } catch (error) {
    if (error instanceof SkillmintError) return failed(error.message);
    throw error;
  }
}

function hostOf(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { hostname, port, protocol } = new URL(baseUrl);
  return [`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`];
}
