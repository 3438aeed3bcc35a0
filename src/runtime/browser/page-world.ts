import { parseAllowList, plainHost } from '../../egress/allow-list.ts';
import { egressRules } from '../../egress/egress-guard.ts';
import type { PageWorld } from '../../browser/session-proxy.ts';
import type { BrowserRequest } from '../../protocol/browser.ts';
import { grantAdvice } from '../web/grant-advice.ts';
import { grantedAddresses } from '../web/web-guard.ts';
import type { WebParts } from '../web/web-parts.ts';
import { frameRefusal, pageRefusal } from './page-refusal.ts';

/** What the session's pages may reach, by settings and rules as they are at each request. */
export function pageWorld({ parts: { env }, settings, permit, servers }: WebParts, opened: ReadonlySet<string>): PageWorld {
  const rules = egressRules({ allow: settings.network.allow, env, local: servers });
  return {
    rules: { ...rules, allow: { look: (host, port) => parseAllowList([...settings.network.allow, ...grantedAddresses(permit.rules())]).look(host, port) } },
    refusal: (host, port) => pageRefusal(permit, opened, { host, port }),
    refusesActs: (url) => frameRefusal(permit, url),
    advice: grantAdvice,
  };
}

/** `HOST:PORT` of the address that a request opens; undefined for one that opens none. */
export function openedBy(request: BrowserRequest): string | undefined {
  if (!('url' in request) || request.url === undefined) return undefined;
  const { hostname, port, protocol } = new URL(request.url);
  return `${plainHost(hostname)}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
