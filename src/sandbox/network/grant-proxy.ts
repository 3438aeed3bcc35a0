import net from 'node:net';
import { plainHost, type AllowList } from '../../egress/allow-list.ts';
import type { EgressRules } from '../../egress/check-target.ts';
import { startLocalProxy, type LocalProxy } from '../../egress/local-proxy.ts';
import type { Outpost } from './outpost.ts';

/** Installs and servers that stay connected take their time; a command has its own limit. */
const LIMITS = { bodyBytes: Number.POSITIVE_INFINITY, totalMs: 24 * 3_600_000, idleMs: 600_000 };
const OWN = 'localhost,127.0.0.1,::1';

/**
 * Starts the proxy that listens in the network of a session, or on this machine's loopback where there is no `outpost` in one, and
 * reaches from here what `admits` lets pass, with all checks of the guard. An address that is granted literally may be private; a granted name may not lead to one.
 */
export function startGrantProxy({ outpost, rules, admits }: { readonly outpost?: Outpost; readonly rules: EgressRules; readonly admits: (host: string, port: number) => boolean }): Promise<LocalProxy> {
  const allow: AllowList = {
    look: (host, port) => {
      const name = plainHost(host);
      // Nothing comes here that was not granted.
      return net.isIP(name) !== 0 || name === 'localhost' ? { listed: true, withPort: false } : rules.allow.look(host, port);
    },
  };
  return startLocalProxy({
    rules: { ...rules, allow },
    limits: LIMITS,
    plainHttp: 'anywhere',
    admits,
    ...(outpost ? { listenAt: async (accept) => (await outpost.listen(0, accept)).port } : {}),
  });
}

/** Variables that lead curl, git, npm, pip and others to the proxy, and past it to servers of the session. */
export function grantProxyEnvironment(url: string): Readonly<Record<string, string>> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
  const both = (name: string, value: string): [string, string][] => [[name, value], [name.toLowerCase(), value]];
  return Object.fromEntries([...names.flatMap((name) => both(name, url)), ...both('NO_PROXY', OWN), ['NODE_USE_ENV_PROXY', '1']]);
}
