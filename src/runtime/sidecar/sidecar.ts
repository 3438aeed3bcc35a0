import { realOrSame } from '../../config/read-settings.ts';
import type { BrowserRequest } from '../../protocol/browser.ts';
import { emptySessionState } from '../../protocol/session-state.ts';
import type { ToolOutcome } from '../../protocol/tool.ts';
import type { BrowserResult } from '../../tools/define.ts';
import { pageCache } from '../../web/page-cache.ts';
import { runtimeBrowser } from '../browser/runtime-browser.ts';
import type { RuntimeParts } from '../parts.ts';
import { sessionRules } from '../permissions/session-rules.ts';
import { runWebSearch } from '../web/run-web-search.ts';
import type { WebParts } from '../web/web-parts.ts';
import { sidecarServers, type SidecarServers } from './sidecar-servers.ts';

/** Its pages are kept apart from those of sessions. */
const SESSION = 'sidecar';

/**
 * Browser, search and MCP servers for a host application that decides by itself what is done. Deny rules of the settings and the
 * guard of the network hold for it; it is asked nothing.
 */
export interface Sidecar {
  /** One thing in the browser. Never rejects for what pages do. */
  browse(request: BrowserRequest, signal: AbortSignal): Promise<BrowserResult>;
  search(request: { readonly query: string; readonly count: number }, signal: AbortSignal): Promise<ToolOutcome>;
  readonly servers: SidecarServers;
  /** Ends browser and servers. */
  close(): Promise<void>;
}

/** Opens it for a folder; nothing is started yet. */
export async function openSidecar(parts: RuntimeParts, cwd: string): Promise<Sidecar> {
  const loaded = await parts.settings(cwd);
  const settings = loaded.values;
  const { tree } = parts.host;
  const state = { ...emptySessionState(SESSION), cwd, permission_mode: 'unrestricted' as const };
  const workspace = { roots: [cwd], readableRoots: [], home: realOrSame(tree, parts.home) };
  const web: WebParts = { parts, settings, permit: { state, rules: sessionRules(state, { settings: loaded, stored: [] }), workspace: () => workspace }, servers: async () => undefined, pages: pageCache(parts.now) };
  const browser = runtimeBrowser(parts);
  const servers = sidecarServers(parts, { cwd, allow: settings.network.allow });
  let count = 0;
  return {
    browse: (request, signal) => {
      const { pageFor, access } = browser.of(SESSION);
      const callId = `sidecar_${(count += 1)}`;
      // What is done is meant for the page that is open now.
      pageFor(callId);
      return access(web).run(request, { callId, signal });
    },
    search: ({ query, count: most }, signal) => runWebSearch(web, { query, count: most, allowedDomains: [], blockedDomains: [] }, { signal, accepts: { images: false, documents: false } }),
    servers,
    async close() {
      await Promise.all([browser.close(), servers.close()]);
    },
  };
}
