import type { TextPage } from './page.ts';

/** Pages that were fetched a short while ago, so that reading on does not fetch again. */
export interface PageCache {
  get(url: string): TextPage | undefined;
  put(url: string, page: TextPage): void;
}

const KEPT_MS = 15 * 60_000;
const MOST_CHARACTERS = 8_000_000;

/** An empty one, for 15 minutes a page and 8 million characters in all; the oldest go first. `now`: ms since 1970. */
export function pageCache(now: () => number): PageCache {
  const pages = new Map<string, { readonly page: TextPage; readonly until: number }>();
  let characters = 0;
  const drop = (url: string): void => {
    characters -= pages.get(url)?.page.text.length ?? 0;
    pages.delete(url);
  };
  return {
    get(url) {
      const known = pages.get(url);
      if (known && known.until <= now()) drop(url);
      return pages.get(url)?.page;
    },
    put(url, page) {
      drop(url);
      pages.set(url, { page, until: now() + KEPT_MS });
      characters += page.text.length;
      for (const oldest of pages.keys()) if (characters > MOST_CHARACTERS) drop(oldest);
    },
  };
}
