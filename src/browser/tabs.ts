import type { BrowserRequest } from '../protocol/browser.ts';
import { failed, ok, type ToolOutcome } from '../protocol/tool.ts';
import { asData } from '../web/page-outcome.ts';
import { navigateTo } from './navigate.ts';
import type { PageLimits } from './page-limits.ts';
import { PageProblem } from './page-problem.ts';
import { addressOf, showPage, snapshotOf, titleOf, withNotes } from './show-page.ts';
import type { SessionPages } from './session-pages.ts';

/** Lists, opens, chooses or closes tabs. */
export async function changeTabs(pages: SessionPages, { what, tab, url }: Extract<BrowserRequest, { action: 'tabs' }>, { limits, signal }: { readonly limits: PageLimits; readonly signal: AbortSignal }): Promise<ToolOutcome> {
  if (what === 'list') return listTabs(pages, '');
  if (what === 'new') {
    const page = await pages.open();
    const said = url === undefined ? 'Opened an empty tab.' : await navigateTo(page, url, { limits, signal });
    return showPage(pages, page, { said, snapshot: await snapshotOf(page), glance: true });
  }
  const page = tab === undefined && what === 'close' ? pages.current() : pages.tabs()[tab ?? -1];
  if (!page) throw new PageProblem(tab === undefined ? 'Which tab is meant? Give its number.' : `There is no tab ${tab}; there are ${pages.tabs().length}.`);
  if (what === 'close') {
    await pages.drop(page);
    return listTabs(pages, 'Closed the tab. ');
  }
  pages.use(page);
  await page.bringToFront();
  return showPage(pages, page, { said: `Tab ${tab ?? ''} is in use.`, snapshot: await snapshotOf(page), glance: true });
}

async function listTabs(pages: SessionPages, said: string): Promise<ToolOutcome> {
  const tabs = pages.tabs();
  if (tabs.length === 0) return withNotes(pages, ok(`${said}No tab is open.`));
  const lines = await Promise.all(tabs.map(async (page, index) => `${index}${page === pages.current() ? ' (in use)' : ''}: ${addressOf(page)} ${await titleOf(page)}`));
  return withNotes(pages, ok(`${said}Tabs (addresses and titles are their authors' words):\n${asData('web_tabs', lines.join('\n'), {})}`));
}

/** The failure of what needs a page where there is none. */
export function noTab(why: string): ToolOutcome {
  return failed(`No page is open in the browser${why}. Open one with BrowserNavigate.`);
}
