import type { Browser, BrowserContext, Dialog, Download, Page } from 'playwright-core';
import type { LocalProxy } from '../egress/local-proxy.ts';
import { messageOf, type SkillmintError } from '../protocol/errors.ts';
import { originOf } from './hold-to-site.ts';
import { pageNotes, type PageNotes } from './page-notes.ts';
import { PageProblem } from './page-problem.ts';
import { startSessionProxy, type PageWorld } from './session-proxy.ts';

/** The tabs of one session, with cookies and storage of its own. */
export interface SessionPages {
  readonly notes: PageNotes;
  /** In the order in which they came. */
  tabs(): readonly Page[];
  current(): Page | undefined;
  use(page: Page): void;
  open(): Promise<Page>;
  /** Closes a tab; a page cannot hold it open. */
  drop(page: Page): Promise<void>;
  /** How the next question of a page is answered. */
  answerNext(answer: DialogAnswer): void;
  /** By the id that the model was told; the last one for none. */
  download(id: string | undefined): Download | undefined;
  /** Refused and failed requests since the last call, in sentences. */
  refused(): readonly string[];
  /** Whether the browser still runs. */
  isConnected(): boolean;
  /** Ends the tabs and all that they have stored. */
  close(): Promise<void>;
}

/** What is said to a question of a page. */
export interface DialogAnswer {
  /** Only pages of this site are given it. */
  readonly origin: string | undefined;
  readonly accept: boolean;
  readonly text?: string;
}

const MOST_TABS = 10;
const MOST_DOWNLOADS = 20;
/** In a row without a result in between; a page that asks more often does nothing else. */
const MOST_DIALOGS = 20;
const MOST_REFUSED = 5;
const VIEWPORT = { width: 1280, height: 800 };
const WEB = /^(?:https?:|about:blank$|about:srcdoc$|blob:https?:|chrome-error:|data:|$)/;

/** Opens an empty one. */
export async function openSessionPages(browser: Browser, world: () => PageWorld): Promise<SessionPages> {
  const proxy = await startSessionProxy(world);
  try {
    const { origin, username, password } = new URL(proxy.url);
    const context = await browser.newContext({ proxy: { server: origin, username, password, bypass: '<-loopback>' }, acceptDownloads: true, viewport: VIEWPORT });
    return new Pages(context, proxy);
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

class Pages implements SessionPages {
  readonly notes = pageNotes();
  readonly #context: BrowserContext;
  readonly #proxy: LocalProxy;
  readonly #downloads = new Map<string, { readonly download: Download; given: boolean }>();
  readonly #dialogs = new Map<Page, number>();
  readonly #ending = new Set<Promise<void>>();
  #tabs: Page[] = [];
  #current: Page | undefined;
  #answer: DialogAnswer | undefined;
  #isOpening = false;
  #counted = 0;

  constructor(context: BrowserContext, proxy: LocalProxy) {
    this.#context = context;
    this.#proxy = proxy;
    context.on('page', (page) => this.#add(page));
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.notes.page('console', `${message.type()}: ${message.text()}`);
    });
    context.on('weberror', (error) => this.notes.page('console', `uncaught: ${messageOf(error.error())}`));
    context.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      if (why !== 'net::ERR_ABORTED') this.notes.page('failed request', `${request.method()} ${request.url()} ${why}`);
    });
    context.on('response', (response) => {
      const isSeen = ['document', 'xhr', 'fetch', 'script', 'stylesheet'].includes(response.request().resourceType());
      if (response.status() >= 400 && isSeen) this.notes.page('failed request', `${response.request().method()} ${response.url()} ${response.status()}`);
    });
  }

  tabs(): readonly Page[] {
    return this.#tabs;
  }

  current(): Page | undefined {
    return this.#current;
  }

  use(page: Page): void {
    this.#current = page;
  }

  async open(): Promise<Page> {
    if (this.#tabs.length >= MOST_TABS) throw new PageProblem(`There are ${MOST_TABS} tabs already. Close one with BrowserTabs.`);
    this.#isOpening = true;
    try {
      const page = await this.#context.newPage();
      this.#current = page;
      return page;
    } finally {
      this.#isOpening = false;
    }
  }

  async drop(page: Page): Promise<void> {
    this.#forget(page);
    // What holds up its end ends with the session's tabs.
    await page.close({ runBeforeUnload: false }).catch(() => undefined);
  }

  answerNext(answer: DialogAnswer): void {
    this.#answer = answer;
  }

  download(id: string | undefined): Download | undefined {
    const found = id === undefined ? [...this.#downloads.values()].at(-1) : this.#downloads.get(id);
    if (found) found.given = true;
    return found?.download;
  }

  refused(): readonly string[] {
    const fresh = this.#proxy.takeProblems();
    this.#dialogs.clear();
    if (fresh.some(isTooMuch)) this.notes.own('The pages of this session have moved as much as they may. Call BrowserClose, then open the page again.');
    const said = [...new Set(fresh.filter((problem) => problem.code === 'egress_refused' || isTooMuch(problem)).map(({ message }) => message))];
    return said.length <= MOST_REFUSED ? said : [...said.slice(0, MOST_REFUSED), `${said.length - MOST_REFUSED} more requests of the page were refused.`];
  }

  isConnected(): boolean {
    return this.#context.browser()?.isConnected() === true;
  }

  async close(): Promise<void> {
    this.#tabs = [];
    this.#current = undefined;
    // A browser that is gone has closed it.
    await this.#context.close().catch(() => undefined);
    await this.#proxy.close();
    await Promise.allSettled(this.#ending);
  }

  #add(page: Page): void {
    if (this.#tabs.length >= MOST_TABS) {
      this.notes.own(`A page opened more than ${MOST_TABS} tabs; further ones were closed.`);
      return this.#end(page.close());
    }
    const isFirst = this.#tabs.length === 0;
    this.#tabs.push(page);
    if (isFirst) this.#current = page;
    else if (!this.#isOpening) this.notes.own(`The page has opened the tab ${this.#tabs.length - 1}; go there with BrowserTabs.`);
    page.on('close', () => this.#forget(page));
    page.on('crash', () => {
      this.notes.own('A page has crashed, and its tab was closed.');
      this.#end(this.drop(page));
    });
    page.on('dialog', (dialog) => this.#end(this.#onDialog(page, dialog)));
    page.on('download', (download) => this.#onDownload(download));
    page.on('filechooser', () => this.notes.own('The page wants a file of this machine; that is not possible here.'));
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame() || WEB.test(frame.url())) return;
      this.notes.own('A page tried to open what is no page of the web, and its tab was closed.');
      this.#end(this.drop(page));
    });
  }

  async #onDialog(page: Page, dialog: Dialog): Promise<void> {
    const count = (this.#dialogs.get(page) ?? 0) + 1;
    this.#dialogs.set(page, count);
    if (count > MOST_DIALOGS) {
      this.notes.own('A page asked question upon question without end, and its tab was closed.');
      return this.drop(page);
    }
    const kind = dialog.type();
    const isQuestion = kind === 'confirm' || kind === 'prompt';
    const isMeant = isQuestion && this.#answer?.origin === originOf(page.url());
    const answer = isMeant ? this.#answer : undefined;
    if (isMeant) this.#answer = undefined;
    const accept = answer?.accept ?? !isQuestion;
    this.notes.page('dialog', `${kind} ${JSON.stringify(dialog.message())} was ${accept ? 'accepted' : 'dismissed'}`);
    if (isQuestion && !answer) this.notes.own('A question of the page was dismissed. To accept it, call BrowserDialog with accept true, then repeat what led to it.');
    await (accept ? dialog.accept(answer?.text) : dialog.dismiss());
  }

  #onDownload(download: Download): void {
    this.#counted += 1;
    if (this.#downloads.size >= MOST_DOWNLOADS) this.#dropOneGiven();
    if (this.#downloads.size >= MOST_DOWNLOADS) {
      this.notes.own(`Pages began more than ${MOST_DOWNLOADS} downloads that were not kept; further ones were stopped. Keep some with BrowserDownload first.`);
      return this.#end(download.cancel());
    }
    const id = `d${this.#counted}`;
    this.#downloads.set(id, { download, given: false });
    this.notes.page('download', `${id}, called ${JSON.stringify(download.suggestedFilename())}, from ${download.url().slice(0, 200)}`);
    this.notes.own('A download has begun. Keep it with BrowserDownload (id, path).');
  }

  /** The oldest that has been given makes place for another one. */
  #dropOneGiven(): void {
    const [id, oldest] = [...this.#downloads].find(([, { given }]) => given) ?? [];
    if (id === undefined || !oldest) return;
    this.#downloads.delete(id);
    this.#end(oldest.download.delete());
  }

  #forget(page: Page): void {
    this.#tabs = this.#tabs.filter((one) => one !== page);
    this.#dialogs.delete(page);
    if (this.#current === page) this.#current = this.#tabs.at(-1);
  }

  /** What a page does on its own is not waited for, except by the end; that it was gone meanwhile does not matter. */
  #end(work: Promise<unknown>): void {
    const done: Promise<void> = work.then(() => undefined, () => undefined).finally(() => this.#ending.delete(done));
    this.#ending.add(done);
  }
}

/** The bound of the proxy on all that goes through it. */
function isTooMuch({ code, message }: SkillmintError): boolean {
  return code === 'network_failed' && message.startsWith('more than ');
}
