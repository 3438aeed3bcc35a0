import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { httpFetch } from '../../src/egress/http-fetch.ts';
import { createModelFetch } from '../../src/egress/model-fetch.ts';
import { startFakeProvider, type FakeProvider } from '../../src/testing/index.ts';
import { collect, fakeModel, replyIn } from './support.ts';

describe('the fetch of models', () => {
  let provider: FakeProvider;
  let proxy: Server;
  let proxied: string[];
  beforeEach(async () => {
    provider = await startFakeProvider();
    proxied = [];
    proxy = createServer((_request, response) => { response.writeHead(400); response.end(); });
    proxy.on('connect', (request, socket) => {
      proxied.push(request.url ?? '');
      const through = connect(Number(new URL(provider.url).port), '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      through.pipe(socket).pipe(through);
      for (const end of [through, socket]) end.on('error', () => { through.destroy(); socket.destroy(); });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await provider.close();
  });

  // A server that listens on a port always has an address with one.
  const proxyUrl = (): string => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  it('is the direct one without a proxy', () => {
    expect(createModelFetch({ NO_PROXY: '*', HTTPS_PROXY: '' })).toBe(httpFetch);
  });

  it.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'])('goes through %s', async (name) => {
    provider.push('Through the proxy.');
    const fetch = createModelFetch({ [name]: proxyUrl() });
    const { content } = replyIn(await collect(fakeModel('openai-chat', 'http://model.test/v1', { fetch })));
    expect(content).toEqual([{ type: 'text', text: 'Through the proxy.' }]);
    expect(proxied).toEqual(['model.test:80']);
  });

  it('stays away from the proxy for NO_PROXY and for this machine', async () => {
    provider.push('Direct.');
    const fetch = createModelFetch({ HTTP_PROXY: proxyUrl(), NO_PROXY: 'model.test' });
    replyIn(await collect(fakeModel('openai-chat', provider.url, { fetch })));
    await expect(fetch('http://model.test/v1', {})).rejects.toThrow('fetch failed');
    expect(proxied).toEqual([]);
  });
});
