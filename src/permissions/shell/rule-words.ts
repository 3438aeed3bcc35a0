import { whyUndecided } from './undecided.ts';

/** The words of a command that a rule spells, or why they cannot be a rule. */
export type RuleWords = { readonly words: readonly string[] } | { readonly why: string };

/** One piece of a word: in single quotes, in double quotes, after a backslash, or plain. */
const PIECE = /'([^']*)'|"((?:[^"$`\\]|\\[^])*)"|\\([^\n])|([^\s'"\\$`*?[\]{}()<>|&;~!#]+|[~!#\]}])/y;

/**
 * Reads the words of a rule: one command without operators, redirects, assignments, comments and anything that the shell
 * replaces. It knows less than a shell on purpose, so that what it takes means the same to every shell.
 */
export function ruleWords(text: string): RuleWords {
  const why = whyUndecided(text);
  if (why !== undefined) return { why };
  const words: string[] = [];
  let at = text.search(/\S/);
  while (at < text.length) {
    const word = wordAt(text, at);
    if ('why' in word) return word;
    words.push(word.text);
    at = word.end + (/^[ \t]*/.exec(text.slice(word.end))?.[0].length ?? 0);
  }
  const [first = ''] = words;
  if (first === '') return { why: 'its first word is empty' };
  return /^[A-Za-z_]\w*\+?=/.test(first) ? { why: 'it begins with an assignment' } : { words };
}

function wordAt(text: string, from: number): { readonly text: string; readonly end: number } | { readonly why: string } {
  let word = '';
  let at = from;
  while (at < text.length && !/\s/.test(text.charAt(at))) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(text);
    const [whole = '', single, double, escaped, plain] = piece ?? [];
    if (!piece || (at === from && /^[~#]/.test(whole))) return { why: reasonAt(text.charAt(at)) };
    word += single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '';
    at = PIECE.lastIndex;
  }
  return /\n/.test(text.slice(at, at + 1)) ? { why: 'it has more than one line' } : { text: word, end: at };
}

function reasonAt(char: string): string {
  if (/['"\\]/.test(char)) return 'a quote in it stays open';
  if (/[<>|&;()]/.test(char)) return `it holds "${char}"`;
  return char === '#' ? 'it holds a comment' : `it holds "${char}" outside of quotes (end the rule with :* for any further words)`;
}
