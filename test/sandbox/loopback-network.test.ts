import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { parseAllowList } from '../../src/egress/allow-list.ts';
import { loopbackNetwork } from '../../src/sandbox/network/loopback-network.ts';

async function serve(): Promise<number> {
  const server = http.createServer((request, response) => void response.end(`hello of ${request.headers.host ?? ''}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A network whose names all lead to this machine, as `network.allow` would list them. */
function makeNetwork(port: number): ReturnType<typeof loopbackNetwork> {
  const network = loopbackNetwork({ rules: () => ({ allow: parseAllowList([`granted.example:${port}`, `other.example:${port}`]), resolve: () => Promise.resolve(['127.0.0.1']), proxyOf: () => undefined }) });
  onTestFinished(() => network.close());
  return network;
}

/** Asks through a proxy as a command would. */
function through(proxy: string, address: string): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const { hostname, port, username, password } = new URL(proxy);
  return new Promise((resolve, reject) => {
    const request = http.get({ host: hostname, port, path: address, headers: { host: new URL(address).host, 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; }).on('end', () => resolve({ status: response.statusCode, text }));
    });
    request.on('error', reject);
  });
}

it('opens nothing without a grant', async () => {
  const entrance = await makeNetwork(1).open({ hosts: [], refused: [] });
  expect(entrance).toMatchObject({ enter: [], env: {}, ports: { listen: [], connect: [] } });
});

it('names granted ports of this machine, but not refused ones', async () => {
  const entrance = await makeNetwork(1).open({ hosts: ['localhost:5432', 'localhost:6379'], refused: ['localhost:6379'] });
  expect(entrance).toMatchObject({ env: {}, ports: { listen: [5432], connect: [5432] } });
});

it('C-S6: leads to a granted host through its proxy, whose port alone is opened, and refuses others', async () => {
  const port = await serve();
  const network = makeNetwork(port);
  const entrance = await network.open({ hosts: ['granted.example'], refused: [] });
  const proxy = entrance?.env['HTTP_PROXY'] ?? '';
  expect(entrance?.ports).toEqual({ listen: [], connect: [Number(new URL(proxy).port)] });
  expect(await through(proxy, `http://granted.example:${port}/`)).toEqual({ status: 200, text: `hello of granted.example:${port}` });
  expect(entrance?.refused()).toEqual([]);
  expect((await through(proxy, `http://other.example:${port}/`)).status).toBe(403);
  expect((await through(proxy.replace(/:[0-9a-f]+@/, ':x@'), `http://granted.example:${port}/`)).status).toBe(407);
  expect(entrance?.refused()).toEqual(['other.example']);
  const next = await network.open({ hosts: ['granted.example'], refused: ['granted.example'] });
  expect(next?.env['HTTP_PROXY']).toBe(proxy);
  expect((await through(proxy, `http://granted.example:${port}/`)).status).toBe(403);
  expect(next?.refused()).toEqual(['granted.example']);
});

it('ends its proxy, and knows no servers beside those of the machine', async () => {
  const port = await serve();
  const network = makeNetwork(port);
  const proxy = (await network.open({ hosts: ['granted.example'], refused: [] }))?.env['HTTP_PROXY'] ?? '';
  expect(await network.connect(port)).toBeUndefined();
  await network.close();
  await expect(through(proxy, `http://granted.example:${port}/`)).rejects.toThrow('ECONNREFUSED');
});
