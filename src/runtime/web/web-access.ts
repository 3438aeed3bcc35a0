import type { WebAccess } from '../../tools/define.ts';
import type { WebParts } from './web-parts.ts';

/** What `WebFetch` and `WebSearch` do in a session. Loaded with the first call. */
export function webAccess(web: WebParts): WebAccess {
  return {
    fetch: async (request, call) => (await import('./read-web-page.ts')).readWebPage(web, request, call),
    search: async (request, call) => (await import('./run-web-search.ts')).runWebSearch(web, request, call),
  };
}
