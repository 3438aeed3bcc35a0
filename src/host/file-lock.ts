import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SkillmintError, systemCode } from '../protocol/errors.ts';

/** ms. Work under a lock takes a few; one so old was left behind by a process that died. */
const ABANDONED_MS = 10_000;
/** ms. */
const PATIENCE_MS = 15_000;
/** ms, at most so much between two tries. */
const PAUSE_MS = 40;

/** Limits of waiting, for tests. */
export interface LockLimits {
  /** ms. */
  readonly abandonedAfter?: number;
  /** ms. */
  readonly patience?: number;
}

/**
 * Runs `work` while no other process does so for the same file, which need not exist: reads what stands there and writes
 * it back as a whole without losing what others write. `FILE.lock` stands beside it meanwhile. The work has to be short.
 * Rejects with `io` when others hold the lock for 15 s, and with what `work` rejects with.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, limits: LockLimits = {}): Promise<T> {
  const lock = `${file}.lock`;
  const mark = `${process.pid} ${randomBytes(8).toString('hex')}\n`;
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await take(lock, mark, limits);
  try {
    return await work();
  } finally {
    if ((await markOf(lock)) === mark) await fs.rm(lock, { force: true });
  }
}

async function take(lock: string, mark: string, { abandonedAfter = ABANDONED_MS, patience = PATIENCE_MS }: LockLimits): Promise<void> {
  const end = Date.now() + patience;
  while (!(await isMade(lock, mark))) {
    if (Date.now() > end) throw new SkillmintError('io', `another process holds ${lock}. Try again; if no skillmint is running, remove that file.`);
    await clear(lock, abandonedAfter);
    await sleep(Math.random() * PAUSE_MS);
  }
}

async function isMade(lock: string, mark: string): Promise<boolean> {
  try {
    await fs.writeFile(lock, mark, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw new SkillmintError('io', `${lock} cannot be made: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Takes away a lock that was left behind. One that another process made meanwhile, and that was taken in its place, is put back. */
async function clear(lock: string, abandonedAfter: number): Promise<void> {
  const seen = await markOf(lock);
  if (seen === undefined || (await ageOf(lock)) < abandonedAfter) return;
  const aside = `${lock}.${randomBytes(8).toString('hex')}`;
  try {
    await fs.rename(lock, aside);
    if ((await markOf(aside)) !== seen) await fs.link(aside, lock);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(systemCode(error))) throw error;
  } finally {
    await fs.rm(aside, { force: true });
  }
}

async function ageOf(lock: string): Promise<number> {
  try {
    return Date.now() - (await fs.stat(lock)).mtimeMs;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

async function markOf(file: string): Promise<string | undefined> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
