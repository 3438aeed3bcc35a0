import path from 'node:path';
import { runsWithoutOwnSandbox } from './wishes.ts';

/** Nobody listens there: what does not belong to a session goes nowhere. */
const NOWHERE = 'http://127.0.0.1:1';

/** No way out of the machine but through the proxy of a session. */
const NETWORK = [
  `--proxy-server=${NOWHERE}`,
  '--proxy-bypass-list=<-loopback>',
  // Names are looked up by the proxy alone, and its own address is no name.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
];

/** Nothing that a browser does of its own accord: updates, reports, accounts, questions to its user. */
const QUIET = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--password-store=basic',
  '--use-mock-keychain',
];

/** Pages behave the same whether anyone sees them or not, and as those who drive the browser expect. */
const DRIVEN = [
  '--allow-pre-commit-input',
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-dev-shm-usage',
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-renderer-backgrounding',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--unsafely-disable-devtools-self-xss-warnings',
];

/** Of these the browser would get in the way, or look something up for itself. */
const OFF = ['AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'];

/** A machine without a mouse is none that pages know; sound disturbs. */
const HEADLESS = ['--headless', '--hide-scrollbars', '--mute-audio', '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4'];

/** What a browser is started with that keeps its profile below `folder` and is driven through its file descriptors 3 and 4. */
export function switchesFor({ folder, headless }: { readonly folder: string; readonly headless: boolean }): readonly string[] {
  return [
    ...NETWORK, ...QUIET, ...DRIVEN,
    `--disable-features=${OFF.join(',')}`,
    '--enable-features=CDPScreenshotNewSurface',
    ...(headless ? HEADLESS : []),
    ...(runsWithoutOwnSandbox() ? ['--no-sandbox'] : []),
    `--user-data-dir=${path.join(folder, 'profile')}`,
    '--remote-debugging-pipe',
    '--no-startup-window',
  ];
}
