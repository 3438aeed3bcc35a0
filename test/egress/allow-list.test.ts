import { describe, expect, it } from 'vitest';
import { parseAllowList } from '../../src/egress/allow-list.ts';

describe('network.allow', () => {
  it.each([
    ['example.com', 'example.com', 443], ['Example.COM', 'example.com', 80], ['example.com', 'example.com.', 443], ['example.com:8080', 'example.com', 8080],
    ['*.example.com', 'a.example.com', 443], ['*.example.com', 'a.b.example.com', 443], ['*.example.com:8443', 'a.example.com', 8443],
    ['localhost:4873', 'localhost', 4873], ['127.0.0.1', '127.0.0.1', 9], ['127.1', '127.0.0.1', 80], ['[::1]:8080', '[::1]', 8080], ['::1', '::1', 1],
    ['0:0:0:0:0:0:0:1', '::1', 1], ['bücher.example', 'xn--bcher-kva.example', 443], [' gpu.lan ', 'gpu.lan', 80],
  ])('%j lists %s with the port %i', (entry, host, port) => {
    expect(parseAllowList([entry]).look(host, port).listed).toBe(true);
  });

  it.each([
    ['*.example.com', 'example.com', 443], ['*.example.com', 'example.com.evil.net', 443], ['*.example.com', 'evil-example.com', 443], ['*.example.com', 'a.example.com.evil.net', 443],
    ['*.example.com', '.example.com', 443], ['example.com', 'a.example.com', 443], ['example.com', 'example.com.evil.net', 443], ['example.com', 'evil-example.com', 443],
    ['localhost:4873', 'localhost', 4874], ['localhost:4873', '127.0.0.1', 4873], ['127.0.0.1:80', '127.0.0.1', 443], ['::1', '::2', 80],
  ])('%j does not list %s with the port %i (C-N8)', (entry, host, port) => {
    expect(parseAllowList([entry]).look(host, port).listed).toBe(false);
  });

  it.each(['', '*', '*.', 'https://example.com', 'example.com/path', 'a b', 'example.com:', 'example.com:0', 'example.com:70000', 'user@example.com', '10.0.0.0/8', 'a.*.com', '*.10.0.0.1', '[::1', 'example.com:80:80', 'x?y', 'x#y'])(
    'refuses %j by name',
    (entry) => {
      expect(() => parseAllowList(['fine.example', entry])).toThrow(expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining(JSON.stringify(entry)) }));
    },
  );
});
