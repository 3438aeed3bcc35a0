import fs from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../protocol/errors.ts';
import { isAbandoned } from './owner-name.ts';

/** Makes something in a folder that several processes use for a while, and that others remove as soon as it is empty. */
export async function inSharedFolder(folder: string, make: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      // It may go while it is being made, too.
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      await make();
      return;
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || attempt === 50) throw error;
    }
  }
}

/** Removes the folder if nothing is in it. */
export async function leaveSharedFolder(folder: string): Promise<void> {
  try {
    await fs.rmdir(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error))) throw error;
  }
}

/** True when this, whose name is one of `ownName`, lies there still and its process has ended. */
export async function isLeft(folder: string, name: string): Promise<boolean> {
  try {
    return isAbandoned(name, { seenMs: (await fs.stat(path.join(folder, name))).mtimeMs, nowMs: Date.now() });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
