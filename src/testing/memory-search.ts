import { posix } from 'node:path';
import type { GrepQuery, HostSearch, SearchResult } from '../host/host.ts';
import { pathFilter } from '../host/glob-filter.ts';
import { isInside } from '../host/paths.ts';
import { messageOf } from '../protocol/errors.ts';
import type { MemoryFiles } from './memory-files.ts';

/** A plain search over files in memory. Patterns are JavaScript's; ignore files are not read; a `type` is a file extension. */
export function memorySearch(memory: MemoryFiles): HostSearch {
  return {
    glob: async (query) => {
      const matches = await pathFilter(query.pattern, query.path, { everything: true });
      const found = below(memory, query.path).filter(matches);
      const newest = found.toSorted((a, b) => memory.tree.stat(b).mtimeMs - memory.tree.stat(a).mtimeMs);
      return { lines: newest.slice(0, query.limit), truncated: newest.length > query.limit };
    },
    grep: async (query) => {
      try {
        const all = await grepAll(memory, query);
        return { lines: all.slice(0, query.limit), truncated: all.length > query.limit };
      } catch (error) {
        return refused(error);
      }
    },
  };
}

function refused(error: unknown): SearchResult {
  return { lines: [], truncated: false, error: messageOf(error) };
}

function below(memory: MemoryFiles, root: string): readonly string[] {
  return memory.paths().filter((file) => isInside(root, file) && !file.includes('/.git/'));
}

async function grepAll(memory: MemoryFiles, query: GrepQuery): Promise<readonly string[]> {
  const flags = `gm${query.ignoreCase ? 'i' : ''}${query.multiline ? 's' : ''}`;
  const pattern = new RegExp(query.pattern, flags);
  const wanted = query.glob === undefined ? () => true : await pathFilter(query.glob, query.path, { basenames: true, everything: true });
  const files = below(memory, query.path).filter((file) => wanted(file) && (query.type === undefined || posix.extname(file) === `.${query.type}`));
  return files.flatMap((file) => grepFile(file, new TextDecoder().decode(memory.tree.read(file)), { query, pattern }));
}

function grepFile(file: string, text: string, search: { readonly query: GrepQuery; readonly pattern: RegExp }): readonly string[] {
  const { query, pattern } = search;
  const lines = text.replace(/\n$/, '').split('\n');
  const matched = query.multiline
    ? linesOfMatches(text, pattern)
    : new Set(lines.flatMap((line, index) => (line.search(pattern) >= 0 ? [index] : [])));
  if (matched.size === 0) return [];
  if (query.mode === 'files_with_matches') return [file];
  if (query.mode === 'count') return [`${file}:${matched.size}`];
  const isNear = (index: number): boolean => [...matched].some((at) => index >= at - query.before && index <= at + query.after);
  return lines.flatMap((line, index) => {
    if (!isNear(index)) return [];
    const mark = matched.has(index) ? ':' : '-';
    return [`${file}${mark}${query.lineNumbers ? `${index + 1}${mark}` : ''}${line}`];
  });
}

function linesOfMatches(text: string, pattern: RegExp): ReadonlySet<number> {
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const found = new Set<number>();
  for (const match of text.matchAll(pattern)) {
    for (let line = lineOf(match.index); line <= lineOf(match.index + Math.max(0, match[0].length - 1)); line++) found.add(line);
  }
  return found;
}
