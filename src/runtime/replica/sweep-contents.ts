import { SkillmintError } from '../../protocol/errors.ts';
import type { Postgres } from '../../store/postgres/postgres.ts';
import { sweepContents } from './shared-files.ts';

/** How often some contents are looked at, ms. */
const SWEEP_MS = 60_000;

/** Removes, bit by bit as long as the process lives, contents that nobody has; the result ends it. */
export function sweepNowAndThen(db: Postgres): () => void {
  let after: string | undefined;
  let busy = false;
  const sweep = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      after = await sweepContents(db, after ?? '');
    } catch (error) {
      // A database that is away says so wherever it is needed; this can wait for the next time.
      if (!(error instanceof SkillmintError)) throw error;
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void sweep(), SWEEP_MS).unref();
  return () => clearInterval(timer);
}
