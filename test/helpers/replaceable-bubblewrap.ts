import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/** The program that the sandbox runs. */
export const BWRAP = '/usr/bin/bwrap';

/** True where a test may put something else in its place for one process: as root, in a mount namespace. */
export const replaceableBubblewrap = ((): boolean => {
  if (process.getuid?.() !== 0 || !fs.existsSync(BWRAP)) return false;
  try {
    execFileSync('unshare', ['-m', 'mount', '--bind', '/dev/null', BWRAP], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
