import type { Page } from 'playwright-core';
import { settle } from './act.ts';
import type { PageLimits } from './page-limits.ts';
import { PageProblem, isTimeout } from './page-problem.ts';

const STOP_MS = 2_000;

/** How a page is waited for. */
interface Waiting {
  readonly limits: Pick<PageLimits, 'openMs'>;
  readonly signal: AbortSignal;
}

/** Opens an address in the tab. Throws `PageProblem` where nothing comes. */
export async function navigateTo(page: Page, url: string, { limits: { openMs }, signal }: Waiting): Promise<string> {
  try {
    const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: openMs, signal });
    await settle(page);
    const status = response?.status() ?? 200;
    return status >= 400 ? `Opened; the server answered with the status ${status}.` : 'Opened.';
  } catch (error) {
    if (isTimeout(error) || signal.aborted) await stopLoading(page);
    if (isTimeout(error)) throw new PageProblem(`The page did not come within ${openMs / 1000} s, and was stopped. Try again, try another one, or look with BrowserSnapshot at what has come.`);
    // What is downloaded is told with the result, and the page stays as it was.
    if (/Download is starting/.test(String(error))) return 'The address is a download, so the page is the one before.';
    throw error;
  }
}

/** A page without end would go on to fill the memory. */
async function stopLoading(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.stopLoading', {}, { timeout: STOP_MS });
  await session.detach();
}

/** Goes back by one page. */
export async function goBack(page: Page, { limits: { openMs }, signal }: Waiting): Promise<string> {
  const response = await page.goBack({ waitUntil: 'domcontentloaded', timeout: openMs, signal });
  await settle(page);
  return response === null ? 'There is no page before, or it is one without an address.' : 'Went back.';
}

/** How long a page may be waited for, ms. */
const MOST_WAIT_MS = 60_000;
const USUAL_WAIT_MS = 15_000;

/** Waits for a text, for its end, or for a time. Throws `PageProblem` when it does not come about. */
export async function waitOn(page: Page, { text, gone, ms }: { readonly text?: string; readonly gone?: string; readonly ms?: number }, signal: AbortSignal): Promise<string> {
  const timeout = Math.min(ms ?? USUAL_WAIT_MS, MOST_WAIT_MS);
  const wanted = text ?? gone;
  if (wanted === undefined) {
    await sleep(timeout, signal);
    return `Waited for ${timeout / 1000} s.`;
  }
  try {
    await page.getByText(wanted).first().waitFor({ state: text === undefined ? 'hidden' : 'visible', timeout, signal });
    return text === undefined ? 'The text is gone.' : 'The text is there.';
  } catch (error) {
    if (isTimeout(error)) throw new PageProblem(`${JSON.stringify(wanted.slice(0, 200))} was ${text === undefined ? 'still' : 'not'} on the page after ${timeout / 1000} s.`);
    throw error;
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { signal: over.signal });
  });
  over.abort();
}
