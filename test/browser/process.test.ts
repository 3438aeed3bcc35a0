import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { RequestListener } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProgram } from '../../src/browser/find-program.ts';
import { PAGE_LIMITS } from '../../src/browser/page-limits.ts';
import { serve } from '../egress/servers.ts';
import { withoutChromium } from '../helpers/chromium.ts';
import { ownBrowser } from './helpers.ts';

const html = (body: string): RequestListener => (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(body);

/** Processes of the browser that this process has started: its main one first. */
function processesHere(): readonly { readonly pid: number; readonly kind: string }[] {
  const rows = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,args='], { encoding: 'utf8' }).split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const main = rows.find(([, , parent, , args]) => parent === String(process.pid) && args?.includes('--remote-debugging-pipe'))?.[1];
  return main === undefined ? [] : [{ pid: Number(main), kind: 'main' }, ...rows.filter(([, pid, , group]) => group === main && pid !== main).map(([, pid, , , args]) => ({ pid: Number(pid), kind: /--type=([\w-]+)/.exec(args ?? '')?.[1] ?? '' }))];
}

describe('a browser that is missing', () => {
  it('is told of with what to install', async () => {
    expect(() => findProgram({ platform: 'win32', env: {}, home: '/none' })).toThrow('none was found. Install Microsoft Edge or Google Chrome (winget install Google.Chrome), or set browser.executable to its path.');
    const { go } = ownBrowser({ allow: ['127.0.0.1:9'], wishes: { executable: '/no/such/chromium' } });
    const answer = await go('http://127.0.0.1:9/');
    expect(answer.isError).toBe(true);
    expect(answer.text).toBe('browser.executable: /no/such/chromium is no program. Set it to the path of a Chromium, Chrome or Edge, or leave it out.');
  });

  it('and one that does not come up, too', async () => {
    const { go } = ownBrowser({ allow: ['127.0.0.1:9'], wishes: { executable: '/bin/false' } });
    expect((await go('http://127.0.0.1:9/')).text).toMatch(/^The browser \/bin\/false did not start: .*or set browser\.executable to another one\.$/);
  });

  it('is not looked for in folders of the PATH that belong to a project', () => {
    expect(() => findProgram({ platform: 'darwin', env: { PATH: '.:node_modules/.bin' }, home: '/none' })).toThrow('none was found');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-path-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    const programs = ['node_modules/.bin', 'bin'].map((name) => path.join(folder, name, 'chromium'));
    for (const program of programs) {
      fs.mkdirSync(path.dirname(program), { recursive: true });
      fs.writeFileSync(program, '', { mode: 0o755 });
    }
    expect(findProgram({ platform: 'linux', env: { PATH: programs.map((program) => path.dirname(program)).join(':') }, home: '/none' })).toBe(programs[1]);
  });
});

describe.skipIf(withoutChromium)('the process of the browser (needs Chromium)', { timeout: 60_000 }, () => {
  it('a renderer, and the whole browser, that are killed: the next call works', async () => {
    const server = await serve((request, response) => (request.url === '/hang' ? undefined : html('<title>up</title><button onclick="fetch(\'/hang\')">go</button>')(request, response)));
    const { ask, go, keeper } = ownBrowser({ allow: [server.host] });
    await go(server.url);
    for (const { pid, kind } of processesHere()) if (kind === 'renderer') process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await ask({ action: 'snapshot' })).isError).toBe(true);
    expect((await go(server.url)).text).toContain('Opened.');
    process.kill(processesHere()[0]?.pid ?? 0, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await ask({ action: 'snapshot' })).text).toBe('No page is open in the browser: the browser has crashed or was killed, and its pages with it. Open one with BrowserNavigate.');
    expect((await go(server.url)).text).toContain('Opened.');
    const waiting = ask({ action: 'wait', text: 'never', ms: 20_000 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.kill(processesHere()[0]?.pid ?? 0, 'SIGKILL');
    expect((await waiting).text).toMatch(/was lost in the middle of it/);
    expect((await go(server.url)).text).toContain('Opened.');
    await keeper.close();
    expect(processesHere()).toEqual([]);
  });

  it('is ended when nobody uses it, and started again', async () => {
    const server = await serve(html('<title>idle</title>'));
    const { ask, go } = ownBrowser({ allow: [server.host], wishes: { idleMinutes: 0.01 } });
    await go(server.url);
    expect(processesHere().length).toBeGreaterThan(1);
    await expect.poll(() => processesHere().length, { timeout: 10_000 }).toBe(0);
    expect((await ask({ action: 'snapshot' })).text).toContain('its pages were ended after 0.01 minutes without use');
    expect((await go(server.url)).text).toContain('Opened.');
  });

  it('one process serves all sessions at the same time', async () => {
    const server = await serve(html('<title>many</title>'));
    const { go } = ownBrowser({ allow: [server.host] });
    const titles = await Promise.all(['a', 'b', 'c', 'd'].map(async (session) => (await go(server.url, session)).outcome.details?.['title']));
    expect(titles).toEqual(['many', 'many', 'many', 'many']);
    expect(processesHere().filter(({ kind }) => kind === 'main')).toHaveLength(1);
  });

  it('a browser that is killed while a call ends by itself: the next call says so', async () => {
    const server = await serve(html('<title>up</title>'));
    const { ask, go } = ownBrowser({ allow: [server.host], limits: { ...PAGE_LIMITS, evaluateMs: 1_000, answerMs: 20_000 } });
    await go(server.url);
    const hanging = ask({ action: 'evaluate', code: 'for (;;);' });
    await sleep(3_000);
    process.kill(processesHere()[0]?.pid ?? 0, 'SIGKILL');
    expect((await hanging).text).toContain('The page does not answer any more');
    expect((await ask({ action: 'snapshot' })).text).toBe('No page is open in the browser: the browser has crashed or was killed, and its pages with it. Open one with BrowserNavigate.');
  });

  it('a page that sends more than it may ends the browser, not this process', async () => {
    const server = await serve((request, response) => html(request.url === '/flood' ? '<title>flood</title><script>setTimeout(() => console.error("\\u0001".repeat(2e7)), 200)</script>' : '<title>up</title>')(request, response));
    const { ask, go } = ownBrowser({ allow: [server.host] });
    await go(`${server.url}/flood`);
    const ended = 'No page is open in the browser: the browser was ended, because a page sent more than 64 MiB at once, and its pages with it. Open one with BrowserNavigate.';
    await expect.poll(async () => (await ask({ action: 'snapshot' })).text, { timeout: 20_000 }).toBe(ended);
    expect((await go(server.url)).text).toContain('Opened.');
  });

  it.each(['at rest', 'still on its way'])('is ended when its last session is forgotten: one that is %s', async (state) => {
    const server = await serve(html('<title>gone</title>'));
    const { go, idOf, keeper } = ownBrowser({ allow: [server.host], wishes: { idleMinutes: 0.005 } });
    const opening = go(server.url);
    if (state === 'at rest') await opening;
    await keeper.forget(idOf('one'));
    await opening;
    await expect.poll(() => processesHere().length, { timeout: 10_000 }).toBe(0);
  });

  it('is not started for a call that comes to its turn after the end', async () => {
    const server = await serve(html('<title>late</title>'));
    const { go, keeper } = ownBrowser({ allow: [server.host] });
    const [answer] = await Promise.all([go(server.url), keeper.close()]);
    expect(answer.isError).toBe(true);
    expect(processesHere()).toEqual([]);
  });
});
