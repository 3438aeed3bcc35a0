import { setImmediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { pageRenderer } from './page-renderer.ts';

/** What a person would read on a page, as Markdown. */
export interface HtmlText {
  readonly title: string | undefined;
  readonly text: string;
  /** Why the end of the page is missing. */
  readonly cut?: string;
}

/** Elements within each other; pages that people write have less than a hundred. */
const MOST_NESTED = 1_000;
/** Characters of text of one page. */
const MOST_TEXT = 2_000_000;
/** Characters that are read in one go, in a few milliseconds; others get their turn in between. */
const SLICE = 65_536;

/**
 * Turns HTML into Markdown-like text: headings, lists, tables, code, links with whole addresses. What is not shown is left
 * out: scripts, styles, and elements that are hidden by themselves. The time is linear in the length, and others have
 * their turn meanwhile. `base` is the address of the page.
 */
export async function htmlText(html: string, base: URL, signal: AbortSignal): Promise<HtmlText> {
  const page = pageRenderer(base);
  let depth = 0;
  let cut: string | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (depth > MOST_NESTED) cut = `its elements lie more than ${MOST_NESTED} deep within each other from there on`;
      else if (page.length > MOST_TEXT) cut = `it has more than ${MOST_TEXT} characters of text`;
      // The parser looks through all open elements at each further one.
      if (cut === undefined) page.open(name, attributes);
      else parser.pause();
    },
    onclosetag(name) {
      depth -= 1;
      if (cut === undefined) page.close(name);
    },
    ontext(text) {
      if (cut === undefined) page.text(text);
    },
  });
  for (let at = 0; at < html.length && cut === undefined; at += SLICE) {
    parser.write(html.slice(at, at + SLICE));
    await setImmediate();
    signal.throwIfAborted();
  }
  if (cut === undefined) parser.end();
  return { title: page.title(), text: page.result(), ...(cut === undefined ? {} : { cut }) };
}
