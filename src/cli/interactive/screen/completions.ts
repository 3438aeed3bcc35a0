import path from 'node:path';
import type { AutocompleteItem, AutocompleteProvider } from '@mariozechner/pi-tui';
import type { HostSearch } from '../../../host/host.ts';
import { oneLine, printable } from '../../terminal.ts';

const MOST_FILES = 20_000;
const MOST_SHOWN = 20;
/** A list of files is used again for so long, ms. */
const FRESH_MS = 10_000;

/** A command or a skill that may stand behind `/`. */
export interface Completable {
  readonly name: string;
  readonly help: string;
}

/** What completions are made from. */
export interface CompletionSources {
  readonly commands: () => Promise<readonly Completable[]>;
  readonly search: Pick<HostSearch, 'glob'>;
  /** Folder whose files are completed behind `@`; ignored ones are left out. */
  readonly cwd: () => string;
  /** ms, rising. */
  readonly now: () => number;
}

/** Completes commands and skills behind `/` at the beginning of a message, and files behind `@`. */
export function completions({ commands, search, cwd, now }: CompletionSources): AutocompleteProvider {
  let files: { readonly at: number; readonly folder: string; readonly names: readonly string[] } | undefined;
  const filesHere = async (signal: AbortSignal): Promise<readonly string[]> => {
    const folder = cwd();
    if (files && files.folder === folder && now() - files.at < FRESH_MS) return files.names;
    const { lines } = await search.glob({ pattern: '**/*', path: folder, limit: MOST_FILES }, signal);
    // What stands in a name must not steer the terminal once it stands in the editor.
    const names = lines.map((file) => path.relative(folder, file).split(path.sep).join('/')).filter((name) => printable(name) === name);
    if (!signal.aborted) files = { at: now(), folder, names };
    return names;
  };
  return {
    async getSuggestions(lines, line, column, { signal }) {
      const before = (lines[line] ?? '').slice(0, column);
      const slash = line === 0 ? /^\/(\S*)$/.exec(before) : null;
      if (slash) return { prefix: before, items: commandItems(await commands(), slash[1] ?? '') };
      const [, at, typed = ''] = /(?:^|\s)(@([^\s"]*))$/.exec(before) ?? [];
      return at === undefined ? null : { prefix: at, items: fileItems(await filesHere(signal), typed) };
    },
    applyCompletion(lines, line, column, item, prefix) {
      const text = lines[line] ?? '';
      const start = text.slice(0, column - prefix.length);
      const put = `${start}${item.value} `;
      return { lines: lines.map((one, i) => (i === line ? `${put}${text.slice(column).trimStart()}` : one)), cursorLine: line, cursorCol: put.length };
    },
    shouldTriggerFileCompletion: () => true,
  };
}

function commandItems(all: readonly Completable[], typed: string): AutocompleteItem[] {
  const wanted = typed.toLowerCase();
  const names = all.filter(({ name }) => name.toLowerCase().includes(wanted));
  const first = names.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  return [...first, ...names.filter((one) => !first.includes(one))].slice(0, MOST_SHOWN).map(({ name, help }) => ({ value: `/${name}`, label: oneLine(name), description: oneLine(help) }));
}

/** Those whose own name begins with what was typed come first, then those that have it anywhere; short ones before long ones. */
function fileItems(names: readonly string[], typed: string): AutocompleteItem[] {
  const wanted = typed.toLowerCase();
  const rank = (name: string): number => (path.posix.basename(name).toLowerCase().startsWith(wanted) ? 0 : name.toLowerCase().startsWith(wanted) ? 1 : 2);
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted));
  return fitting.sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1)).slice(0, MOST_SHOWN).map((name) => ({ value: /\s/.test(name) ? `@"${name}"` : `@${name}`, label: oneLine(name) }));
}
