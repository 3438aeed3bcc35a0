import fs from 'node:fs';
import path from 'node:path';
import { isAbandoned, ownName } from '../host/owner-name.ts';
import { systemCode } from '../protocol/errors.ts';

const PREFIX = 'skillmint-tmp-';
/** Of processes that cannot be seen from here, such as those of another container, ms. */
const LONGEST_SILENCE_MS = 24 * 3_600_000;

/** Makes a private folder in `base` that commands see as /tmp, and removes those of processes that were killed. */
export function makeTemporary(base: string): string {
  for (const name of fs.readdirSync(base)) if (name.startsWith(PREFIX)) removeAbandoned(path.join(base, name));
  const folder = path.join(base, `${PREFIX}${ownName('op')}`);
  fs.mkdirSync(folder, { mode: 0o700 });
  return folder;
}

function removeAbandoned(folder: string): void {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!stat || !isAbandoned(path.basename(folder).slice(PREFIX.length), { seenMs: stat.mtimeMs + LONGEST_SILENCE_MS, nowMs: Date.now() })) return;
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // That of another user, or one with folders that a command has closed.
    if (systemCode(error) === '') throw error;
  }
}
