import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { chromium, type Browser } from 'playwright-core';
import { childEnvironment } from '../host/child-environment.ts';
import { groupGuard } from '../host/local-guard.ts';
import { COMMAND_MARK } from '../host/process-tree.ts';
import { messageOf, SkillmintError, systemCode } from '../protocol/errors.ts';
import { devtoolsTransport, MOST_MESSAGE_BYTES } from './devtools-pipe.ts';
import { switchesFor } from './switches.ts';

/** How a browser is started. */
export interface LaunchOptions {
  readonly program: string;
  readonly headless: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the person: for the right to use their display. */
  readonly home: string;
}

/** A browser that runs. */
export interface LaunchedBrowser {
  readonly browser: Browser;
  /** Why we have ended it, to follow "the browser"; undefined while it runs and where it was not us. */
  endedFor(): string | undefined;
  /** Ends it with all that it has left behind. */
  close(): Promise<void>;
}

const START_MS = 30_000;
/** So long it has to end by itself. */
const END_MS = 1_000;
/** So long its pipes are waited for after its end. */
const LEFT_MS = 500;
/** Characters of its errors that are kept to say why it does not start. */
const MOST_SAID = 20_000;

/**
 * Starts a browser in folders of its own, with no way to the network. It ends with this process, whatever ends that.
 * Throws `network_failed` where it does not come up.
 */
export async function launchBrowser({ program, headless, env, home }: LaunchOptions): Promise<LaunchedBrowser> {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'skillmint-browser-'));
  for (const name of ['home', 'tmp', 'artifacts']) fs.mkdirSync(path.join(folder, name));
  const mark = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const guard = groupGuard({ remove: [folder] });
  const begun = guard.expect(mark);
  // Its own process group, so that it ends with all of its processes.
  const child = spawn(program, switchesFor({ folder, headless }), { detached: process.platform !== 'win32', stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], env: environment(env, { home, folder, mark }) });
  const release = child.pid === undefined ? () => undefined : guard.add({ leader: child.pid, mark });
  begun();
  const gone = ended(child).then(() => {
    // Some of its processes may be left when the first one is gone.
    endGroup(child);
    release();
    guard.close();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  // What fails of it is told by whoever closes the browser.
  gone.catch(() => undefined);
  const said = errorsOf(child);
  const end = (): void => endGroup(child);
  let tooLong: string | undefined;
  try {
    const [, , , toBrowser, fromBrowser] = child.stdio;
    if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable)) throw new Error('it has no pipe');
    const onTooLong = (): void => { tooLong = `was ended, because a page sent more than ${MOST_MESSAGE_BYTES / 1024 / 1024} MiB at once`; };
    const browser = await chromium.connectOverCDP(devtoolsTransport({ toBrowser, fromBrowser, end, onTooLong }), { artifactsDir: path.join(folder, 'artifacts'), timeout: START_MS });
    return {
      browser,
      endedFor: () => tooLong,
      close: async () => {
        await askToEnd(browser, gone);
        end();
        await gone;
      },
    };
  } catch (error) {
    end();
    await gone;
    throw new SkillmintError('network_failed', `The browser ${program} did not start: ${reasonOf(`${said()}\n${messageOf(error)}`)}`, { cause: error });
  }
}

/** One that ends by itself leaves nothing of its processes to whoever takes in orphans. */
async function askToEnd(browser: Browser, gone: Promise<void>): Promise<void> {
  if (!browser.isConnected()) return;
  const asked = browser.newBrowserCDPSession().then((session) => session.send('Browser.close', undefined, { timeout: END_MS }));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => { timer = setTimeout(resolve, END_MS); });
  await Promise.race([Promise.allSettled([asked, gone]), late]);
  clearTimeout(timer);
}

/** Resolves when the process is gone and what it wrote was read, or when it was never there. */
function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    child.on('close', end);
    child.on('error', end);
    // Whoever has left its group may keep its pipes open.
    child.on('exit', () => { timer = setTimeout(end, LEFT_MS); });
  });
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    if (exitCode === null && signalCode === null && systemCode(error) !== 'ESRCH') throw error;
  }
}

/** The beginning of what it writes as errors; the rest is read and dropped, so that it never has to wait. */
function errorsOf({ stderr }: ChildProcess): () => string {
  let said = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => { said = `${said}${text}`.slice(0, MOST_SAID); });
  stderr?.on('error', () => undefined);
  return () => said;
}

/** Not that of the person: nothing is read from their home, or written to it. */
function environment(env: LaunchOptions['env'], { home, folder, mark }: { readonly home: string; readonly folder: string; readonly mark: string }): Record<string, string> {
  const own = path.join(folder, 'home');
  const kept = Object.entries(childEnvironment(env)).filter(([name]) => !/^(?:XDG_(?:CONFIG|CACHE|DATA|STATE)_HOME|(?:HTTPS?|ALL|NO)_PROXY)$/i.test(name));
  const display = process.platform === 'linux' ? { XAUTHORITY: env['XAUTHORITY'] ?? path.join(home, '.Xauthority') } : {};
  return { ...Object.fromEntries(kept), ...display, HOME: own, XDG_CONFIG_HOME: own, XDG_CACHE_HOME: own, TMPDIR: path.join(folder, 'tmp'), [COMMAND_MARK]: mark };
}

/** Why it does not start, from what it and those who drive it say. */
function reasonOf(says: string): string {
  if (/no usable sandbox|SUID sandbox|namespace sandbox|setuid sandbox/i.test(says)) return 'its own sandbox does not work on this machine. Install the package chromium-sandbox, or allow unprivileged user namespaces.';
  if (/missing X server|cannot open display/i.test(says)) return 'it cannot open a window. Set browser.headless to true.';
  if (/Timeout \d+ms exceeded/i.test(says)) return `it was not ready within ${START_MS / 1000} s. Try again.`;
  const line = says.split('\n').find((one) => /error/i.test(one)) ?? says.split('\n')[0] ?? '';
  return `${line.replace(/^\[[^\]]*\]\s*/, '').trim().slice(0, 300) || 'it ended at once'}. See whether it starts by hand, or set browser.executable to another one.`;
}
