import type { EgressRules } from '../egress/check-target.ts';
import type { SkillmintError } from '../protocol/errors.ts';
import { startLocalProxy, type LocalProxy } from '../egress/local-proxy.ts';

/** What decides, just now, over what the pages of a session reach. */
export interface PageWorld {
  readonly rules: EgressRules;
  /** Why rules of the person keep pages from a host, or nothing. Asked before the guard. */
  readonly refusal: (host: string, port: number) => string | undefined;
  /** Why a call may not act on a frame of another site than that of its page, or nothing. */
  readonly refusesActs: (url: string) => Promise<string | undefined>;
  /** What is added where the guard refuses to open an address. */
  readonly advice?: (error: SkillmintError, url: URL) => string;
}

/** Pages stay open and connected; what all of them together move is bounded. */
const LIMITS = { bodyBytes: 2 * 1024 * 1024 * 1024, totalMs: 24 * 3_600_000, idleMs: 600_000 };
/** Asked for by the browser itself, with the fields of the form that is open; no page needs it. */
const OWN_HOSTS: ReadonlySet<string> = new Set(['content-autofill.googleapis.com']);

/** Starts the only way out of a session's pages: a proxy with the checks of the guard, by the rules of each moment. */
export function startSessionProxy(world: () => PageWorld): Promise<LocalProxy> {
  return startLocalProxy({
    rules: {
      allow: { look: (host, port) => world().rules.allow.look(host, port) },
      resolve: (hostname) => world().rules.resolve(hostname),
      proxyOf: (target) => world().rules.proxyOf(target),
      local: async (port) => world().rules.local?.(port),
    },
    limits: LIMITS,
    plainHttp: 'anywhere',
    refusal: (host, port) => (OWN_HOSTS.has(host) ? 'it is asked for by the browser itself, and no page needs it' : world().refusal(host, port)),
  });
}
