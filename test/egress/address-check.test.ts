import { describe, expect, it } from 'vitest';
import { addressProblem } from '../../src/egress/address-check.ts';

describe('an address', () => {
  it.each([
    '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.1', '169.253.255.255', '169.255.0.0',
    '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255',
    '2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1', '3fff:1000::1', '::ffff:8.8.8.8', '64:ff9b::808:808',
  ])('%s is public', (address) => {
    expect(addressProblem(address)).toBeUndefined();
  });

  it.each([
    ['127.0.0.1', 'this machine'], ['127.255.255.255', 'this machine'], ['0.0.0.0', 'this machine'], ['0.1.2.3', 'this machine'],
    ['10.0.0.0', 'private'], ['10.255.255.255', 'private'], ['172.16.0.0', 'private'], ['172.31.255.255', 'private'], ['192.168.255.255', 'private'],
    ['100.64.0.0', 'provider'], ['100.127.255.255', 'provider'], ['169.254.0.1', 'link-local'], ['169.254.169.254', 'credentials'],
    ['100.100.100.200', 'credentials'], ['168.63.129.16', 'credentials'], ['192.0.0.192', 'credentials'], ['192.0.0.8', 'special'],
    ['198.18.0.1', 'benchmarks'], ['198.19.255.255', 'benchmarks'], ['192.0.2.9', 'documentation'], ['198.51.100.1', 'documentation'], ['203.0.113.1', 'documentation'],
    ['192.88.99.1', 'special'], ['224.0.0.1', 'multicast'], ['239.255.255.255', 'multicast'], ['240.0.0.1', 'reserved'], ['255.255.255.255', 'reserved'],
    ['::1', 'this machine'], ['::', 'this machine'], ['::ffff:127.0.0.1', 'this machine'], ['::ffff:a00:1', 'private'], ['::ffff:169.254.169.254', 'credentials'],
    ['::127.0.0.1', 'special'], ['64:ff9b::7f00:1', 'this machine'], ['64:ff9b::a9fe:a9fe', 'credentials'], ['64:ff9b:1::1', 'special'], ['100::1', 'special'],
    ['fc00::1', 'private'], ['fdff:ffff::1', 'private'], ['fd00:ec2::254', 'credentials'], ['fe80::1', 'link-local'], ['febf::1', 'link-local'], ['fe80::1%eth0', 'link-local'],
    ['fec0::1', 'private'], ['ff02::1', 'multicast'], ['2001:db8::1', 'documentation'], ['3fff::1', 'documentation'], ['2001::1', 'special'], ['2001:20::1', 'special'],
    ['2002:7f00:1::', 'special'], ['5f00::1', 'special'], ['4000::1', 'special'], ['1::', 'special'],
  ])('%s is not: %s', (address, what) => {
    expect(addressProblem(address)?.what).toContain(what);
  });

  it.each(['', 'localhost', '127.1', '0x7f000001', '1.2.3', '1.2.3.4.5', ':::', '[::1]', '256.1.1.1'])('%j is none', (address) => {
    expect(addressProblem(address)).toEqual({ what: 'no address', literalOnly: false });
  });
});
