import { parseAllowList, type AllowList } from '../../egress/allow-list.ts';

/** What commands may reach beyond their own loopback, in the form of `network.allow`. `localhost` always has a port. */
export interface NetworkGrants {
  readonly hosts: readonly string[];
  /** Not even where `hosts` has them. */
  readonly refused: readonly string[];
}

/** Decides what the proxy of a session lets pass, as the grants are just now, and remembers what it refused. */
export interface GrantGate {
  set(grants: NetworkGrants): void;
  readonly admits: (host: string, port: number) => boolean;
  /** Gives what was refused since this call, in the form of a `Network` rule. */
  mark(): () => readonly string[];
  /** Granted ports of this machine that are not refused. */
  localPorts(): readonly number[];
  /** Whether anything is granted that only the proxy can reach. */
  leaves(): boolean;
}

const MOST_REFUSALS = 10_000;

/** Addresses of this machine itself, in the order in which they are tried. */
export const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

/** Makes one that grants nothing yet. */
export function grantGate(): GrantGate {
  let hosts: readonly string[] = [];
  let given: AllowList = parseAllowList([]);
  let refused: AllowList = parseAllowList([]);
  const refusals: string[] = [];
  return {
    set: (grants) => {
      hosts = grants.hosts;
      given = parseAllowList(grants.hosts);
      refused = parseAllowList(grants.refused);
    },
    admits: (host, port) => {
      const admitted = given.look(host, port).listed && !refused.look(host, port).listed;
      if (!admitted && refusals.length < MOST_REFUSALS) refusals.push(isLoopback(host) ? `localhost:${port}` : host);
      return admitted;
    },
    mark: () => {
      const before = refusals.length;
      return () => refusals.slice(before);
    },
    localPorts: () => hosts.flatMap((entry) => localPort(entry) ?? []).filter((port) => !refused.look('localhost', port).listed),
    leaves: () => hosts.some((entry) => localPort(entry) === undefined),
  };
}

function localPort(entry: string): number | undefined {
  const port = /^localhost:(\d+)$/.exec(entry)?.[1];
  return port === undefined ? undefined : Number(port);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || LOOPBACK.includes(host);
}
