import { readShell, type ShellText } from './read-shell.ts';
import { baseName, isRunner, SHELLS, wrappedCommand } from './wrappers.ts';

/** A command that a shell text runs, as deny and ask rules look at it. */
export interface CommandHead {
  readonly words: readonly HeadWord[];
  /** Further words come from elsewhere (`xargs`). */
  readonly adds: boolean;
  /** Wrappers were looked past: words anywhere behind them may be the command. */
  readonly wrapped: boolean;
}

/** Wrappers inside of wrappers, beyond which nothing is looked at. */
const MAX_WRAPPERS = 50;

/** One word of such a command; only a static one is known before the shell runs. */
export interface HeadWord {
  readonly text: string;
  readonly static: boolean;
}

/** Every command that a shell text certainly holds, and whether it may hold others that cannot be seen. */
export interface CommandHeads {
  readonly heads: readonly CommandHead[];
  /** A text that is only known when it runs is run as a command, or names are given another meaning. */
  readonly opaque: boolean;
}

/** Programs that change what later names mean or run a text from elsewhere. */
const SHADOWING = new Set(['alias', 'hash', 'enable', 'trap', 'mapfile', 'readarray', 'compgen', 'complete', 'let']);
/** Builtins that calculate the index of a variable that they are told to set. */
const SETTING = new Set(['declare', 'typeset', 'local', 'export', 'readonly', 'printf', 'read', 'unset', 'test', '[', 'wait', 'getopts']);
/** Programs that run others in such ways, but are wrappers or have other uses, too; see `isRunner` for the rest. */
const RUNNING = new Set(['watch', 'parallel', 'su', 'flock', 'fd', 'fdfind', 'ssh']);
const MAX_SCRIPTS = 8;
/** Words of a script's call that are held against rules; wrappers can repeat one call many times. */
const MOST_SCRIPT_WORDS = 20;

interface Collector {
  readonly heads: CommandHead[];
  opaque: boolean;
  depth: number;
}

/**
 * Finds the commands in a shell text: wherever in it they stand, behind wrappers, in static `sh -c` and `eval` texts, and
 * after `find -exec`. A text of any length is looked at as a whole.
 */
export function commandHeads(text: ShellText, source: string): CommandHeads {
  const collector: Collector = { heads: [], opaque: false, depth: 0 };
  collectText(collector, text, source);
  return { heads: collector.heads, opaque: collector.opaque };
}

function collectText(collector: Collector, { commands, partial, unclear }: ShellText, source: string): void {
  // A variable that holds a substitution runs it where it is calculated with or shown as a prompt.
  if (partial || (unclear !== undefined && /\$\(|`|@[A-Z]/.test(source))) collector.opaque = true;
  for (const { words } of commands) if (words.length > 0) collectHead(collector, { words, adds: false, wrapped: false });
}

/** A text that is run as a script of its own. */
function collectScriptText(collector: Collector, text: string): void {
  if (collector.depth >= MAX_SCRIPTS) {
    collector.opaque = true;
    return;
  }
  collector.depth++;
  collectText(collector, readShell(text), text);
  collector.depth--;
}

function collectHead(collector: Collector, head: CommandHead, wrappers = 0): void {
  collector.heads.push(head);
  const [first] = head.words;
  if (!first?.static) return;
  const name = baseName(first.text);
  if (SHADOWING.has(name) || RUNNING.has(name) || isRunner(name)) collector.opaque = true;
  if (SETTING.has(name) && head.words.some((word, index) => index > 0 && /\[.*[$`(]/.test(word.text))) collector.opaque = true;
  if ((name === 'source' || name === '.') && readsStream(head.words[1])) collector.opaque = true;
  if (name === 'command' && /^-[pvV]*[vV]/.test(head.words[1]?.text ?? '')) return;
  if (name === 'eval') collectScript(collector, head.words.slice(1));
  if (SHELLS.has(name)) collectShell(collector, head);
  if (name === 'find') collectFind(collector, head.words);
  if (name === 'env') collectSplit(collector, head.words);
  const wrapped = wrappedCommand(head.words);
  if (wrapped && wrappers >= MAX_WRAPPERS) collector.opaque = true;
  else if (wrapped) collectHead(collector, { words: head.words.slice(wrapped.from), adds: wrapped.adds, wrapped: true }, wrappers + 1);
  else if (name === 'xargs') collector.opaque = true;
  if (head.wrapped || wrapped) collectShellsIn(collector, head.words);
}

/** Where a wrapper's options end is not known for every one: a shell anywhere behind it may be what runs. */
function collectShellsIn(collector: Collector, words: readonly HeadWord[]): void {
  words.forEach((word, index) => {
    if (index > 0 && word.static && SHELLS.has(baseName(word.text))) collectShell(collector, { words: words.slice(index), adds: false, wrapped: true });
  });
}

/** Which words are values of its options is not looked into: each one behind `-c` may be the script. */
function collectShell(collector: Collector, head: CommandHead): void {
  const rest = head.words.slice(1);
  const script = rest.findIndex((word) => /^-[A-Za-z]*c/.test(word.text));
  if (script >= 0) {
    const given = rest.slice(script + 1).filter((word) => !/^[-+]/.test(word.text));
    for (const word of given) collectScript(collector, [word]);
    if (given.length === 0) collector.opaque = true;
    return;
  }
  // Without a file the shell reads its commands from the input.
  const at = rest.findIndex((word) => !/^[-+]/.test(word.text));
  const file = rest[at];
  // A script without a folder is looked for on the PATH, too, where it is a program like others.
  if (file?.static) collector.heads.push({ words: rest.slice(at, at + MOST_SCRIPT_WORDS), adds: head.adds, wrapped: false });
  const fromInput = rest.some((word) => /^[-+][A-Za-z]*[soO]|^--(?:rcfile|init-file)/.test(word.text));
  if (head.adds || fromInput || readsStream(file)) collector.opaque = true;
}

/** A script that is no file at rest: nothing is known of its text. */
function readsStream(file: HeadWord | undefined): boolean {
  return file === undefined || !file.static || /^\/(?:dev|proc)\//.test(file.text);
}

function collectScript(collector: Collector, words: readonly HeadWord[]): void {
  if (words.some((word) => !word.static)) collector.opaque = true;
  collectScriptText(collector, words.map((word) => word.text).join(' '));
}

function collectFind(collector: Collector, words: readonly HeadWord[]): void {
  words.forEach((word, index) => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(word.text)) return;
    const rest = words.slice(index + 1);
    const end = rest.findIndex((other) => other.text === ';' || other.text === '+');
    const inner = end < 0 ? rest : rest.slice(0, end);
    if (inner[0]?.text.includes('{}')) collector.opaque = true;
    if (inner.length > 0) collectHead(collector, { words: inner, adds: true, wrapped: true });
  });
}

/** `env -S 'rm x'` splits its value into words; its name may be cut short, and stand behind other letters. */
function collectSplit(collector: Collector, words: readonly HeadWord[]): void {
  words.forEach((word, index) => {
    const [, attached] = /^(?:-[A-Za-z0]*S|--s[a-z-]*=)(.*)$/s.exec(word.text) ?? [];
    if (attached) collectScriptText(collector, attached);
    if (attached === '' || /^--s[a-z-]*$/.test(word.text)) collectScript(collector, words.slice(index + 1));
  });
}
