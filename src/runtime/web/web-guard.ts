import { isIP } from 'node:net';
import { createEgressGuard, type EgressGuard } from '../../egress/egress-guard.ts';
import { plainHost } from '../../egress/allow-list.ts';
import { commandGrants } from '../../permissions/command-grants.ts';
import type { ParsedRules } from '../../permissions/rules.ts';
import type { WebParts } from './web-parts.ts';

/** The way out of a session's web tools; `allow` is what may be on this machine or in a private network. */
export function webGuard({ parts: { env }, servers }: WebParts, allow: readonly string[]): EgressGuard {
  return createEgressGuard({ allow, env, local: servers });
}

/**
 * Addresses that rules name as they stand: `Network(localhost:PORT)`, `Network(10.1.2.3)`. The name of a host may be anybody's,
 * so that a rule for it does not let it lead inward.
 */
export function grantedAddresses(rules: ParsedRules): readonly string[] {
  const { hosts, refused } = commandGrants(rules);
  return hosts.filter((host) => !refused.includes(host)).flatMap((host) => {
    const port = /^localhost(:\d+)$/.exec(host)?.[1];
    if (port !== undefined) return [host, `127.0.0.1${port}`, `[::1]${port}`];
    return isIP(plainHost(host.replace(/(?<=[\d\]]):\d+$/, ''))) === 0 ? [] : [host];
  });
}
