import dns from 'node:dns/promises';
import { parseAllowList } from './allow-list.ts';
import { checkTarget, type EgressRules, type LocalServers, type PlainHttp, type Resolver } from './check-target.ts';
import type { EgressLimits } from './egress-limits.ts';
import type { Exchange } from './exchange.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import type { LocalProxy } from './local-proxy.ts';
import { chooseProxy } from './upstream-proxy.ts';

/** The one way out of the machine: a `fetch`, and a proxy for other programs, with the same checks. */
export interface EgressGuard {
  readonly fetch: GuardedFetch;
  /** Decides over an address without connecting to it. Throws `egress_refused` and `network_failed`. */
  check(url: string, options: { readonly plainHttp: PlainHttp }): Promise<void>;
  /** A proxy for one program, to be closed by the caller. */
  startProxy(options: { readonly limits: EgressLimits; readonly plainHttp: PlainHttp }): Promise<LocalProxy>;
}

/** What the guard is made of. */
export interface EgressGuardOptions {
  /** The setting `network.allow`: only these hosts may be on this machine or in a private network. */
  readonly allow: readonly string[];
  /** For `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY` and `NODE_EXTRA_CA_CERTS`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The system's unless given. */
  readonly resolve?: Resolver;
  /** For servers on another loopback that a listed `localhost:PORT` stands for, too. */
  readonly local?: LocalServers;
  /** Sends a request that was let pass; over the network unless given. */
  readonly exchange?: Exchange;
}

/**
 * Makes the guard. Every address is parsed by the WHATWG rules, checked with all its network addresses, and connected to
 * at one of those alone; so is every redirect. Throws `config_invalid` for a faulty entry of `allow` or a faulty proxy.
 */
export function createEgressGuard({ allow, env, resolve = systemResolver, local, exchange }: EgressGuardOptions): EgressGuard {
  const rules = egressRules({ allow, env, resolve, local });
  let fetching: Promise<GuardedFetch> | undefined;
  return {
    fetch: async (url, request) => {
      fetching ??= loadFetch(rules, { env, exchange });
      return (await fetching)(url, request);
    },
    check: async (url, options) => void (await checkTarget(url, rules, options)),
    startProxy: async (options) => (await import('./local-proxy.ts')).startLocalProxy({ ...options, rules }),
  };
}

/** What decides over targets, for other ways out that make the same checks. Same errors. */
export function egressRules({ allow, env, resolve = systemResolver, local }: Pick<EgressGuardOptions, 'allow' | 'env' | 'resolve'> & { readonly local?: LocalServers | undefined }): EgressRules {
  return { allow: parseAllowList(allow), resolve, proxyOf: chooseProxy(env), ...(local ? { local } : {}) };
}

async function loadFetch(rules: EgressRules, { env, exchange }: { readonly env: EgressGuardOptions['env']; readonly exchange: Exchange | undefined }): Promise<GuardedFetch> {
  const { guardedFetch } = await import('./guarded-fetch.ts');
  const { extraCertificates } = await import('./extra-certificates.ts');
  // Node knows those of its own environment already, and perhaps the system's besides.
  const isOwn = env['NODE_EXTRA_CA_CERTS'] === process.env['NODE_EXTRA_CA_CERTS'];
  return guardedFetch({ rules, exchange: exchange ?? (await import('./exchange.ts')).exchange, ca: isOwn ? undefined : await extraCertificates(env) });
}

async function systemResolver(hostname: string): Promise<readonly string[]> {
  return (await dns.lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);
}
