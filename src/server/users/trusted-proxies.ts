import { BlockList, isIP } from 'node:net';
import { SkillmintError } from '../../protocol/errors.ts';

/** Addresses whose word counts. */
export interface TrustedProxies {
  /** True for the address of a connection that comes from one of them. */
  readonly has: (address: string) => boolean;
  /** Where a request began: what the last proxy says of it, or the connection itself. */
  readonly addressOf: (headers: Headers, address: string) => string;
}

/** Reads addresses and networks: `127.0.0.1`, `::1`, `10.0.0.0/8`, `loopback`. @throws SkillmintError usage */
export function trustedProxies(given: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const text of given) addTo(list, text);
  const has = (address: string): boolean => {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
  };
  return {
    has,
    addressOf: (headers, address) => {
      const last = plainAddress((headers.get('x-forwarded-for') ?? '').split(',').at(-1)?.trim() ?? '');
      return has(address) && isIP(last) !== 0 ? last : plainAddress(address);
    },
  };
}

function addTo(list: BlockList, text: string): void {
  if (text === 'loopback') {
    list.addSubnet('127.0.0.0', 8, 'ipv4');
    list.addAddress('::1', 'ipv6');
    return;
  }
  const [address = '', bits, ...more] = text.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || more.length > 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most))) throw new SkillmintError('usage', `${JSON.stringify(text)} is no address of a proxy. Write an address or a network: 127.0.0.1, ::1, 10.0.0.0/8, or loopback.`);
  if (Number(bits) === 0) throw new SkillmintError('usage', `${text} is every address: whoever reaches the server could name themselves. Name the proxy alone.`);
  if (bits === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(bits), familyOf(address));
}

/** One of IPv4 that comes over IPv6 is the same. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
