import fs from 'node:fs';
import path from 'node:path';
import type { Host } from '../host/host.ts';
import { SkillmintError } from '../protocol/errors.ts';

/** Where a browser is looked for. */
export interface ProgramPlaces {
  readonly platform: Host['platform'];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The setting `browser.executable`. */
  readonly executable?: string | undefined;
}

/** Names on the PATH, the freest first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge-stable', 'microsoft-edge', 'brave-browser'];
const LINUX = ['/usr/bin/chromium', '/usr/lib/chromium/chromium', '/usr/bin/chromium-browser', '/snap/bin/chromium', '/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge'];
const MAC = ['Chromium', 'Google Chrome', 'Microsoft Edge', 'Brave Browser'];
const WINDOWS = ['Chromium\\Application\\chrome.exe', 'Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
const INSTALL: Readonly<Record<Host['platform'], string>> = {
  linux: 'Install the package chromium (Debian, Ubuntu, Fedora, Arch and Alpine have it: apt-get install chromium, dnf install chromium, apk add chromium)',
  darwin: 'Install Chromium or Google Chrome (brew install --cask chromium)',
  win32: 'Install Microsoft Edge or Google Chrome (winget install Google.Chrome)',
  other: 'Install Chromium',
};

/** Path of the browser to start. @throws SkillmintError config_invalid where none is installed, or the setting names none */
export function findProgram(places: ProgramPlaces): string {
  const { executable, platform } = places;
  if (executable !== undefined) {
    if (isProgram(executable)) return executable;
    throw new SkillmintError('config_invalid', `browser.executable: ${executable} is no program. Set it to the path of a Chromium, Chrome or Edge, or leave it out.`);
  }
  const found = candidates(places).find(isProgram);
  if (found !== undefined) return found;
  throw new SkillmintError('config_invalid', `The browser tools need Chromium, Chrome or Edge, and none was found. ${INSTALL[platform]}, or set browser.executable to its path.`);
}

function candidates({ platform, env, home }: ProgramPlaces): readonly string[] {
  if (platform === 'darwin') return ['/Applications', path.join(home, 'Applications')].flatMap((folder) => MAC.map((name) => path.join(folder, `${name}.app`, 'Contents', 'MacOS', name)));
  if (platform === 'win32') return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => (env[name] === undefined ? [] : WINDOWS.map((file) => path.win32.join(env[name] ?? '', file))));
  // A relative entry, or one that a package manager has added, would be a program of the workspace.
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => path.isAbsolute(folder) && !folder.split('/').includes('node_modules'));
  return [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...LINUX];
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return path.isAbsolute(file) && fs.statSync(file).isFile();
  } catch {
    // There is none, or none that this person may run.
    return false;
  }
}
