import fs from 'node:fs';

/** To ask the time of more files than this would take longer than the search itself. */
const MOST_STATS = 10_000;

/** Chooses the newest of many files, by asking the time of each, or the first by path where there are too many. */
export interface NewestFirst {
  add(path: string): void;
  /** The chosen paths in order, how many there were, and a warning when time did not decide. */
  finish(): { readonly paths: readonly string[]; readonly total: number; readonly warning?: string };
}

/** Begins a choice of at most `limit` paths. Memory does not grow with the number of paths. */
export function newestFirst(limit: number): NewestFirst {
  let kept: string[] = [];
  let total = 0;
  /** Above this none of the first `limit` by path can lie. */
  let bound: string | undefined;
  const keepSmallest = (): void => {
    kept = kept.sort().slice(0, limit);
    bound = kept.at(-1);
  };
  return {
    add(path) {
      total++;
      if (bound !== undefined && path >= bound) return;
      kept.push(path);
      if (total > MOST_STATS && kept.length > limit * 2 + 1_000) keepSmallest();
    },
    finish() {
      if (total <= MOST_STATS) return { paths: byTime(kept).slice(0, limit), total };
      keepSmallest();
      return { paths: kept, total, warning: `${total} files match, so they are sorted by path and not by time: narrow the pattern` };
    },
  };
}

function byTime(paths: readonly string[]): readonly string[] {
  const timed = paths.map((path) => ({ path, time: fs.lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  return timed.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1)).map((entry) => entry.path);
}
