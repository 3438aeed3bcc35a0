import type { Page } from 'playwright-core';
import type { BrowserTarget } from '../protocol/browser.ts';
import { findElement } from './elements.ts';
import type { PageLimits } from './page-limits.ts';

const SHOT_MS = 15_000;
/** Pixels; pages may be made as long as they like. */
const MOST_HEIGHT = 8_000;
/** Bytes that models take in one picture. */
const MOST_BYTES = 3_900_000;

/** A picture of the window, of an element, or of the page down to a bound; a large one as JPEG. */
export async function takeScreenshot(page: Page, { target, fullPage }: { readonly target?: BrowserTarget; readonly fullPage: boolean }, limits: PageLimits): Promise<{ readonly bytes: Uint8Array; readonly mediaType: string }> {
  const take = await camera(page, { fullPage, ...(target ? { target } : {}) }, limits);
  const png = await take({ type: 'png', timeout: SHOT_MS });
  if (png.length <= MOST_BYTES) return { bytes: png, mediaType: 'image/png' };
  return { bytes: await take({ type: 'jpeg', quality: 70, timeout: SHOT_MS }), mediaType: 'image/jpeg' };
}

type Shot = (options: { readonly type: 'png' | 'jpeg'; readonly quality?: number; readonly timeout: number }) => Promise<Uint8Array>;

async function camera(page: Page, { target, fullPage }: { readonly target?: BrowserTarget; readonly fullPage: boolean }, limits: PageLimits): Promise<Shot> {
  if (target) {
    const element = await findElement(page, target, limits);
    return (options) => element.screenshot(options);
  }
  if (!fullPage) return (options) => page.screenshot(options);
  const height: unknown = await page.evaluate('document.documentElement.scrollHeight');
  const width = page.viewportSize()?.width ?? 1280;
  const isLong = typeof height === 'number' && height > MOST_HEIGHT;
  return (options) => page.screenshot({ ...options, fullPage: true, ...(isLong ? { clip: { x: 0, y: 0, width, height: MOST_HEIGHT } } : {}) });
}
