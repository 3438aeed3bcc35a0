import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { browserKeeper, originActedOn, type BrowserKeeper } from '../../src/browser/browser-keeper.ts';
import { PAGE_LIMITS, type PageLimits } from '../../src/browser/page-limits.ts';
import type { BrowserWishes } from '../../src/browser/wishes.ts';
import type { PageWorld } from '../../src/browser/session-proxy.ts';
import { egressRules } from '../../src/egress/egress-guard.ts';
import type { Resolver } from '../../src/egress/check-target.ts';
import type { BrowserRequest } from '../../src/protocol/browser.ts';
import { textOf } from '../../src/protocol/content.ts';
import type { BrowserResult } from '../../src/tools/define.ts';

/** What one request brought. */
export interface Answer extends BrowserResult {
  readonly text: string;
  readonly isError: boolean;
}

/** A browser of a test, with one session unless told. */
export interface TestBrowser {
  readonly keeper: BrowserKeeper;
  ask(request: BrowserRequest, more?: { readonly session?: string; readonly signal?: AbortSignal; readonly decidedFor?: string }): Promise<Answer>;
  go(url: string, session?: string): Promise<Answer>;
  /** The id of a session in the keeper. */
  idOf(session: string): string;
}

export interface TestBrowserOptions {
  readonly allow?: readonly string[];
  readonly resolve?: Resolver;
  readonly refusal?: PageWorld['refusal'];
  readonly refusesActs?: PageWorld['refusesActs'];
  readonly wishes?: BrowserWishes;
  readonly env?: Readonly<Record<string, string>>;
}

/** Shorter than the usual ones where a test waits for them, long enough for what comes. */
const LIMITS: PageLimits = { ...PAGE_LIMITS, appearMs: 1_200, actMs: 2_000 };
const ends: (() => Promise<void>)[] = [];
const shared = new Map<PageLimits, BrowserKeeper>();
let sessions = 0;

afterAll(async () => {
  for (const end of ends.splice(0)) await end();
  shared.clear();
});

function newKeeper(env: Readonly<Record<string, string>>, limits: PageLimits): { readonly keeper: BrowserKeeper; readonly end: () => Promise<void> } {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-test-home-'));
  const keeper = browserKeeper({ platform: process.platform === 'darwin' ? 'darwin' : 'linux', env: { PATH: process.env['PATH'] ?? '', ...env }, home, limits });
  return {
    keeper,
    end: async () => {
      await keeper.close();
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Sessions of a test in the one browser of its file, which end with the test; each object of `limits` has a browser. */
export function testBrowser({ limits = LIMITS, ...options }: TestBrowserOptions & { readonly limits?: PageLimits } = {}): TestBrowser {
  const known = shared.get(limits);
  if (known) return withKeeper(known, options);
  const { keeper, end } = newKeeper({}, limits);
  ends.push(end);
  shared.set(limits, keeper);
  return withKeeper(keeper, options);
}

/** A browser of a test's own, for what is about the browser itself. It sees the home of nobody. */
export function ownBrowser({ env = {}, limits = LIMITS, ...options }: TestBrowserOptions & { readonly limits?: PageLimits } = {}): TestBrowser {
  const { keeper, end } = newKeeper(env, limits);
  onTestFinished(end);
  return withKeeper(keeper, options);
}

function withKeeper(keeper: BrowserKeeper, { allow = [], resolve, refusal = () => undefined, refusesActs = async () => 'no rule allows it', wishes = {} }: TestBrowserOptions): TestBrowser {
  const names = new Map<string, string>();
  const idOf = (session: string): string => {
    const known = names.get(session);
    if (known !== undefined) return known;
    sessions += 1;
    const id = `${session}-${sessions}`;
    names.set(session, id);
    onTestFinished(() => keeper.forget(id));
    return id;
  };
  const world: PageWorld = { rules: egressRules({ allow, env: {}, ...(resolve ? { resolve } : {}) }), refusal, refusesActs };
  const ask: TestBrowser['ask'] = async (request, { session = 'one', signal = new AbortController().signal, decidedFor } = {}) => {
    const sessionId = idOf(session);
    const result = await keeper.run(request, { sessionId, world, wishes: { headless: true, ...wishes }, signal, decidedFor: decidedFor ?? originActedOn(request, keeper.page(sessionId)) });
    return { ...result, text: textOf(result.outcome.content), isError: result.outcome.status === 'error' };
  };
  return { keeper, ask, idOf, go: (url, session) => ask({ action: 'navigate', url }, session === undefined ? {} : { session }) };
}

/** The reference that a snapshot gives to the first element with this text. */
export function refOf(text: string, name: string): { readonly ref: string } {
  const line = text.split('\n').find((one) => one.includes(name) && one.includes('[ref='));
  const ref = /\[ref=(\w+)\]/.exec(line ?? '')?.[1];
  if (ref === undefined) throw new Error(`there is no ${name} in ${text}`);
  return { ref };
}
