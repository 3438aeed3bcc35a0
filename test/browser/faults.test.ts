import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PAGE_LIMITS, type PageLimits } from '../../src/browser/page-limits.ts';
import { serve } from '../egress/servers.ts';
import { withoutChromium } from '../helpers/chromium.ts';
import { refOf, testBrowser, type TestBrowser, type TestBrowserOptions } from './helpers.ts';

/** Shorter than the usual ones, as most of them are waited for here. */
const LIMITS: PageLimits = { openMs: 3_500, appearMs: 1_200, actMs: 2_000, evaluateMs: 3_000, answerMs: 1_000 };
/** For what happens to calls before these are over, however slow the machine is. */
const PATIENT: PageLimits = { ...PAGE_LIMITS, appearMs: 20_000, actMs: 20_000, answerMs: 20_000 };
const browser = (options: TestBrowserOptions): TestBrowser => testBrowser({ ...options, limits: LIMITS });

const html = (body: string): RequestListener => (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(body);

describe.skipIf(withoutChromium)('faults of pages (needs Chromium)', { timeout: 60_000 }, () => {
  it('are bounded in time: pages that never come, never end, or do not answer', async () => {
    const never = await serve(() => undefined);
    const drip = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>slow</title><p>the beginning</p>');
    });
    const busy = await serve(html('<title>busy</title><p>text</p>'));
    const { ask, go } = browser({ allow: [never, drip, busy].map(({ host }) => host) });
    const began = Date.now();
    const [late, slow, stuck] = await Promise.all([
      go(never.url, 'never'),
      go(drip.url, 'drip'),
      go(busy.url, 'busy').then(() => ask({ action: 'evaluate', code: 'for (;;);' }, { session: 'busy' })),
    ]);
    expect([late.text.split('\n')[0], slow.text.split('\n')[0]]).toEqual(Array.from({ length: 2 }, () => 'The page did not come within 3.5 s, and was stopped. Try again, try another one, or look with BrowserSnapshot at what has come.'));
    expect(stuck.text).toContain('The page does not answer any more, and its tab was closed.');
    expect(Date.now() - began).toBeLessThan(20_000);
    expect((await go(busy.url, 'busy')).text).toContain('text');
  });

  it('a page that asks without end is closed, and the next one opens', async () => {
    const server = await serve(html('<title>asking</title><button onclick="for (;;) alert(1)">go</button>'));
    const { ask, go } = testBrowser({ allow: [server.host], limits: PATIENT });
    await go(server.url);
    const answer = await ask({ action: 'click', target: { selector: 'button' }, button: 'left', times: 1 });
    expect(answer.text).toContain('A page asked question upon question without end, and its tab was closed.');
    expect((await go(server.url)).text).toContain('Opened.');
  });

  it('references that are stale and selectors that fit nothing or too much are told of', async () => {
    const server = await serve(html('<title>s</title><button onclick="this.remove()">once</button><p>a</p><p>b</p><input disabled>'));
    const { ask, go } = browser({ allow: [server.host] });
    const { ref } = refOf((await go(server.url)).text, 'button');
    const click = async (target: { ref: string } | { selector: string }): Promise<string> => (await ask({ action: 'click', target, button: 'left', times: 1 })).text;
    expect(await click({ ref })).toContain('Clicked.');
    expect(await click({ ref })).toContain(`There is no element "${ref}" on the page any more, or not yet.`);
    expect(await click({ ref: 'e999' })).toContain('Take a new BrowserSnapshot');
    expect(await click({ selector: '#none' })).toContain('Nothing on the page fits the selector "#none".');
    expect(await click({ selector: 'p' })).toContain('The selector fits 2 elements.');
    expect(await click({ selector: 'p[' })).toContain('The selector is not valid');
    expect(await click({ selector: 'input' })).toContain('The element cannot be used: element is not enabled');
  });

  it('a page without a body, and one of 20,000 elements, are shown within bounds', async () => {
    const server = await serve((request, response) => html(request.url === '/empty' ? '<title>e</title><button onclick="open()">go</button>' : `<title>big</title>${'<p>A line of text <a href="/x">with a link</a></p>'.repeat(request.url === '/long' ? 2_000 : 10_000)}`)(request, response));
    const { ask, go } = browser({ allow: [server.host] });
    await go(`${server.url}/empty`);
    expect((await ask({ action: 'click', target: { selector: 'button' }, button: 'left', times: 1 })).text).toContain('(the page is empty)');
    const glance = await go(`${server.url}/long`);
    expect(glance.text.length).toBeLessThan(7_500);
    const snapshot = await ask({ action: 'snapshot' });
    expect(snapshot.text).toMatch(/\[This is the beginning of a snapshot of \d{6,} characters\. With ref or selector/);
    expect(snapshot.text.length).toBeLessThan(26_500);
    expect((await go(server.url)).text).toMatch(/\(The page has 200\d\d elements, too many for a snapshot\. Give selector/);
    expect((await ask({ action: 'snapshot', target: { selector: 'p:nth-of-type(9999)' } })).text).toContain('with a link');
    expect((await ask({ action: 'content', offset: 0 })).text).toContain('to read on, call again with offset');
  });

  it('a call that was decided for another page does not act', async () => {
    const server = await serve(html('<title>here</title><button>go</button>'));
    const { ask, go } = browser({ allow: [server.host] });
    await go(server.url);
    const answer = await ask({ action: 'click', target: { selector: 'button' }, button: 'left', times: 1 }, { decidedFor: 'https://elsewhere.example' });
    expect(answer.text).toContain(`The browser now shows a page of ${server.url}, for which this call was not decided.`);
  });

  it.each([['is not there yet', ''], ['cannot be used yet', '<button id="late" disabled>go</button>']])('a call does not act on another site that comes while its element %s, nor run code there', async (_, late) => {
    const asked: string[] = [];
    const trap = await serve((request, response) => {
      asked.push(request.url ?? '');
      html('<title>trap</title><button id="late" onclick="fetch(\'/clicked\')">go</button>')(request, response);
    });
    const leaves: (() => void)[] = [];
    const server = await serve((request, response) => {
      if (request.url === '/leave') leaves.push(() => void response.end());
      else html(`<title>here</title>${late}<script>fetch('/leave').then(() => { location.href = '${trap.url}/'; })</script>`)(request, response);
    });
    const { ask, go } = testBrowser({ allow: [server.host, trap.host], limits: PATIENT });
    const during = async (call: Parameters<typeof ask>[0]): ReturnType<typeof ask> => {
      await go(server.url);
      await expect.poll(() => leaves.length, { timeout: 20_000 }).toBe(1);
      const answer = ask(call);
      await sleep(800);
      leaves.pop()?.();
      return answer;
    };
    const clicked = await during({ action: 'click', target: { selector: '#late' }, button: 'left', times: 1 });
    const run = await during({ action: 'evaluate', code: 'fetch("/ran")', target: { selector: '#late:enabled' } });
    const says = `The browser now shows a page of ${trap.url}, for which this call was not decided.`;
    expect([clicked.text, run.text]).toEqual([expect.stringContaining(says), expect.stringContaining(says)]);
    expect(asked.filter((path) => path === '/clicked' || path === '/ran')).toEqual([]);
  });

  it('an element that the page makes anew is used all the same', async () => {
    const server = await serve(html('<title>new</title><div id="at"></div><script>let count = 0; const make = () => { at.innerHTML = `<button ${++count < 6 ? "disabled" : ""} onclick="document.title = \'used\'">go</button>`; if (count < 6) setTimeout(make, 150); }; make();</script>'));
    const { ask, go } = browser({ allow: [server.host] });
    await go(server.url);
    expect((await ask({ action: 'click', target: { selector: 'button' }, button: 'left', times: 1 })).outcome.details).toMatchObject({ title: 'used' });
  });

  it('frames of another site are acted on only where a rule lets them, with keys too', async () => {
    const asked: string[] = [];
    const bank = await serve((request, response) => {
      asked.push(request.url ?? '');
      html('<title>bank</title><button onclick="fetch(\'/paid\')">Pay</button><form action="/sent"><input name="to" autofocus></form>')(request, response);
    });
    const bankUrl = `http://localhost:${bank.port}`;
    const server = await serve(html(`<title>shop</title><iframe src="${bankUrl}/"></iframe>`));
    const allow = [server.host, `localhost:${bank.port}`];
    const { ask, go } = browser({ allow });
    const pay = async (tools: Pick<ReturnType<typeof testBrowser>, 'ask' | 'go'>): Promise<string> => {
      const { text } = await tools.go(server.url);
      return (await tools.ask({ action: 'click', target: refOf(text, 'button "Pay"'), button: 'left', times: 1 })).text;
    };
    expect(await pay({ ask, go })).toContain(`That is in a frame of another site (${bankUrl}), for which this call was not decided: no rule allows it.`);
    await ask({ action: 'evaluate', code: 'document.querySelector("iframe").focus()' });
    expect((await ask({ action: 'press', key: 'Enter' })).text).toContain('That is in a frame of another site');
    expect(asked.filter((path) => path !== '/' && path !== '/favicon.ico')).toEqual([]);
    expect(await pay(browser({ allow, refusesActs: async () => undefined }))).toContain('Clicked.');
    await expect.poll(() => asked).toContain('/paid');
  });

  it('what a page has made itself is of its own site', async () => {
    const server = await serve(html('<title>maker</title><script>location.href = URL.createObjectURL(new Blob([`<title>made</title><button onclick="document.title = 1">go</button>`], { type: "text/html" }))</script>'));
    const { ask, go } = browser({ allow: [server.host] });
    await go(server.url);
    await expect.poll(async () => (await ask({ action: 'evaluate', code: 'document.title' })).text, { timeout: 10_000 }).toContain('made');
    const click = { action: 'click', target: { selector: 'button' }, button: 'left', times: 1 } as const;
    expect((await ask(click, { decidedFor: 'https://elsewhere.example' })).text).toContain(`The browser now shows a page of ${server.url}, for which this call was not decided`);
    expect((await ask(click)).outcome.details).toMatchObject({ title: '1' });
  });

  it('a yes is only said to the site that it is meant for', async () => {
    const server = await serve(html('<title>ask</title><button onclick="document.title = String(confirm(\'Delete?\'))">go</button>'));
    const { ask, go } = browser({ allow: [server.host, `localhost:${server.port}`] });
    const click = async (): Promise<unknown> => (await ask({ action: 'click', target: { selector: 'button' }, button: 'left', times: 1 })).outcome.details?.['title'];
    await go(server.url);
    await ask({ action: 'dialog', accept: true });
    await go(`http://localhost:${server.port}/`);
    expect(await click()).toBe('false');
    expect((await ask({ action: 'dialog', accept: true }, { decidedFor: server.url })).text).toContain('for which this call was not decided');
    await go(server.url);
    expect(await click()).toBe('true');
  });

  it('an address of a megabyte is shown cut', async () => {
    const server = await serve(html('<title>long</title><script>history.pushState(0, "", "/?" + "x".repeat(1e6))</script>'));
    const { ask, go } = browser({ allow: [server.host] });
    await go(server.url);
    const answers = [await ask({ action: 'snapshot' }), await ask({ action: 'tabs', what: 'list' }), await ask({ action: 'content', offset: 0 }), await ask({ action: 'evaluate', code: '1' })];
    for (const { text, outcome } of answers) expect(text.length + JSON.stringify(outcome.details ?? {}).length).toBeLessThan(4_000);
  });

  it('a page without end is stopped when it is given up', async () => {
    let sent = 0;
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => { sent += 1; response.write(`<p>line ${sent}</p>`); }, 20);
      response.on('close', () => clearInterval(timer));
    });
    const { ask, go } = browser({ allow: [server.host] });
    expect((await go(server.url)).text).toContain('The page did not come within 3.5 s, and was stopped.');
    const atStop = sent;
    expect((await ask({ action: 'snapshot' })).text).toContain('line 1');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(sent).toBeLessThan(atStop + 15);
  });

  it('a click that is stopped while its element cannot be used is not made later', async () => {
    const server = await serve(html('<title>stop</title><button disabled onclick="document.title = \'clicked\'">go</button><script>setTimeout(() => { document.querySelector("button").disabled = false; }, 1200)</script>'));
    const { ask, go } = browser({ allow: [server.host] });
    await go(server.url);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    expect((await ask({ action: 'click', target: { selector: 'button' }, button: 'left', times: 1 }, { signal: stop.signal })).text).toMatch(/^Stopped\./);
    expect((await ask({ action: 'wait', ms: 1_500 })).outcome.details).toMatchObject({ title: 'stop' });
  });

  it('a call that is stopped ends at once', async () => {
    const server = await serve(() => undefined);
    const { ask } = browser({ allow: [server.host] });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1_000);
    const began = Date.now();
    expect((await ask({ action: 'navigate', url: server.url }, { signal: stop.signal })).text).toMatch(/^Stopped\./);
    expect(Date.now() - began).toBeLessThan(4_000);
  });
});
