import { segmentsOf } from './path-pattern.ts';
import { filesShown } from './shell/read-only-commands.ts';
import { readShell, type ShellCommand, type ShellText } from './shell/read-shell.ts';
import { commandHeads, type CommandHeads } from './shell/command-heads.ts';

/** A file that a command's text names. */
export interface CommandFile {
  /** Absolute; as it is written where nobody knows before it runs where it lies. */
  readonly path: string;
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

const MOVING = new Set(['cd', 'pushd', 'popd', 'builtin', 'eval', 'source', '.']);

/** PowerShell is another language: what its texts run is not found out. */
const UNREAD: ShellText = { commands: [], redirects: [], unclear: 'it is for PowerShell, whose commands are not looked into', partial: true, undecided: true };

/** Finds out what a command's text runs and which files it names. `folder` is where it runs, absolute; without it, nothing counts as only showing. */
export function commandFacts({ command, shell }: { readonly command: string; readonly shell?: 'powershell' }, folder: string | undefined): CommandFacts {
  const text = shell === 'powershell' ? UNREAD : readShell(command);
  const from = folder !== undefined && !text.commands.some(({ words }) => MOVING.has(words[0]?.text ?? '')) ? folder : undefined;
  const files: CommandFile[] = text.redirects.map(({ opens, target }) => ({ tool: opens === 'write' ? 'Write' : 'Read', path: target.static ? placed(target.text, from) : target.text }));
  const showing = new Set<ShellCommand>();
  for (const one of text.commands) {
    const shown = from === undefined || one.assigned.length > 0 ? undefined : filesShown(one.words);
    if (!shown) continue;
    showing.add(one);
    files.push(...shown.map((path): CommandFile => ({ path: placed(path, from), tool: toolLike(one.words[0]?.text ?? ''), shownBy: one })));
  }
  return { text, heads: commandHeads(text), files, showing };
}

function toolLike(program: string): 'Read' | 'Grep' | 'LS' {
  if (/^(?:[ef]?grep|rg)$/.test(program)) return 'Grep';
  return /^(?:ls|find|tree|du|df|stat|test|\[)$/.test(program) ? 'LS' : 'Read';
}

/** `..` after a link leads elsewhere than it looks, so a path with it is left as it is. */
function placed(path: string, folder: string | undefined): string {
  const segments = segmentsOf(path);
  if (segments.includes('..') || (folder === undefined && !path.startsWith('/'))) return path;
  const from = path.startsWith('/') || folder === undefined ? [] : segmentsOf(folder);
  return `/${[...from, ...segments].filter((segment) => segment !== '.').join('/')}`;
}
