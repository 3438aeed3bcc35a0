import type { ElementHandle, Frame, Locator, Page } from 'playwright-core';
import type { BrowserTarget } from '../protocol/browser.ts';
import type { PageLimits } from './page-limits.ts';
import { isDetached, isTimeout, PageProblem } from './page-problem.ts';

/** Whether a call may act on what it has found; rejects with a `PageProblem` where it may not. */
export type HoldTo = (frame: Frame) => Promise<void>;

/** The one element that is meant, within `appearMs`. Throws `PageProblem` where there is none. */
export async function findElement(page: Page, { ref, selector }: BrowserTarget, { appearMs }: Pick<PageLimits, 'appearMs'>): Promise<Locator> {
  if (ref !== undefined) {
    const name = /^(?:ref=|aria-ref=|\[ref=)?(\w+)\]?$/.exec(ref.trim())?.[1];
    const locator = name === undefined ? undefined : page.locator(`aria-ref=${name}`);
    // What has no snapshot yet has no references.
    const count = await locator?.count().catch(() => 0);
    if (locator && count === 1) return locator;
    throw new PageProblem(`There is no element ${JSON.stringify(ref.slice(0, 40))} on the page any more, or not yet. Take a new BrowserSnapshot and use a reference of it.`);
  }
  const locator = page.locator(selector ?? '');
  try {
    await locator.waitFor({ state: 'attached', timeout: appearMs });
  } catch (error) {
    if (isTimeout(error)) throw new PageProblem(`Nothing on the page fits the selector ${JSON.stringify((selector ?? '').slice(0, 200))}. Take a BrowserSnapshot and use a reference of it.`);
    throw error;
  }
  return locator;
}

/**
 * Acts on an element of a document that the call may act on, and on none of a document that comes after it: a page must not
 * put another site under the hand of a call that waits. An element that the page has made anew is looked for again within `actMs`.
 */
export async function onElement<T>(page: Page, target: BrowserTarget, { limits, holdTo, act }: { readonly limits: Pick<PageLimits, 'appearMs' | 'actMs'>; readonly holdTo: HoldTo; readonly act: (element: ElementHandle, timeout: number) => Promise<T> }): Promise<T> {
  const until = Date.now() + limits.actMs;
  for (;;) {
    const element = await held(page, target, { limits, holdTo });
    try {
      return await act(element, Math.max(until - Date.now(), 1));
    } catch (error) {
      if (!isDetached(error) || Date.now() >= until) throw error;
    } finally {
      // What is gone with its document needs no end.
      await element.dispose().catch(() => undefined);
    }
  }
}

async function held(page: Page, target: BrowserTarget, { limits, holdTo }: { readonly limits: Pick<PageLimits, 'appearMs'>; readonly holdTo: HoldTo }): Promise<ElementHandle> {
  const element = await (await findElement(page, target, limits)).elementHandle({ timeout: limits.appearMs });
  const frame = await element?.ownerFrame();
  if (!element || !frame) throw new PageProblem('The element has gone from the page. Take a new BrowserSnapshot.');
  await holdTo(frame);
  return element;
}
