import type { Page } from 'playwright-core';
import { actsOnPage, type BrowserRequest } from '../protocol/browser.ts';
import { ok } from '../protocol/tool.ts';
import type { BrowserResult } from '../tools/define.ts';
import { never } from '../util/never.ts';
import { actOn, settle } from './act.ts';
import { evaluateIn } from './evaluate.ts';
import { holdToSite } from './hold-to-site.ts';
import { goBack, navigateTo, waitOn } from './navigate.ts';
import type { PageLimits } from './page-limits.ts';
import { isGone, isTimeout, problemText } from './page-problem.ts';
import { readDownload } from './read-download.ts';
import { takeScreenshot } from './screenshot.ts';
import type { SessionPages } from './session-pages.ts';
import type { PageWorld } from './session-proxy.ts';
import { addressOf, pageFailure, showContent, showPage, showValue, snapshotOf, withNotes } from './show-page.ts';
import { changeTabs, noTab } from './tabs.ts';

/** What a request is carried out with. */
export interface PerformOptions {
  readonly signal: AbortSignal;
  /** Origin of the page that an act was decided for. */
  readonly decidedFor: string | undefined;
  readonly refusesActs: PageWorld['refusesActs'];
  readonly limits: PageLimits;
  /** What is said of pages that are gone, or nothing. */
  readonly lost: string;
}

/** No request takes longer, whatever the page does, ms. */
const MOST_MS: Readonly<Partial<Record<BrowserRequest['action'], number>>> = { download: 130_000, wait: 70_000, navigate: 50_000 };
const USUAL_MS = 30_000;
const STOP_MS = 500;

/** Carries out one request. Failures of pages are outcomes; what is thrown is a failure of the browser itself. */
export async function perform(pages: SessionPages, request: BrowserRequest, options: PerformOptions): Promise<BrowserResult> {
  const page = pages.current();
  const most = request.action === 'evaluate' ? options.limits.evaluateMs : MOST_MS[request.action] ?? USUAL_MS;
  try {
    return await within(most, options.signal, (signal) => carryOut(pages, page, request, { ...options, signal }));
  } catch (error) {
    if (options.signal.aborted) return { outcome: pageFailure(pages, 'Stopped.') };
    const hangs = page !== undefined && !page.isClosed() && (isTimeout(error) || error instanceof Late) && !(await answers(page, options.limits));
    if (hangs) {
      await pages.drop(page);
      return { outcome: pageFailure(pages, 'The page does not answer any more, and its tab was closed. Open it again with BrowserNavigate, or go on without it.') };
    }
    if (isGone(error) && pages.isConnected()) return { outcome: pageFailure(pages, 'The page was closed in the middle of it. BrowserTabs lists what is left.') };
    const says = isGone(error) ? undefined : error instanceof Late ? `It was not done within ${most / 1000} s. Take a BrowserSnapshot to see how far the page has come.` : problemText(error);
    if (says === undefined) throw error;
    return { outcome: pageFailure(pages, says) };
  }
}

async function carryOut(pages: SessionPages, open: Page | undefined, request: BrowserRequest, { signal, decidedFor, refusesActs, limits, lost }: PerformOptions): Promise<BrowserResult> {
  switch (request.action) {
    case 'navigate': {
      const page = open ?? (await pages.open());
      return glance(pages, page, await navigateTo(page, request.url, { limits, signal }));
    }
    case 'tabs': return { outcome: await changeTabs(pages, request, { limits, signal }) };
    case 'download': return readDownload(pages, request.id);
    case 'close': return { outcome: ok('The browser of this session is closed.') };
    default: break;
  }
  if (!open || open.url() === 'about:blank') return { outcome: withNotes(pages, noTab(lost)) };
  const holdTo = holdToSite(open, { origin: decidedFor, refusesActs, signal });
  if (actsOnPage(request)) await holdTo(open.mainFrame());
  switch (request.action) {
    case 'back': return glance(pages, open, await goBack(open, { limits, signal }));
    case 'snapshot': return { outcome: await showPage(pages, open, { said: 'Snapshot.', snapshot: await snapshotOf(open, request.target && { target: request.target, limits }) }) };
    case 'content': return { outcome: await showContent(pages, open, request.offset, signal) };
    case 'wait': return glance(pages, open, await waitOn(open, request, signal));
    case 'screenshot': return { outcome: withNotes(pages, ok(`Picture of ${addressOf(open)}`, { details: { url: addressOf(open) } })), file: await takeScreenshot(open, request, limits) };
    case 'evaluate': {
      const value = await evaluateIn(open, request, { holdTo, origin: decidedFor, limits });
      await settle(open);
      return { outcome: await showValue(pages, open, value) };
    }
    case 'dialog':
      pages.answerNext({ accept: request.accept, origin: decidedFor, ...(request.text === undefined ? {} : { text: request.text }) });
      return { outcome: withNotes(pages, ok(`The next question of ${request.accept ? `a page of ${decidedFor ?? 'this site'} will be accepted` : 'a page will be dismissed'}.`)) };
    case 'click': case 'type': case 'select': case 'press': case 'hover': {
      const said = await actOn(open, request, { holdTo, limits, signal });
      const shown = pages.current() ?? open;
      return glance(pages, shown, said);
    }
    default: return never(request);
  }
}

async function glance(pages: SessionPages, page: Page, said: string): Promise<BrowserResult> {
  return { outcome: await showPage(pages, page, { said, snapshot: await snapshotOf(page), glance: true }) };
}

class Late extends Error {}

/** Work in a bounded time; its signal is aborted when nobody waits for it any more. */
async function within<T>(ms: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const over = new AbortController();
  const late = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Late('late')), ms);
    const stop = (): void => reject(new Error('stopped'));
    signal.addEventListener('abort', stop, { signal: over.signal });
    over.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const working = work(over.signal);
  try {
    return await Promise.race([working, late]);
  } finally {
    over.abort();
    await settledSoon(working);
  }
}

/** What was stopped gets a moment to end, so that it does not disturb the next call. */
async function settledSoon(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => { timer = setTimeout(resolve, STOP_MS); });
  await Promise.race([Promise.allSettled([work]), late]);
  clearTimeout(timer);
}

async function answers(page: Page, { answerMs }: PageLimits): Promise<boolean> {
  try {
    await within(answerMs, new AbortController().signal, () => page.evaluate('1'));
    return true;
  } catch {
    // Whatever it is that fails there.
    return false;
  }
}
