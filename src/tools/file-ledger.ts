import type { FileStat } from '../host/host.ts';
import { stampOf } from '../host/stamp.ts';
import type { ToolContext } from './define.ts';

/**
 * What the file tools of one tool set share: calls on one path run one after the other, and states of files that this
 * session has made or seen within a batch count before the session's log tells of them.
 */
export interface FileLedger {
  /** Runs work on a path when all earlier work on it has ended. */
  exclusive<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** Notes that the session knows this state of the file. */
  note(context: ToolContext, realPath: string, stamp: string): void;
  /** Why an existing file may not be changed: never read in this session, or changed since. */
  check(context: ToolContext, realPath: string, stat: FileStat): 'unread' | 'stale' | 'known';
}

/** Makes an empty ledger. A session is known by its register of background shells. */
export function createFileLedger(): FileLedger {
  const tails = new Map<string, Promise<unknown>>();
  const sessions = new WeakMap<object, Map<string, string>>();
  return {
    async exclusive(path, work) {
      const before = tails.get(path) ?? Promise.resolve();
      const run = before.then(work);
      const tail = run.then(nothing, nothing);
      tails.set(path, tail);
      try {
        return await run;
      } finally {
        if (tails.get(path) === tail) tails.delete(path);
      }
    },
    note(context, realPath, stamp) {
      const own = sessions.get(context.shells) ?? new Map<string, string>();
      own.set(realPath, stamp);
      sessions.set(context.shells, own);
    },
    check(context, realPath, stat) {
      const logged = context.fileStamps.get(realPath);
      const own = sessions.get(context.shells)?.get(realPath);
      if (logged === undefined && own === undefined) return 'unread';
      const now = stampOf(stat);
      return now === logged || now === own ? 'known' : 'stale';
    },
  };
}

/** The outcome of earlier work is its own caller's business. */
function nothing(): void {}
