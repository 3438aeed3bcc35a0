/** An element of the page: by its reference in the last snapshot, or by a selector. One of the two is given. */
export interface BrowserTarget {
  readonly ref?: string;
  readonly selector?: string;
}

/** One thing that is done in the browser of a session. */
export type BrowserRequest =
  /** In the tab in use; the first one is opened where there is none. */
  | { readonly action: 'navigate'; readonly url: string }
  | { readonly action: 'back' }
  | { readonly action: 'snapshot'; readonly target?: BrowserTarget }
  | { readonly action: 'content'; readonly offset: number }
  | { readonly action: 'screenshot'; readonly target?: BrowserTarget; readonly fullPage: boolean }
  | { readonly action: 'click'; readonly target: BrowserTarget; readonly button: 'left' | 'right' | 'middle'; readonly times: 1 | 2 }
  /** Replaces what stands there, or with `keys` presses one key after the other; `submit` presses Enter in the end. */
  | { readonly action: 'type'; readonly target: BrowserTarget; readonly text: string; readonly submit: boolean; readonly keys: boolean }
  | { readonly action: 'select'; readonly target: BrowserTarget; readonly values: readonly string[] }
  | { readonly action: 'press'; readonly key: string; readonly target?: BrowserTarget }
  | { readonly action: 'hover'; readonly target: BrowserTarget }
  | { readonly action: 'evaluate'; readonly code: string; readonly target?: BrowserTarget }
  /** Waits for a text to be there, or to be gone, or for a time in ms. */
  | { readonly action: 'wait'; readonly text?: string; readonly gone?: string; readonly ms?: number }
  /** `tab` counts from 0. */
  | { readonly action: 'tabs'; readonly what: 'list' | 'new' | 'select' | 'close'; readonly tab?: number; readonly url?: string }
  /** How the next question of a page is to be answered; without it it is dismissed. */
  | { readonly action: 'dialog'; readonly accept: boolean; readonly text?: string }
  /** Gives the file that a page has begun to download; the last one unless told. */
  | { readonly action: 'download'; readonly id?: string }
  | { readonly action: 'close' };

const ACTS: ReadonlySet<BrowserRequest['action']> = new Set(['click', 'type', 'select', 'press', 'hover', 'evaluate']);

/** True for what does more to a page than to open or to read it; to say yes to its question is that, too. */
export function actsOnPage(request: BrowserRequest): boolean {
  return ACTS.has(request.action) || (request.action === 'dialog' && request.accept);
}
