import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SkillmintError } from '../protocol/errors.ts';
import { ownName, pidIn } from './owner-name.ts';
import { namesIn } from './read-if-there.ts';
import { inSharedFolder, isLeft, leaveSharedFolder } from './shared-folder.ts';

/** Work under a lock takes milliseconds; who waits longer than this, in ms, is told. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = { least: 5, more: 45 };

/** What a lock needs to know. */
export interface LockOptions {
  /** The error of one who has waited too long; `pid` of the process that has the lock. */
  readonly busy: (pid: string) => SkillmintError;
  /** ms, 20,000 when left out. */
  readonly patience?: number;
}

/**
 * Runs `work` while no other process (nor another call in this one) does so for the same folder, which is made and removed with
 * it. The lock is a file in it whose name says who made it: whoever finds none of a living process beside its own, after having
 * made its own, has it; both of two that come at once step back. A file of a process that has ended counts for nothing.
 */
export async function withFolderLock<T>(folder: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const own = await acquire(folder, options);
  try {
    return await work();
  } finally {
    await fs.rm(own, { force: true });
    await leaveSharedFolder(folder);
  }
}

async function acquire(folder: string, { busy, patience = PATIENCE_MS }: LockOptions): Promise<string> {
  const deadline = Date.now() + patience;
  for (;;) {
    let [other] = await claimsOfLiving(folder, '');
    if (other === undefined) {
      const name = ownName('claim');
      const own = path.join(folder, name);
      await inSharedFolder(folder, async () => (await fs.open(own, 'wx', 0o600)).close());
      [other] = await claimsOfLiving(folder, name);
      if (other === undefined) return own;
      await fs.rm(own, { force: true });
    }
    if (Date.now() > deadline) throw busy(String(pidIn(other) ?? 'unknown'));
    await sleep(PAUSE_MS.least + Math.random() * PAUSE_MS.more);
  }
}

/** Claims of others; those that were left behind are removed, which is safe since no name is used twice. */
async function claimsOfLiving(folder: string, own: string): Promise<readonly string[]> {
  const living: string[] = [];
  for (const name of await namesIn(folder)) {
    if (!name.startsWith('claim-') || name === own) continue;
    if (await isLeft(folder, name)) await fs.rm(path.join(folder, name), { force: true });
    else living.push(name);
  }
  return living;
}
