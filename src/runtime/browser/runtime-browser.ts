import type { BrowserKeeper } from '../../browser/browser-keeper.ts';
import type { BrowserAccess, Tool } from '../../tools/define.ts';
import type { RuntimeParts } from '../parts.ts';
import type { WebParts } from '../web/web-parts.ts';

/** The browser as one session has it. */
export interface SessionBrowser {
  /** Its tools, loaded when one is wanted. */
  tools(): Promise<readonly Tool[]>;
  /** Address of the open page when a call was first decided on: what its run is held to. */
  pageFor(callId: string): string | undefined;
  access(web: WebParts): BrowserAccess;
}

/** The browser of a runtime. */
export interface RuntimeBrowser {
  of(sessionId: string): SessionBrowser;
  /** Ends the pages of a session. */
  forget(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

/** Calls that were decided on and may still run. */
const MOST_DECIDED = 500;

interface Known {
  /** By the id of the call. */
  readonly decided: Map<string, string | undefined>;
  /** `HOST:PORT` of addresses that calls have opened. */
  readonly opened: Set<string>;
}

/** Keeps the browser of a process. What drives it is loaded with the first call. */
export function runtimeBrowser({ host, env, home }: Pick<RuntimeParts, 'host' | 'env' | 'home'>): RuntimeBrowser {
  let keeper: Promise<BrowserKeeper> | undefined;
  let running: BrowserKeeper | undefined;
  let tools: Promise<readonly Tool[]> | undefined;
  const sessions = new Map<string, Known>();
  const load = async (): Promise<BrowserKeeper> => {
    const { browserKeeper } = await import('../../browser/browser-keeper.ts');
    running = browserKeeper({ platform: host.platform, env, home });
    return running;
  };
  const loadTools = async (): Promise<readonly Tool[]> => (await import('../../tools/browser/browser-tools.ts')).browserTools();
  return {
    of(sessionId) {
      const known = sessions.get(sessionId) ?? { decided: new Map(), opened: new Set() };
      sessions.set(sessionId, known);
      return {
        tools: () => (tools ??= loadTools()),
        pageFor: (callId) => noted(known, callId, () => running?.page(sessionId)),
        access: (web) => ({
          async run(request, call) {
            const page = known.decided.get(call.callId);
            known.decided.delete(call.callId);
            const [{ originActedOn }, { openedBy, pageWorld }] = await Promise.all([import('../../browser/browser-keeper.ts'), import('./page-world.ts')]);
            const address = openedBy(request);
            if (address !== undefined) known.opened.add(address);
            keeper ??= load();
            return (await keeper).run(request, { sessionId, world: pageWorld(web, known.opened), wishes: web.settings.browser, signal: call.signal, decidedFor: originActedOn(request, page) });
          },
        }),
      };
    },
    async forget(sessionId) {
      sessions.delete(sessionId);
      await (await keeper)?.forget(sessionId);
    },
    async close() {
      await (await keeper)?.close();
    },
  };
}

function noted({ decided }: Known, callId: string, page: () => string | undefined): string | undefined {
  if (decided.has(callId)) return decided.get(callId);
  const [oldest] = decided.keys();
  if (decided.size >= MOST_DECIDED && oldest !== undefined) decided.delete(oldest);
  const url = page();
  decided.set(callId, url);
  return url;
}
