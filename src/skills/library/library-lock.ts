import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SkillmintError } from '../../protocol/errors.ts';
import { WORK_FOLDER } from '../discover/skill-root.ts';
import { ownName, pidIn } from './owner-name.ts';
import { inWorkFolder, isLeft, leaveWorkFolder, namesIn } from './work-folder.ts';

/** Changes take milliseconds; who waits longer than this, in ms, is told. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = { least: 5, more: 45 };

/**
 * Runs `work` while no other process (nor another call in this one) changes the skills of this folder. The lock is a file whose
 * name says who made it: whoever finds none of a living process beside its own, after having made its own, has it; both of
 * two that come at once step back. A file of a process that has ended counts for nothing.
 * Throws `library_busy` when others do not end within 20 s.
 */
export async function withLibraryLock<T>(skills: string, work: () => Promise<T>): Promise<T> {
  const own = await acquire(skills);
  try {
    return await work();
  } finally {
    await fs.rm(own, { force: true });
    await leaveWorkFolder(skills);
  }
}

async function acquire(skills: string): Promise<string> {
  const folder = path.join(skills, WORK_FOLDER);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    let [other] = await claimsOfLiving(folder, '');
    if (other === undefined) {
      const name = ownName('claim');
      const own = path.join(folder, name);
      await inWorkFolder(skills, async () => (await fs.open(own, 'wx', 0o600)).close());
      [other] = await claimsOfLiving(folder, name);
      if (other === undefined) return own;
      await fs.rm(own, { force: true });
    }
    if (Date.now() > deadline) throw new SkillmintError('library_busy', `Another process (${pidIn(other) ?? 'unknown'}) is changing the skills in ${skills}. Wait until it has ended and try again.`);
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
