import type { Frame, Page } from 'playwright-core';
import type { HoldTo } from './elements.ts';
import { PageProblem } from './page-problem.ts';
import type { PageWorld } from './session-proxy.ts';

/** So long a frame has to say whether keys go to it. */
const FOCUS_MS = 1_000;

/** Holds a call to the site that it was decided for (`origin`): to its page, and in that page to frames of the same site or of one that rules let be acted on. A call that was stopped acts on nothing. */
export function holdToSite(page: Page, { origin, refusesActs, signal }: { readonly origin: string | undefined; readonly refusesActs: PageWorld['refusesActs']; readonly signal: AbortSignal }): HoldTo {
  return async (frame) => {
    signal.throwIfAborted();
    const site = originOf(page.url());
    if (origin === undefined || site !== origin) throw new PageProblem(`The browser now shows a page of ${site ?? 'no site'}, for which this call was not decided. Look at it with BrowserSnapshot, then call again.`);
    const inner = frameAddress(frame);
    if (originOf(inner) === origin) return;
    const why = await refusesActs(inner);
    if (why !== undefined) throw new PageProblem(`That is in a frame of another site (${originOf(inner) ?? 'of none'}), for which this call was not decided: ${why}.`);
  };
}

/** The same for keys that go to whatever has the focus. */
export async function holdKeys(page: Page, holdTo: HoldTo): Promise<void> {
  await holdTo(page.mainFrame());
  const site = originOf(page.url());
  // A site says of its own frames where keys go; the page around them is not asked.
  await Promise.all(page.frames().filter((frame) => originOf(frameAddress(frame)) !== site).map(async (frame) => {
    if (await hasFocus(frame)) await holdTo(frame);
  }));
}

/** Origin of an address of the web; undefined for others. */
export function originOf(url: string): string | undefined {
  return /^(?:blob:)?https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** A frame without an address of its own belongs to the one that it is in. */
function frameAddress(frame: Frame): string {
  const parent = frame.parentFrame();
  return /^about:|^$/.test(frame.url()) && parent ? frameAddress(parent) : frame.url();
}

async function hasFocus(frame: Frame): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<true>((resolve) => { timer = setTimeout(() => resolve(true), FOCUS_MS); });
  try {
    return await Promise.race([frame.evaluate('document.hasFocus()').then(Boolean), late]);
  } catch {
    // It is gone meanwhile, and gets no keys.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
