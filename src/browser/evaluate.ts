import vm from 'node:vm';
import type { Page } from 'playwright-core';
import type { BrowserTarget } from '../protocol/browser.ts';
import { cutStart } from '../util/cut-text.ts';
import { onElement, type HoldTo } from './elements.ts';
import type { PageLimits } from './page-limits.ts';
import { PageProblem } from './page-problem.ts';

/** Characters of a value that leave the page. */
const MOST_CHARS = 25_000;

/**
 * Runs code in the page: an expression, a function (which gets the element of `target`), or statements with `return`. Gives
 * the value as text, JSON where it is no text; cut in the page, so that a large one does not have to come here.
 */
export async function evaluateIn(page: Page, { code, target }: { readonly code: string; readonly target?: BrowserTarget }, { holdTo, origin, limits }: { readonly holdTo: HoldTo; readonly origin: string | undefined; readonly limits: PageLimits }): Promise<string> {
  // The page may have become another one by the time that it runs; no page can change what this address says.
  const here = target === undefined ? `if (location.origin !== ${JSON.stringify(origin)}) throw new Error('the page has become another one');\n  ` : '';
  const source = `async (element) => {
  ${here}  const given = ${asFunction(code)};
  const value = await (typeof given === 'function' ? given(element) : given);
  const text = typeof value === 'string' ? value : (() => { try { return JSON.stringify(value, null, 2) ?? String(value); } catch (error) { return String(value); } })();
  return text.length > ${MOST_CHARS} ? text.slice(0, ${MOST_CHARS}) + '\\n… (' + text.length + ' characters in all)' : text;
}`;
  // Only its text counts: it is never run here.
  const inPage = Object.assign((): unknown => undefined, { toString: () => source });
  const run = async (): Promise<unknown> => {
    if (target !== undefined) return onElement(page, target, { limits: { ...limits, actMs: 0 }, holdTo, act: (element) => element.evaluate(inPage) });
    await holdTo(page.mainFrame());
    return page.evaluate(inPage);
  };
  const given = await run();
  return cutStart(String(given), MOST_CHARS + 100);
}

function asFunction(code: string): string {
  const text = code.trim().replace(/;+$/, '');
  if (isScript(`(${text}\n)`)) return `(${text}\n)`;
  if (isScript(`(async (element) => {${code}\n})`)) return `(async (element) => {${code}\n})`;
  throw new PageProblem('The code is no JavaScript. Give an expression, a function, or statements with return.');
}

/** It is read here and runs in the page alone. */
function isScript(source: string): boolean {
  try {
    return new vm.Script(source) instanceof vm.Script;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
