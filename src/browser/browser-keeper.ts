import { checkTarget } from '../egress/check-target.ts';
import type { Host } from '../host/host.ts';
import { actsOnPage, type BrowserRequest } from '../protocol/browser.ts';
import { SkillmintError } from '../protocol/errors.ts';
import { failed, ok, type ToolOutcome } from '../protocol/tool.ts';
import type { BrowserResult } from '../tools/define.ts';
import { findProgram } from './find-program.ts';
import type { LaunchedBrowser } from './launch.ts';
import { PAGE_LIMITS, type PageLimits } from './page-limits.ts';
import { isGone } from './page-problem.ts';
import { originOf } from './hold-to-site.ts';
import { perform } from './perform.ts';
import { openSessionPages, type SessionPages } from './session-pages.ts';
import type { PageWorld } from './session-proxy.ts';
import { noTab } from './tabs.ts';
import { isHeadless, runsWithoutOwnSandbox, type BrowserWishes } from './wishes.ts';

/** A request of a session, and what holds for it just now. */
export interface SessionRequest {
  readonly sessionId: string;
  readonly world: PageWorld;
  readonly wishes: BrowserWishes;
  readonly signal: AbortSignal;
  /** See `PerformOptions`. */
  readonly decidedFor: string | undefined;
}

/** The one browser of a process: started with the first request, ended when nobody uses it. */
export interface BrowserKeeper {
  /** Carries a request out after those that came before in the same session. Never rejects for what pages or the browser do. */
  run(request: BrowserRequest, given: SessionRequest): Promise<BrowserResult>;
  /** Address of the page that a session uses. */
  page(sessionId: string): string | undefined;
  /** Ends the pages of a session. */
  forget(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

/** What a keeper is made of. */
export interface KeeperParts {
  readonly platform: Host['platform'];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The usual ones unless given. */
  readonly limits?: PageLimits;
}

interface Session {
  world: PageWorld;
  wishes: BrowserWishes;
  pages: SessionPages | undefined;
  /** What is said of pages that are gone. */
  lost: string;
  queue: Promise<unknown>;
  idle: NodeJS.Timeout | undefined;
  /** Nobody asks for it any more; what still runs of it opens nothing. */
  isForgotten: boolean;
}

const IDLE_MINUTES = 5;
/** A longer time would be none at all to the clock. */
const MOST_TIMER_MS = 2 ** 31 - 1;
const STOP_MS = 1_500;
const STOPPED: BrowserResult = { outcome: failed('Stopped.') };
const ENDING = 'The browser is being ended with skillmint.';
const ROOT_NOTE = '[The browser runs as root, so Chromium works without its own sandbox. Run skillmint as another user for pages that you do not trust.]';

/** Makes one; nothing is started yet. */
export function browserKeeper(parts: KeeperParts): BrowserKeeper {
  return new Keeper(parts);
}

class Keeper implements BrowserKeeper {
  readonly #parts: KeeperParts;
  readonly #sessions = new Map<string, Session>();
  #running: Promise<LaunchedBrowser> | undefined;
  #busy = 0;
  #ending: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  page(sessionId: string): string | undefined {
    // What a page has made itself is of its own site.
    return this.#sessions.get(sessionId)?.pages?.current()?.url().replace(/^blob:/, '');
  }

  async run(request: BrowserRequest, given: SessionRequest): Promise<BrowserResult> {
    const session = this.#sessionOf(given);
    session.world = given.world;
    session.wishes = given.wishes;
    const before = session.queue;
    const result = before.then(() => this.#runNow(session, request, given));
    session.queue = result.catch(() => undefined);
    return stoppable(result, given.signal);
  }

  async forget(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (!session) return;
    this.#sessions.delete(sessionId);
    clearTimeout(session.idle);
    session.isForgotten = true;
    const { pages } = session;
    session.pages = undefined;
    await pages?.close();
    if (this.#running) this.#endLater(session, session.wishes);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end('');
    await this.#ending;
  }

  #sessionOf({ sessionId, world, wishes }: SessionRequest): Session {
    const session = this.#sessions.get(sessionId) ?? { world, wishes, pages: undefined, lost: '', queue: Promise.resolve(), idle: undefined, isForgotten: false };
    this.#sessions.set(sessionId, session);
    return session;
  }

  async #runNow(session: Session, request: BrowserRequest, given: SessionRequest): Promise<BrowserResult> {
    if (this.#isClosed || session.isForgotten) return { outcome: failed(ENDING) };
    if (given.signal.aborted) return STOPPED;
    this.#busy += 1;
    clearTimeout(session.idle);
    try {
      return await this.#withPages(session, request, given);
    } catch (error) {
      if (error instanceof SkillmintError) return { outcome: failed(error.message) };
      if (!isGone(error)) throw error;
      return { outcome: failed(`The page or the browser was lost in the middle of it (crashed, or killed). ${session.pages ? 'Look with BrowserTabs at what is left.' : 'Open the page again with BrowserNavigate; that starts the browser anew.'}`) };
    } finally {
      this.#busy -= 1;
      if (session.isForgotten) await this.#endPages(session, '');
      this.#endLater(session, given.wishes);
    }
  }

  async #withPages(session: Session, request: BrowserRequest, given: SessionRequest): Promise<BrowserResult> {
    const opens = request.action === 'navigate' || (request.action === 'tabs' && request.what === 'new');
    if (request.action === 'close') {
      await session.pages?.close();
      session.pages = undefined;
      session.lost = '';
      return { outcome: ok('The browser of this session is closed; its pages, cookies and storage are gone.') };
    }
    if (!session.pages && !opens) return { outcome: noTab(session.lost) };
    const refused = opens && request.url !== undefined ? await refusalOf(request.url, given.world) : undefined;
    if (refused !== undefined) return { outcome: failed(refused) };
    const isFirst = session.pages === undefined;
    session.pages ??= await openSessionPages((await this.#browser(given.wishes)).browser, () => session.world);
    const result = await perform(session.pages, request, { signal: given.signal, decidedFor: given.decidedFor, refusesActs: given.world.refusesActs, limits: this.#parts.limits ?? PAGE_LIMITS, lost: session.lost });
    // They may have been lost while it was performed, and that is still to be told.
    if (session.pages) session.lost = '';
    return isFirst && runsWithoutOwnSandbox() ? { ...result, outcome: withLine(result.outcome, ROOT_NOTE) } : result;
  }

  async #browser(wishes: BrowserWishes): Promise<LaunchedBrowser> {
    await this.#ending;
    if (this.#isClosed) throw new SkillmintError('interrupted', ENDING);
    this.#running ??= this.#start(wishes);
    return this.#running;
  }

  #start(wishes: BrowserWishes): Promise<LaunchedBrowser> {
    const running = this.#launch(wishes);
    const forget = (): void => { if (this.#running === running) this.#running = undefined; };
    running.then(({ browser, endedFor }) => browser.on('disconnected', () => {
      // That of one which has been ended may come when the next one runs.
      if (this.#running === running) this.#lost(`: the browser ${endedFor() ?? 'has crashed or was killed'}, and its pages with it`);
    }), forget);
    return running;
  }

  async #launch(wishes: BrowserWishes): Promise<LaunchedBrowser> {
    const { env, home, platform } = this.#parts;
    const program = findProgram({ platform, env, home, executable: wishes.executable });
    // What drives a browser takes a second to load.
    const { launchBrowser } = await import('./launch.ts');
    return launchBrowser({ program, headless: isHeadless(wishes, this.#parts), env, home });
  }

  /** Its pages are gone; the next request starts another one. */
  #lost(why: string): void {
    const running = this.#running;
    this.#running = undefined;
    const gone = [...this.#sessions.values()].flatMap((session) => {
      const { pages } = session;
      if (!pages) return [];
      session.pages = undefined;
      session.lost = why;
      return [pages.close()];
    });
    const before = this.#ending;
    this.#ending = Promise.allSettled([before, ...gone]).then(async () => {
      await running?.then((launched) => launched.close()).catch(() => undefined);
    });
  }

  async #end(why: string): Promise<void> {
    for (const { idle } of this.#sessions.values()) clearTimeout(idle);
    if (!this.#running) return;
    this.#lost(why);
    await this.#ending;
  }

  /** The pages of a session that nobody uses are ended, and the browser with the last of them. */
  #endLater(session: Session, { idleMinutes = IDLE_MINUTES }: BrowserWishes): void {
    const why = `: its pages were ended after ${idleMinutes} minutes without use`;
    const end = async (): Promise<void> => {
      await this.#endPages(session, why);
      if (this.#busy === 0 && [...this.#sessions.values()].every((other) => !other.pages)) await this.#end(why);
    };
    // What fails of it is what is being ended anyway.
    session.idle = setTimeout(() => void end().catch(() => undefined), Math.min(idleMinutes * 60_000, MOST_TIMER_MS));
    session.idle.unref();
  }

  async #endPages(session: Session, why: string): Promise<void> {
    const { pages } = session;
    if (!pages) return;
    session.pages = undefined;
    session.lost = why;
    await pages.close();
  }
}

/** Origin of the page that a request acts on; undefined for others. */
export function originActedOn(request: BrowserRequest, page: string | undefined): string | undefined {
  return page !== undefined && actsOnPage(request) ? originOf(page) : undefined;
}

/** Whoever has stopped a call does not wait for what cannot be stopped, such as the start of the browser. */
async function stoppable(result: Promise<BrowserResult>, signal: AbortSignal): Promise<BrowserResult> {
  const over = new AbortController();
  const stopped = new Promise<BrowserResult>((resolve) => {
    // What notices it by itself says more.
    const stop = (): void => void setTimeout(resolve, STOP_MS, STOPPED).unref();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([result, stopped]);
  } finally {
    over.abort();
  }
}

/** What the guard says to an address before anything is started for it. */
async function refusalOf(url: string, { rules, advice }: PageWorld): Promise<string | undefined> {
  try {
    await checkTarget(url, rules, { plainHttp: 'anywhere' });
    return undefined;
  } catch (error) {
    if (error instanceof SkillmintError) return `${error.message}${URL.canParse(url) ? advice?.(error, new URL(url)) ?? '' : ''}`;
    throw error;
  }
}

function withLine(outcome: ToolOutcome, line: string): ToolOutcome {
  return { ...outcome, content: [...outcome.content, { type: 'text', text: `\n${line}` }] };
}
