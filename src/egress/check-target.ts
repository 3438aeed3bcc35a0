import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { SkillmintError, messageOf } from '../protocol/errors.ts';
import { addressProblem } from './address-check.ts';
import { type AllowList, type Listing, plainHost } from './allow-list.ts';
import { isBlockedPort } from './blocked-ports.ts';
import { displayUrl } from './display-url.ts';
import type { ProxyChoice } from './upstream-proxy.ts';

/** Looks up all addresses of a name; rejects when there are none. */
export type Resolver = (hostname: string) => Promise<readonly string[]>;

/** What decides over targets. */
export interface EgressRules {
  readonly allow: AllowList;
  readonly resolve: Resolver;
  readonly proxyOf: ProxyChoice;
  /** See `LocalServers`. */
  readonly local?: LocalServers;
}

/**
 * A line to a server that listens on this port of another loopback than that of this machine, such as one in the network of
 * a session; undefined when there is none, and then this machine counts.
 */
export type LocalServers = (port: number) => Promise<Duplex | undefined>;

/** Whether addresses with `http:` may be anywhere or only where `network.allow` lists their host. */
export type PlainHttp = 'anywhere' | 'listed';

/** A target that may be connected to. */
export interface CheckedTarget {
  readonly url: URL;
  readonly tls: boolean;
  /** Without brackets and without a dot at the end. */
  readonly host: string;
  readonly port: number;
  /** The checked addresses, the only ones to connect to; empty behind a proxy, which looks the name up itself. */
  readonly addresses: readonly string[];
  readonly proxy: URL | undefined;
  readonly local?: LocalServers | undefined;
}

/** How long a name may be looked up here although a proxy will look it up anyway. */
const PROXIED_LOOKUP_MS = 2_000;
/** Names that only mean something inside of a network; a proxy would look them up there. */
const INSIDE_NAMES = /^[^.]+$|\.(?:local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/;

/**
 * Decides whether an address may be fetched, and which network addresses stand for it. A name counts with every address
 * that two look-ups give: one that turns between them is meant to deceive. Throws `egress_refused`, and `network_failed`
 * for a name without an address.
 */
export async function checkTarget(text: string, rules: EgressRules, { plainHttp }: { readonly plainHttp: PlainHttp }): Promise<CheckedTarget> {
  const url = parseUrl(text);
  const tls = url.protocol === 'https:';
  const host = plainHost(url.hostname);
  const port = Number(url.port || (tls ? 443 : 80));
  const listing = rules.allow.look(host, port);
  const refuse = (why: string): SkillmintError => refusal(url, why);
  if (isBlockedPort(port) && !listing.withPort) throw refuse(`port ${port} belongs to another protocol`);
  if (!tls && plainHttp === 'listed' && !listing.listed) throw refuse(`http: can be read and changed on the way; use https:, or ${toAllow(url)}`);
  const proxy = rules.proxyOf({ tls, host, port });
  const literal = isIP(host) !== 0;
  if (literal) checkAddresses(url, [host], { listing, literal });
  else if (!listing.listed && isLocalName(host)) throw refuse(`${host} is this machine. If that is meant, ${toAllow(url)}`);
  if (proxy !== undefined) {
    if (!literal && !listing.listed && INSIDE_NAMES.test(host)) throw refuse(`${host} is a name inside of a network. If that is meant, ${toAllow(url)}`);
    if (!literal) checkAddresses(url, await addressesIfKnown(host, rules), { listing, literal });
    return { url, tls, host, port, addresses: [], proxy };
  }
  const addresses = literal ? [host] : await checkedAddresses(url, rules, listing);
  return { url, tls, host, port, addresses, proxy, local: rules.local };
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new SkillmintError('egress_refused', `${JSON.stringify(text.replace(/\/\/[^/]*@/, '//').slice(0, 200))} is refused: it is no valid address.`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refusal(url, 'only http and https addresses are fetched');
  if (url.username !== '' || url.password !== '') throw refusal(url, 'an address must not hold a name or password');
  return url;
}

/** Behind a proxy names need not be known here, and then the proxy decides; what is known here counts all the same. */
async function addressesIfKnown(host: string, { resolve }: EgressRules): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((end) => { timer = setTimeout(() => end([]), PROXIED_LOOKUP_MS); });
  try {
    return await Promise.race([resolve(host).catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function checkedAddresses(url: URL, { resolve }: EgressRules, listing: Listing): Promise<readonly string[]> {
  const look = async (): Promise<readonly string[]> => {
    try {
      const found = await resolve(url.hostname);
      if (found.length > 0) return found;
    } catch (error) {
      throw new SkillmintError('network_failed', `${displayUrl(url)}: no address is known for ${url.hostname} (${messageOf(error)}). Check the name and the connection.`, { cause: error });
    }
    throw new SkillmintError('network_failed', `${displayUrl(url)}: no address is known for ${url.hostname}. Check the name and the connection.`);
  };
  const [first, again] = await Promise.all([look(), look()]);
  checkAddresses(url, [...first, ...again], { listing, literal: false });
  return first;
}

function checkAddresses(url: URL, addresses: readonly string[], { listing, literal }: { readonly listing: Listing; readonly literal: boolean }): void {
  for (const address of addresses) {
    const problem = addressProblem(address);
    if (problem === undefined || (listing.listed && (literal || !problem.literalOnly))) continue;
    const leads = literal ? address : `${url.hostname} leads to ${address}, which`;
    const listed = problem.literalOnly && !literal ? `list the address itself in the setting network.allow` : toAllow(url);
    throw refusal(url, `${leads} is ${problem.what}. If that is meant, ${listed}`);
  }
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function toAllow(url: URL): string {
  return `add ${JSON.stringify(url.host)} to the setting network.allow`;
}

function refusal(url: URL, why: string): SkillmintError {
  return new SkillmintError('egress_refused', `${displayUrl(url)} is refused: ${why}.`);
}
