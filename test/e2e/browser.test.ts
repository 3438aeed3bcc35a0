import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { serve } from '../egress/servers.ts';
import { withoutChromium } from '../helpers/chromium.ts';
import { processesWith } from '../helpers/processes-with.ts';
import { FREE, makePlace, run, start, withProvider, type Place } from './program.ts';

const call = (tool: string, input: JsonObject): FakeStep => ({ calls: [{ name: 'CallTool', input: { tool, input } }] });
/** What lies in the temporary folder of the place, the processes of which name it in their arguments. */
const left = (place: Place): readonly string[] => fs.readdirSync(path.join(place.root, 'tmp')).filter((name) => /skillmint-browser|playwright/.test(name));

describe.skipIf(withoutChromium || !fs.existsSync('/proc'))('the browser of the built program (needs Chromium and /proc)', { timeout: 90_000 }, () => {
  it('uses a page, ends with the run, and leaves nothing', async () => {
    const place = makePlace();
    const server = await serve((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Built</title><h1>It works</h1>'));
    const provider = await withProvider(place, { steps: [call('BrowserNavigate', { url: server.url }), 'done'], settings: { network: { allow: [server.host] } } });
    const ended = await run(place, ['run', ...FREE, 'look']);
    expect(ended.code).toBe(0);
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain('It works');
    expect(processesWith(place.root)).toEqual([]);
    expect(left(place)).toEqual([]);
    expect(fs.readdirSync(place.home)).toEqual(['.skillmint']);
    expect((await run(place, ['doctor'])).stdout).toMatch(/browser .*without a window/);
  });

  it('is gone two seconds after the program was killed, with its folders', async () => {
    const place = makePlace();
    let asked: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => { asked = resolve; });
    const server = await serve((request, response) => {
      if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end('<script>fetch("/up")</script>');
      else asked();
    });
    await withProvider(place, { steps: [call('BrowserNavigate', { url: server.url }), call('BrowserWait', { text: 'never', time: 60 })], settings: { network: { allow: [server.host] } } });
    const { child, ended } = start(place, ['run', ...FREE, 'look']);
    await opened;
    await expect.poll(() => left(place).length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(processesWith(place.root).length).toBeGreaterThan(1);
    child.kill('SIGKILL');
    await ended;
    await expect.poll(() => processesWith(path.join(place.root, 'tmp')), { timeout: 2_000 }).toEqual([]);
    await expect.poll(() => left(place), { timeout: 10_000 }).toEqual([]);
  });
});
