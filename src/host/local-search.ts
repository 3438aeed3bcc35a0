import { globDepth, narrowGlob, pathFilter } from './glob-filter.ts';
import type { GrepQuery, HostSearch, SearchResult } from './host.ts';
import { findRipgrep, runRipgrep } from './ripgrep.ts';
import { newestFirst } from './newest-first.ts';

/** Lines of file content are cut here, as some files hold a megabyte in one line. */
const LONGEST_LINE = 1_000;
/** Honours ignore files also outside a repository, and shows hidden files. */
const SCOPE = ['--no-config', '--no-require-git', '--hidden', '--color', 'never', '--null'];
/** Never enters `.git`. The check costs as much per file as a third of the walk, so lists of names are filtered here instead. */
const WITHOUT_GIT = ['--glob', '!.git'];
const IN_GIT = /[\\/]\.git(?:[\\/]|$)/;

/** Search with ripgrep. `ripgrep` finds the program and may be replaced; a rejection becomes the search's error. */
export function localSearch(options: { readonly ripgrep?: () => Promise<string> } = {}): HostSearch {
  const ripgrep = options.ripgrep ?? findRipgrep;
  return {
    grep: (query, signal) => grep(query, { ripgrep, signal }),
    glob: (query, signal) => glob(query, { ripgrep, signal }),
  };
}

interface Means {
  readonly ripgrep: () => Promise<string>;
  readonly signal: AbortSignal;
}

async function glob(query: { readonly pattern: string; readonly path: string; readonly limit: number }, means: Means): Promise<SearchResult> {
  const filter = await pathFilter(query.pattern, query.path);
  const depth = globDepth(query.pattern);
  const found = newestFirst(query.limit);
  const run = await runRipgrep({
    ...means,
    args: [...SCOPE, '--files', ...(depth === undefined ? [] : ['--max-depth', `${depth}`]), ...narrowGlob(query.pattern), '--', query.path],
    separator: '\0',
    onRecord: (file) => {
      if (filter(file) && !(file.includes('.git') && IN_GIT.test(file.slice(query.path.length)))) found.add(file);
      return true;
    },
  });
  if (run.error !== undefined) return { lines: [], truncated: false, error: run.error };
  const sorted = found.finish();
  const warning = [sorted.warning, run.warning].filter((text) => text !== undefined).join('; ');
  return { lines: sorted.paths, truncated: sorted.total > query.limit, ...(warning === '' ? {} : { warning }) };
}

async function grep(query: GrepQuery, means: Means): Promise<SearchResult> {
  const filter = query.glob === undefined ? () => true : await pathFilter(query.glob, query.path, { basenames: true, everything: query.type !== undefined });
  const blocks = new Map<string, string[]>();
  let count = 0;
  let gap: string | undefined;
  let truncated = false;
  const run = await runRipgrep({
    ...means,
    args: grepArguments(query),
    separator: query.mode === 'files_with_matches' ? '\0' : '\n',
    onRecord: (record) => {
      if (record === '--' || record === '--\r') {
        gap = '--';
        return true;
      }
      const { file, line } = readRecord(record, query);
      if (!filter(file)) return true;
      if (count >= query.limit) {
        truncated = true;
        return false;
      }
      count++;
      const block = blocks.get(file);
      if (block === undefined) blocks.set(file, [line]);
      else block.push(...(gap === undefined ? [] : [gap]), line);
      gap = undefined;
      return true;
    },
  });
  if (run.error !== undefined) return { lines: [], truncated: false, error: run.error };
  const lines = [...blocks].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, block]) => block);
  return { lines, truncated, ...(run.warning === undefined ? {} : { warning: run.warning }) };
}

/** ripgrep sets a NUL between the path and the rest; the rest of a numbered line begins with `12:`, of its context with `12-`. */
function readRecord(record: string, query: GrepQuery): { readonly file: string; readonly line: string } {
  const end = record.indexOf('\0');
  if (end < 0) return { file: record, line: record };
  const file = record.slice(0, end);
  const rest = record.endsWith('\r') ? record.slice(end + 1, -1) : record.slice(end + 1);
  const isContext = query.mode === 'content' && query.lineNumbers && /^\d+-/.test(rest);
  return { file, line: `${file}${isContext ? '-' : ':'}${rest}` };
}

function grepArguments(query: GrepQuery): readonly string[] {
  return [
    ...SCOPE,
    ...WITHOUT_GIT,
    '--with-filename',
    '--no-heading',
    '--crlf',
    '--engine',
    'auto',
    ...modeArguments(query),
    ...(query.ignoreCase ? ['--ignore-case'] : []),
    ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(query.type === undefined ? [] : ['--type', query.type]),
    ...(query.glob === undefined || query.type !== undefined ? [] : narrowGlob(query.glob)),
    '--regexp',
    query.pattern,
    '--',
    query.path,
  ];
}

function modeArguments(query: GrepQuery): readonly string[] {
  if (query.mode === 'files_with_matches') return ['--files-with-matches'];
  if (query.mode === 'count') return ['--count'];
  return [
    query.lineNumbers ? '--line-number' : '--no-line-number',
    '--max-columns',
    `${LONGEST_LINE}`,
    '--max-columns-preview',
    '--before-context',
    `${query.before}`,
    '--after-context',
    `${query.after}`,
  ];
}
