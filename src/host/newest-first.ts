import fs from 'node:fs';

/** To ask the time of more files than this would take longer than the search itself. */
const MOST_STATS = 10_000;

/** The first `limit` paths by time of change, newest first; sorted by path, with a warning, when there are too many. */
export function newestFirst(paths: readonly string[], limit: number): { readonly paths: readonly string[]; readonly warning?: string } {
  if (paths.length > MOST_STATS) {
    return { paths: smallest(paths, limit), warning: `${paths.length} files match, so they are sorted by path and not by time: narrow the pattern` };
  }
  const timed = paths.map((path) => ({ path, time: fs.lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  timed.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1));
  return { paths: timed.slice(0, limit).map((entry) => entry.path) };
}

/** The `count` smallest of many strings, sorted; far cheaper than to sort them all. */
function smallest(all: readonly string[], count: number): readonly string[] {
  let kept: string[] = [];
  let bound: string | undefined;
  for (const text of all) {
    if (bound !== undefined && text >= bound) continue;
    kept.push(text);
    if (kept.length < count * 2 + 1_000) continue;
    kept = kept.sort().slice(0, count);
    bound = kept.at(-1);
  }
  return kept.sort().slice(0, count);
}
