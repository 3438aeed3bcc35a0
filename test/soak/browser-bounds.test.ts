import { expect, it } from 'vitest';
import { testBrowser } from '../browser/helpers.ts';
import { serve } from '../egress/servers.ts';
import { withoutChromium } from '../helpers/chromium.ts';

it.skipIf(withoutChromium)('a page that has changed what texts can do is read within bounds (needs Chromium)', async () => {
  const server = await serve((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>t</title><script>String.prototype.slice = () => "y".repeat(9e6);</script>'));
  const { ask, go } = testBrowser({ allow: [server.host] });
  await go(server.url);
  expect((await ask({ action: 'content', offset: 0 })).text).toContain(' of 8000000; to read on,');
});
