import { lexShell } from './shell-lexer.ts';

/** Longer commands are never decided by a rule. */
const MAX_CHARACTERS = 10_000;

/** One word of a plain command. */
export interface PlainWord {
  /** The word after quote removal. */
  readonly text: string;
  /** Globs, braces or a tilde: the shell may put other words in its place. */
  readonly expands: boolean;
}

/** A command as allow rules may look at it, or why they may not. */
export type SimpleCommand =
  | { readonly plain: true; readonly words: readonly PlainWord[] }
  | { readonly plain: false; readonly why: string };

/**
 * Decides whether a shell text is one simple command of plain words: no operators, redirects, assignments, comments,
 * line ends, substitutions or variables. Globs, braces and tildes are taken in the words after the first.
 */
export function simpleCommand(text: string): SimpleCommand {
  if (text.length > MAX_CHARACTERS) return notPlain(`it is longer than ${MAX_CHARACTERS} characters`);
  if (hasControls(text)) return notPlain('it holds control characters');
  const { tokens, broken } = lexShell(text);
  if (broken) return notPlain('a quote or bracket in it stays open');
  const words: PlainWord[] = [];
  for (const token of tokens) {
    if (token.kind === 'comment') return notPlain('it holds a comment');
    if (token.kind === 'operator') return notPlain(token.text === '\n' ? 'it has more than one line' : `it holds "${token.text}"`);
    if (token.dynamic) return notPlain('it holds a variable or a substitution');
    words.push({ text: token.text, expands: token.expands });
  }
  const [first] = words;
  if (first === undefined) return notPlain('it is empty');
  if (first.expands || first.text === '') return notPlain('its first word is no fixed name');
  if (isAssignment(first.text)) return notPlain('it begins with an assignment');
  if (RESERVED.has(first.text)) return notPlain(`it begins with "${first.text}"`);
  return { plain: true, words };
}

/** Words that are syntax, not commands, at the head of a command. */
export const RESERVED: ReadonlySet<string> = new Set([
  'if', 'then', 'else', 'elif', 'fi', 'while', 'until', 'do', 'done', 'for', 'select', 'case', 'esac', 'in', 'function', 'coproc', '{', '}', '!', '[[', ']]',
]);

/** True for `NAME=value`, `NAME+=value` and `NAME[index]=value`. */
export function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word);
}

/** Control characters other than tab and line end; shells and terminals do odd things with them. */
export function hasControls(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if ((code < 32 && code !== 9 && code !== 10) || (code >= 127 && code < 160)) return true;
  }
  return false;
}

function notPlain(why: string): SimpleCommand {
  return { plain: false, why };
}
