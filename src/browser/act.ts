import type { ElementHandle, Page } from 'playwright-core';
import type { BrowserRequest, BrowserTarget } from '../protocol/browser.ts';
import { never } from '../util/never.ts';
import { onElement, type HoldTo } from './elements.ts';
import { holdKeys } from './hold-to-site.ts';
import type { PageLimits } from './page-limits.ts';
import { PageProblem } from './page-problem.ts';

/** What is done to a page and gives nothing back. */
export type PageAct = Extract<BrowserRequest, { action: 'click' | 'type' | 'select' | 'press' | 'hover' }>;

/** So long a page has to begin what follows of an act. */
const BEGIN_MS = 150;
const LOAD_MS = 5_000;
/** Keys that are pressed one by one; more would take minutes. */
const MOST_KEYS = 2_000;

/** Does it, waits for what follows, and says so in a sentence. */
export async function actOn(page: Page, act: PageAct, { holdTo, limits, signal }: { readonly holdTo: HoldTo; readonly limits: PageLimits; readonly signal: AbortSignal }): Promise<string> {
  const said = await perform(page, act, { holdTo, signal, on: (target, work) => onElement(page, target, { limits, holdTo, act: work }) });
  await settle(page);
  return said;
}

/** Waits until the page that follows has come, or for a while. */
export async function settle(page: Page): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, BEGIN_MS));
  // A page that goes on loading is shown as far as it has come.
  await page.waitForLoadState('load', { timeout: LOAD_MS }).catch(() => undefined);
}

interface Hands {
  readonly holdTo: HoldTo;
  readonly signal: AbortSignal;
  /** Does something to an element. */
  readonly on: <T>(target: BrowserTarget, work: (element: ElementHandle, timeout: number) => Promise<T>) => Promise<T>;
}

async function perform(page: Page, act: PageAct, hands: Hands): Promise<string> {
  const { on, holdTo, signal } = hands;
  switch (act.action) {
    case 'click':
      await on(act.target, (element, timeout) => element.click({ button: act.button, clickCount: act.times, timeout, signal }));
      return act.times === 2 ? 'Clicked twice.' : 'Clicked.';
    case 'hover':
      await on(act.target, (element, timeout) => element.hover({ timeout, signal }));
      return 'The pointer is over it.';
    case 'type': return typeText(page, act, hands);
    case 'select': {
      const chosen = await on(act.target, (element, timeout) => element.selectOption([...act.values], { timeout, signal }));
      return `Selected ${chosen.length} of the options.`;
    }
    case 'press':
      if (act.target) await on(act.target, (element, timeout) => element.press(act.key, { timeout, signal }));
      else {
        await holdKeys(page, holdTo);
        await page.keyboard.press(act.key);
      }
      return `Pressed ${act.key}.`;
    default: return never(act);
  }
}

async function typeText(page: Page, { target, text, keys, submit }: Extract<PageAct, { action: 'type' }>, { on, holdTo, signal }: Hands): Promise<string> {
  if (keys && text.length > MOST_KEYS) throw new PageProblem(`At most ${MOST_KEYS} keys can be pressed one by one. Leave out slowly.`);
  if (keys) {
    // Keys go to what has the focus: a text that was begun is never begun again.
    await on(target, (element) => element.focus());
    await holdKeys(page, holdTo);
    for (const key of text) {
      await holdTo(page.mainFrame());
      await page.keyboard.type(key);
    }
  } else await on(target, (element, timeout) => element.fill(text, { timeout, signal }));
  if (submit) await on(target, (element, timeout) => element.press('Enter', { timeout, signal }));
  return submit ? 'Typed and submitted.' : 'Typed.';
}
