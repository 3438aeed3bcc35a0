import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { findProgram } from '../../src/browser/find-program.ts';
import type { FakeProvider, FakeProviderOptions } from '../../src/testing/fake-provider/server.ts';
import type { SettingsFile } from '../../src/config/settings.ts';
import { makePlace, withProvider, type Place } from '../e2e/program.ts';
import { startServer, type Served } from '../e2e/served.ts';

/** Pictures of what was tested, to look at. */
const PICTURES = path.resolve('screenshots');
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** The interface in a real browser, before a server of its own. */
export interface OpenInterface {
  readonly place: Place;
  readonly provider: FakeProvider;
  readonly context: BrowserContext;
  readonly page: Page;
  /** The server as it runs now. */
  readonly served: () => Served;
  readonly url: () => string;
  /** Kills the server with -9 and starts it again at the same port. */
  readonly killAndRestart: () => Promise<void>;
  /** What the console and the network of the page complained about, but for requests that a test answers with an error. */
  readonly faults: readonly string[];
}

export interface OpenOptions extends FakeProviderOptions {
  readonly place?: Place;
  readonly settings?: SettingsFile;
  readonly context?: BrowserContextOptions;
  /** Further arguments of `skillmint serve`. */
  readonly args?: readonly string[];
  /** Does not log in. */
  readonly stayOut?: true;
}

/** Starts server and browser, and logs in by the printed link. All ends with the test. */
export async function openInterface({ place = makePlace(), settings, context: given = {}, args = [], stayOut, ...scripted }: OpenOptions = {}): Promise<OpenInterface> {
  const provider = await withProvider(place, { ...scripted, settings: { model: 'fake/m', sandbox: 'off', ...settings } });
  let served = await startServer(place, { args });
  const context = await (await openBrowser()).newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...given });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  const url = (): string => `http://127.0.0.1:${served.port}`;
  if (!stayOut) {
    await page.goto(linkOf(served));
    await page.getByRole('navigation').waitFor();
  }
  return {
    place, provider, context, page, url, faults,
    served: () => served,
    async killAndRestart() {
      served.running.child.kill('SIGKILL');
      await served.running.ended;
      served = await startServer(place, { args, port: served.port });
    },
  };
}

/** The link that the server has printed. */
export function linkOf({ printed }: Served): string {
  const [link] = printed.flatMap((line) => /Open in a browser: (\S+)/.exec(line)?.[1] ?? []);
  if (link === undefined) throw new Error(`no link was printed: ${printed.join('\n')}`);
  return link;
}

/** One browser for all tests of a file; each test has a context of its own. */
let browser: Promise<Browser> | undefined;

function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: findProgram({ platform: 'linux', env: process.env, home: os.homedir() }), args: FLAGS });
  return browser;
}

afterAll(async () => (await browser)?.close());

/** Takes a picture of the page in both themes and at the width of a phone: `screenshots/NAME-….png`. */
export async function picture(page: Page, name: string): Promise<void> {
  fs.mkdirSync(PICTURES, { recursive: true });
  const size = page.viewportSize();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: path.join(PICTURES, `${name}-${scheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: path.join(PICTURES, `${name}-phone.png`) });
  if (size) await page.setViewportSize(size);
}

/** Fails with what keeps people from using the page, in either theme: findings of axe that are serious or worse. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    // The policy of the page lets no script in but its own; the protocol of the browser does.
    await page.evaluate(axe.source);
    const { violations }: axe.AxeResults = await page.evaluate('axe.run()');
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`), `axe, ${scheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
