import { isIP } from 'node:net';

/** Why an address is not part of the public internet. */
export interface AddressProblem {
  /** What it is, to follow "which is". */
  readonly what: string;
  /** It hands out credentials of the machine: a listed name must not lead here, only the listed address itself. */
  readonly literalOnly: boolean;
}

interface Range {
  readonly base: bigint;
  readonly shift: bigint;
  readonly problem: AddressProblem;
}

const METADATA = 'where clouds hand out credentials';
const PRIVATE = 'an address of a private network';
const EXAMPLE = 'kept for documentation';
const SPECIAL = 'an address for special purposes';

/** From the IANA registries of special-purpose addresses; the narrower range first. */
const RANGES_4: readonly Range[] = [
  range('169.254.0.0/16', `a link-local address, ${METADATA}`, 'literal-only'),
  range('100.100.100.200/32', METADATA, 'literal-only'),
  range('168.63.129.16/32', METADATA, 'literal-only'),
  range('192.0.0.192/32', METADATA, 'literal-only'),
  range('127.0.0.0/8', 'this machine'),
  range('0.0.0.0/8', 'this machine'),
  range('10.0.0.0/8', PRIVATE),
  range('172.16.0.0/12', PRIVATE),
  range('192.168.0.0/16', PRIVATE),
  range('100.64.0.0/10', 'an address inside of a provider\'s network'),
  range('192.0.0.0/24', SPECIAL),
  range('192.88.99.0/24', SPECIAL),
  range('198.18.0.0/15', 'kept for benchmarks'),
  range('192.0.2.0/24', EXAMPLE),
  range('198.51.100.0/24', EXAMPLE),
  range('203.0.113.0/24', EXAMPLE),
  range('224.0.0.0/4', 'a multicast address'),
  range('240.0.0.0/4', 'a reserved address'),
];

const RANGES_6: readonly Range[] = [
  range('fd00:ec2::254/128', METADATA, 'literal-only'),
  range('fe80::/10', `a link-local address, ${METADATA}`, 'literal-only'),
  range('::1/128', 'this machine'),
  range('::/128', 'this machine'),
  range('fc00::/7', PRIVATE),
  range('fec0::/10', PRIVATE),
  range('ff00::/8', 'a multicast address'),
  range('2001:db8::/32', EXAMPLE),
  range('3fff::/20', EXAMPLE),
  range('2001::/23', SPECIAL),
  range('2002::/16', SPECIAL),
];

/** Only these are given to hosts of the internet. */
const PUBLIC_6 = range('2000::/3', '');
/** Addresses that stand for one of IPv4, in their last 32 bits: mapped ones, and those of NAT64. */
const EMBEDDING_6: readonly Range[] = [range('::ffff:0:0/96', ''), range('64:ff9b::/96', '')];

/**
 * What is wrong with connecting to an address, or nothing if it belongs to the public internet. `address` is an IPv4 or
 * IPv6 address as resolvers and the WHATWG URL parser write it, without brackets; anything else is a problem, too.
 */
export function addressProblem(address: string): AddressProblem | undefined {
  const family = isIP(address);
  if (family === 4) return problemOf4(number4(address));
  // A zone is only needed where an address means something else on each network.
  if (family === 6) return address.includes('%') ? problemIn(RANGES_6, number6('fe80::')) : problemOf6(number6(address));
  return { what: 'no address', literalOnly: false };
}

function problemOf4(value: bigint): AddressProblem | undefined {
  return problemIn(RANGES_4, value);
}

function problemOf6(value: bigint): AddressProblem | undefined {
  if (EMBEDDING_6.some((one) => isIn(one, value))) return problemOf4(value & 0xffff_ffffn);
  return problemIn(RANGES_6, value) ?? (isIn(PUBLIC_6, value) ? undefined : { what: SPECIAL, literalOnly: false });
}

function problemIn(ranges: readonly Range[], value: bigint): AddressProblem | undefined {
  return ranges.find((one) => isIn(one, value))?.problem;
}

function isIn({ base, shift }: Range, value: bigint): boolean {
  return value >> shift === base;
}

function range(text: string, what: string, named: 'literal-only' | 'by-name' = 'by-name'): Range {
  const [address = '', bits] = text.split('/');
  const is6 = address.includes(':');
  const shift = BigInt((is6 ? 128 : 32) - Number(bits));
  return { base: (is6 ? number6(address) : number4(address)) >> shift, shift, problem: { what, literalOnly: named === 'literal-only' } };
}

function number4(address: string): bigint {
  return address.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

/** The URL parser writes every form with hexadecimal groups, the longest row of zeros as `::`. */
function number6(address: string): bigint {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): readonly string[] => (text === undefined || text === '' ? [] : text.split(':'));
  const filled = [...groups(head), ...Array<string>(8 - groups(head).length - groups(tail).length).fill('0'), ...groups(tail)];
  return filled.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}
