import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parseAllowList } from '../../src/egress/allow-list.ts';
import type { EgressRules } from '../../src/egress/check-target.ts';
import { findNsenter } from '../../src/sandbox/network/nsenter.ts';
import type { NetworkGrants } from '../../src/sandbox/network/grant-gate.ts';
import { sessionNetwork, type SessionNetwork } from '../../src/sandbox/network/session-network.ts';
import { makeBench, type Bench } from '../tools/context.ts';
import { BWRAP, makePlace, withoutBubblewrap, type Place } from './helpers.ts';

const NONE: NetworkGrants = { hosts: [], refused: [] };

/** Names of the tests; everything else has no address. */
const ADDRESSES: Readonly<Record<string, string>> = { 'granted.example': '127.0.0.1', 'other.example': '127.0.0.1', 'rebound.example': '127.0.0.1', 'metadata.example': '169.254.169.254' };

let place: Place;
let network: SessionNetwork;
let server: http.Server;
let port: number;
beforeAll(async () => {
  place = makePlace();
  server = http.createServer((request, response) => {
    if (request.url === '/tiny') response.end('{"name":"tiny","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"tiny","version":"1.0.0"}}}');
    else if (request.url === '/away') response.writeHead(302, { location: `http://other.example:${port}/` }).end();
    else response.end(`hello of ${request.headers.host ?? ''}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.close();
  fs.rmSync(place.base, { recursive: true, force: true });
});
beforeEach(() => { network = makeNetwork(); });
afterEach(() => network.close());

/** The names of the tests lead to this machine, so all but one are listed as `network.allow` would list them. */
function makeNetwork(nsenter = findNsenter()): SessionNetwork {
  const rules = (): EgressRules => ({
    allow: parseAllowList([`granted.example:${port}`, `other.example:${port}`]),
    resolve: async (name) => (ADDRESSES[name] === undefined ? Promise.reject(new Error('ENOTFOUND')) : [ADDRESSES[name]]),
    proxyOf: () => undefined,
  });
  return sessionNetwork({ programs: { bubblewrap: BWRAP, nsenter }, rules });
}

const benchWith = (grants: NetworkGrants, one = network): Bench => makeBench({ host: place.host({}, { network: { open: () => one.open(grants) } }), cwd: place.ws });
const curl = (address: string): string => `curl -sS -L --max-time 5 ${address}`;
const SERVER = (at: number): string => `exec node -e "require('node:http').createServer((_, r) => r.end('of the session')).listen(${at}, '127.0.0.1', () => console.log('listening'))"`;

async function startServer(bench: Bench, at: number): Promise<void> {
  await bench.call('Bash', { command: SERVER(at), run_in_background: true });
  onTestFinished(() => bench.context.shells.stopAll());
  await expect.poll(async () => (await bench.call('BashOutput', { bash_id: 'bash_1' })).text, { timeout: 10_000 }).toMatch(/^listening/);
}

describe.skipIf(withoutBubblewrap || findNsenter() === undefined)('the network of a session (needs bubblewrap and nsenter)', () => {
  it('is shared by its commands, and by nobody else', async () => {
    const bench = benchWith(NONE);
    await startServer(bench, 8123);
    expect((await bench.call('Bash', { command: curl('http://127.0.0.1:8123/') })).text).toBe('of the session');
    const other = makeNetwork();
    expect((await benchWith(NONE, other).call('Bash', { command: curl('http://127.0.0.1:8123/') })).status).toBe('error');
    await other.close();
    await expect(fetch('http://127.0.0.1:8123/')).rejects.toThrow('fetch failed');
  });

  it('is made ahead of the first command where the host is told to prepare, and what fails of it is told by the command', async () => {
    let opened = 0;
    const host = place.host({}, { network: { open: () => { opened += 1; return Promise.reject(new Error('no network today')); } } });
    host.prepareCommands?.();
    expect(opened).toBe(1);
    const { text, status } = await makeBench({ host, cwd: place.ws }).call('Bash', { command: 'true' });
    expect([status, text]).toEqual(['error', expect.stringContaining('no network today')]);
  });

  it('a server in it is reached from outside by a line of ours alone', async () => {
    const bench = benchWith(NONE);
    await startServer(bench, 8124);
    const socket = await network.connect(8124);
    socket?.end('GET / HTTP/1.0\r\n\r\n');
    let text = '';
    for await (const chunk of socket ?? []) text += String(chunk);
    expect(text).toContain('of the session');
    expect(await network.connect(8125)).toBeUndefined();
    expect(await makeNetwork().connect(8124)).toBeUndefined();
  });

  it('C-S4: reaches nothing without a grant, and says which rule would', async () => {
    const bench = benchWith(NONE);
    const local = await bench.call('Bash', { command: curl(`http://127.0.0.1:${port}/`) });
    expect(local.text).toContain(`The permission rule Network(localhost:${port}) would; only the person can give it.`);
    expect(local.details).toMatchObject({ refused_hosts: [`localhost:${port}`] });
    const named = await bench.call('Bash', { command: curl('https://registry.example/') });
    expect(named.text).toContain('Network(registry.example)');
    for (const address of ['http://169.254.169.254/', 'http://1.1.1.1/', 'http://[::1]:22/', 'http://10.0.0.1/']) expect((await bench.call('Bash', { command: curl(address) })).status).toBe('error');
  });

  it('Network(localhost:PORT) reaches exactly that port of this machine', async () => {
    const second = http.createServer((_, response) => response.end('second'));
    await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void second.close());
    const { port: closed } = second.address() as AddressInfo;
    const bench = benchWith({ hosts: [`localhost:${port}`], refused: [] });
    expect((await bench.call('Bash', { command: curl(`http://localhost:${port}/`) })).text).toBe(`hello of localhost:${port}`);
    expect((await bench.call('Bash', { command: curl(`http://localhost:${closed}/`) })).status).toBe('error');
    expect((await benchWith(NONE).call('Bash', { command: curl(`http://localhost:${port}/`) })).status).toBe('error');
    expect((await benchWith({ hosts: [`localhost:${port}`], refused: [`localhost:${port}`] }).call('Bash', { command: curl(`http://localhost:${port}/`) })).status).toBe('error');
  });

  it('a granted port without a server of this machine is free for one of the session', async () => {
    const bench = benchWith({ hosts: ['localhost:8126'], refused: [] });
    await startServer(bench, 8126);
    expect((await bench.call('Bash', { command: curl('http://localhost:8126/') })).text).toBe('of the session');
  });

  it('C-S6: a granted host is reached, and its redirect to another one is refused', async () => {
    const bench = benchWith({ hosts: ['granted.example'], refused: [] });
    expect((await bench.call('Bash', { command: curl(`http://granted.example:${port}/`) })).text).toBe(`hello of granted.example:${port}`);
    const away = await bench.call('Bash', { command: `${curl(`http://granted.example:${port}/away`)} --fail` });
    expect(away.text).not.toContain('hello');
    expect(away.text).toContain('The permission rule Network(other.example) would');
    const tunnel = await bench.call('Bash', { command: `${curl(`http://granted.example:${port}/`)} --proxytunnel; ${curl(`http://other.example:${port}/`)} --proxytunnel` });
    expect(tunnel.text).toContain('hello of granted.example');
    expect(tunnel.text).toContain('Network(other.example)');
  });

  it('npm and git find the way to a granted host by themselves', async () => {
    const bench = benchWith({ hosts: ['granted.example'], refused: [] });
    expect((await bench.call('Bash', { command: `npm view tiny version --fetch-retries=0 --registry http://granted.example:${port}/` })).text).toBe('1.0.0');
    expect((await bench.call('Bash', { command: `npm view tiny version --fetch-retries=0 --registry http://other.example:${port}/` })).text).toContain('Network(other.example)');
    // It is no repository; that it answers at all is the point.
    expect((await bench.call('Bash', { command: `git ls-remote http://granted.example:${port}/x.git` })).text).toMatch(/not valid|not found|info\/refs/);
    expect((await bench.call('Bash', { command: `git ls-remote http://other.example:${port}/x.git` })).text).toContain('Network(other.example)');
  }, 60_000);

  it('a granted name that leads to a private address is refused, and so is every spelling of one', async () => {
    const bench = benchWith({ hosts: ['rebound.example', 'metadata.example', '*.rebound.example'], refused: [] });
    for (const address of [`http://rebound.example:${port}/`, 'http://metadata.example/', `http://127.0.0.1:${port}/`, `http://2130706433:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`, 'http://169.254.169.254/latest/']) {
      expect((await bench.call('Bash', { command: `${curl(address)} --noproxy "" --fail` })).status, address).toBe('error');
    }
  });

  it('a proxy serves its own session alone and nothing without its password', async () => {
    const bench = benchWith({ hosts: ['granted.example'], refused: [] });
    const { text } = await bench.call('Bash', { command: 'echo $HTTPS_PROXY' });
    expect(text).toMatch(/^http:\/\/skillmint:\w+@127\.0\.0\.1:\d+$/);
    await expect(fetch(text.replace(/\/\/.*@/, '//'))).rejects.toThrow('fetch failed');
    expect((await bench.call('Bash', { command: `${curl(`http://granted.example:${port}/`)} --fail -x ${text.replace(/\/\/.*@/, '//')}` })).status).toBe('error');
  });

  it('commands in it see no more than others: no rights, no processes, no other sockets', async () => {
    const { text } = await benchWith({ hosts: ['granted.example'], refused: [] }).call('Bash', {
      command: `ls /proc | grep -c '^[0-9]'; grep Cap /proc/self/status | grep -v 0000000000000000 | grep -v CapBnd; unshare -U true 2>/dev/null && echo NESTED; ip link add x type dummy 2>/dev/null && echo LINK; grep -c . /proc/net/dev; ls -l /proc/self/fd | grep -c 'net:\\|user:'`,
    });
    const [processes, interfaces, open] = text.split('\n');
    expect(Number(processes)).toBeLessThan(10);
    expect([interfaces, open]).toEqual(['3', '0']);
    expect(text).not.toMatch(/NESTED|LINK|Cap/);
  });

  it('ends with its session', async () => {
    const bench = benchWith({ hosts: ['granted.example'], refused: [] });
    await bench.call('Bash', { command: 'true' });
    const namespaces = (): number => fs.readdirSync('/proc/self/fd').filter((fd) => /^(?:net|user):/.test(linkOf(`/proc/self/fd/${fd}`))).length;
    expect(namespaces()).toBe(2);
    await network.close();
    expect(namespaces()).toBe(0);
  });

  it('without nsenter each command has a network of its own, and grants are refused with the reason', async () => {
    const alone = makeNetwork('/nowhere/nsenter');
    const missing = sessionNetwork({ programs: { bubblewrap: BWRAP, nsenter: undefined }, rules: () => ({ allow: parseAllowList([]), resolve: () => Promise.resolve([]), proxyOf: () => undefined }) });
    expect((await benchWith(NONE, missing).call('Bash', { command: 'echo runs' })).text).toBe('runs');
    expect((await benchWith({ hosts: ['a.example'], refused: [] }, missing).call('Bash', { command: 'echo runs' })).text).toContain('nsenter of the package util-linux is not installed');
    expect((await benchWith(NONE, alone).call('Bash', { command: 'echo runs' })).status).toBe('error');
  });
});

function linkOf(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
}
