import type { Host } from '../host/host.ts';

/** How a browser is to be started when it is needed. */
export interface BrowserWishes {
  readonly executable?: string | undefined;
  readonly headless?: boolean | undefined;
  /** Minutes without use after which it is ended. */
  readonly idleMinutes?: number | undefined;
}

/** Whether the browser gets no window: so where there is no display, unless the setting says. */
export function isHeadless({ headless }: BrowserWishes, { platform, env }: { readonly platform: Host['platform']; readonly env: Readonly<Record<string, string | undefined>> }): boolean {
  const hasDisplay = platform === 'darwin' || platform === 'win32' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
  return headless ?? !hasDisplay;
}

/** Chromium refuses to start its own sandbox as root. */
export function runsWithoutOwnSandbox(): boolean {
  return process.getuid?.() === 0;
}
