import { SkillmintError } from '../protocol/errors.ts';

/** How a host stands in the setting `network.allow`. */
export interface Listing {
  readonly listed: boolean;
  /** An entry names the port, too. */
  readonly withPort: boolean;
}

/** The hosts of `network.allow`. */
export interface AllowList {
  /** `host` as the WHATWG URL parser writes it; a dot at the end and brackets make no difference. */
  look(host: string, port: number): Listing;
}

interface Entry {
  readonly host: string;
  /** The entry stands for all names below `host`, and not for `host` itself. */
  readonly below: boolean;
  readonly port: number | undefined;
}

/**
 * Reads the entries of `network.allow`: a host or address, `HOST:PORT`, or `*.DOMAIN` for all names below a domain, which
 * are compared label by label. Throws `config_invalid` for anything else.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const known = entries.map(parseEntry);
  return {
    look: (host, port) => {
      const name = plainHost(host);
      const found = known.filter((entry) => covers(entry, name) && (entry.port === undefined || entry.port === port));
      return { listed: found.length > 0, withPort: found.some((entry) => entry.port !== undefined) };
    },
  };
}

/** A host without brackets and without the dot of a complete name. */
export function plainHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function covers({ host, below }: Entry, name: string): boolean {
  return below ? name.endsWith(`.${host}`) && name.length > host.length + 1 : name === host;
}

function parseEntry(entry: string): Entry {
  const text = entry.trim();
  const below = text.startsWith('*.');
  // An IPv6 address without brackets has no port.
  const bare = /^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text.slice(below ? 2 : 0);
  const [, name = '', port] = /^(\[[^\]]*\]|[^:/?#@\\\s*[\]]+)(?::(\d{1,5}))?$/.exec(bare) ?? [];
  if (name === '' || !URL.canParse(`http://${name}/`) || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) {
    throw new SkillmintError('config_invalid', `network.allow: ${JSON.stringify(entry)} is no host. Write a name or an address, with a port if needed (gpu.lan, localhost:4873, [::1]:8080), or *.DOMAIN for all names below a domain.`);
  }
  const host = plainHost(new URL(`http://${name}/`).hostname);
  if (below && /^[\d.]+$|:/.test(host)) throw new SkillmintError('config_invalid', `network.allow: ${JSON.stringify(entry)} puts * before an address; list each address.`);
  return { host, below, port: port === undefined ? undefined : Number(port) };
}
