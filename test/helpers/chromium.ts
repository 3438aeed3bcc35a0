import os from 'node:os';
import { findProgram } from '../../src/browser/find-program.ts';

/** With CI=true a missing Chromium is a failure, not a reason to skip. */
export const withoutChromium = !isInstalled() && process.env['CI'] !== 'true';

function isInstalled(): boolean {
  try {
    findProgram({ platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux', env: process.env, home: os.homedir() });
    return true;
  } catch {
    // It says what to install.
    return false;
  }
}
