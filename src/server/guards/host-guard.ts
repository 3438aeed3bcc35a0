import { refusal } from '../http-error.ts';

/** Which names a request may have come by. */
export interface HostGuard {
  /** The refusal of a request whose `Host` is none of ours; undefined where it is. */
  readonly refuse: (host: string | undefined) => Response | undefined;
}

/** Names of this machine for itself. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests that were made for another name, such as those of a page whose name leads to this machine (DNS rebinding).
 * `allowed`: names of a proxy or of the network, with or without a port; with one only that port fits.
 */
export function hostGuard({ port, allowed }: { readonly port: () => number; readonly allowed: readonly string[] }): HostGuard {
  const names = allowed.map((name) => name.toLowerCase());
  return {
    refuse: (host) => {
      const given = (host ?? '').toLowerCase();
      const [, name = '', at] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(given) ?? [];
      const isOurs = LOOPBACK.includes(name) && Number(at ?? 80) === port();
      if (isOurs || names.includes(given) || names.includes(name)) return undefined;
      return refusal(421, 'host_refused', `This server does not answer for the host ${JSON.stringify(host ?? '')}. Open it by its own address, or start it with --allow-host NAME.`);
    },
  };
}
