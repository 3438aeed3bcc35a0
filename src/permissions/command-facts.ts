import { segmentsOf } from './path-pattern.ts';
import { filesShown, showsFiles } from './shell/read-only-commands.ts';
import { readShell, type ShellCommand, type ShellText } from './shell/read-shell.ts';
import { commandHeads, type CommandHeads } from './shell/command-heads.ts';

/** A file that a command's text names. */
export interface CommandFile {
  /** As the text says it. */
  readonly text: string;
  /** Absolute; undefined where nobody knows before it runs where it lies. */
  readonly path: string | undefined;
  /** The tool that would do the same to it: rules for that tool hold. */
  readonly tool: 'Read' | 'Grep' | 'LS' | 'Write';
  /** The command that shows it; undefined for one that the shell itself opens. */
  readonly shownBy?: ShellCommand;
}

/** What is known of a command's text without running it. */
export interface CommandFacts {
  readonly text: ShellText;
  readonly heads: CommandHeads;
  readonly files: readonly CommandFile[];
  /** Commands that only show something; where they run has still to be a folder that may be read. */
  readonly showing: ReadonlySet<ShellCommand>;
}

/** They change the folder, wherever among the words they stand; and texts from elsewhere that may. */
const MOVING = new Set(['cd', 'pushd', 'popd']);
const RUNNING = new Set(['eval', 'source', '.', 'builtin']);

/** PowerShell is another language: what its texts run is not found out. */
const UNREAD: ShellText = { commands: [], redirects: [], unclear: 'it is for PowerShell, whose commands are not looked into', partial: true, undecided: true };

/** Finds out what a command's text runs and which files it names. `folder` is where it runs, absolute; without it, nothing counts as only showing. */
export function commandFacts({ command, shell }: { readonly command: string; readonly shell?: 'powershell' }, folder: string | undefined, read: (text: string) => ShellText = readShell): CommandFacts {
  const text = shell === 'powershell' ? UNREAD : read(command);
  const moves = text.commands.some(({ words }) => RUNNING.has(words[0]?.text ?? '') || words.some((word) => MOVING.has(word.text)));
  const from = moves ? undefined : folder;
  const files: CommandFile[] = text.redirects.map(({ opens, target }) => ({ text: target.text, path: target.static ? placed(target.text, from) : undefined, tool: opens === 'write' ? 'Write' : 'Read' }));
  const showing = new Set<ShellCommand>();
  for (const one of text.commands) {
    const program = one.words[0]?.text ?? '';
    const shown = one.assigned.length > 0 ? undefined : filesShown(one.words);
    const places = shown?.map((file) => ({ text: file, path: placed(file, from) }));
    if (places?.every(({ path }) => path !== undefined) && from !== undefined) showing.add(one);
    if (places) files.push(...places.map((place): CommandFile => ({ ...place, tool: toolLike(program), shownBy: one })));
    else if (showsFiles(program)) files.push({ text: one.words.map((word) => word.text).join(' '), path: undefined, tool: toolLike(program), shownBy: one });
  }
  return { text, heads: commandHeads(text, command), files, showing };
}

function toolLike(program: string): 'Read' | 'Grep' | 'LS' {
  if (/^(?:[ef]?grep|rg)$/.test(program)) return 'Grep';
  return /^(?:ls|find|du|stat)$/.test(program) ? 'LS' : 'Read';
}

/** A path with `..` may lead elsewhere than it looks, behind a link. */
function placed(path: string, folder: string | undefined): string | undefined {
  const segments = segmentsOf(path);
  if (segments.includes('..') || path.startsWith('~') || (folder === undefined && !path.startsWith('/'))) return undefined;
  return `/${[...(path.startsWith('/') || folder === undefined ? [] : segmentsOf(folder)), ...segments].join('/')}`;
}
