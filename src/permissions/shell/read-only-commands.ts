import { hasRiskyArgument } from './risky-arguments.ts';
import type { ShellWord } from './shell-word.ts';

/** Programs that only show something and whose operands are no files. */
const SAYING = new Set(['echo', 'true', 'false', ':', 'pwd', 'whoami', 'id', 'uname', 'arch', 'nproc', 'seq', 'sleep', 'basename', 'dirname', 'which', 'type', 'tr', 'expr']);

/** Programs that only show files. */
const SHOWING = new Set([
  'ls', 'cat', 'head', 'tail', 'wc', 'stat', 'file', 'du', 'df', 'realpath', 'readlink', 'cmp', 'diff', 'nl', 'cut', 'sort', 'uniq', 'md5sum', 'sha1sum', 'sha256sum', 'sha512sum', 'cksum',
  'tree', 'rev', 'tac', 'fold', 'column', 'comm', 'join', 'paste', 'od', 'hexdump', 'xxd', 'strings', 'grep', 'egrep', 'fgrep', 'rg', 'find', 'jq', 'test', '[',
]);

/** Programs whose first operand is no file, and the options that give it in another way. */
const PATTERN_FIRST: ReadonlyMap<string, RegExp> = new Map([['grep', /^(?:-[a-zA-Z]*[ef]|--(?:regexp|file))/], ['egrep', /^(?:-[a-zA-Z]*[ef]|--(?:regexp|file))/], ['fgrep', /^(?:-[a-zA-Z]*[ef]|--(?:regexp|file))/], ['rg', /^(?:-[a-zA-Z]*[ef]|--(?:regexp|file|files))/], ['jq', /^(?:-[a-zA-Z]*f|--from-file)/]]);

/** Options that follow links out of the folders that are named. */
const FOLLOWING: ReadonlyMap<string, RegExp> = new Map([['grep', /^(?:-[a-zA-Z]*R|--dereference-recursive)/], ['egrep', /^-[a-zA-Z]*R/], ['fgrep', /^-[a-zA-Z]*R/], ['rg', /^(?:-[a-zA-Z]*L|--follow)/], ['find', /^-(?:L|H|follow|files0-from)$/], ['tree', /^-[a-zA-Z]*l/], ['du', /^-[a-zA-Z]*[LD]/]]);

/**
 * The files that a command reads when it is one that only shows something; undefined for any other, and for one whose
 * files cannot be told before it runs. Relative paths are from its folder; a command without any reads that folder.
 */
export function filesShown(words: readonly ShellWord[]): readonly string[] | undefined {
  const [first, ...rest] = words;
  if (!first?.static || hasRiskyArgument(words, 1)) return undefined;
  const program = first.text;
  if (program === 'command') return /^-[vV]$/.test(rest[0]?.text ?? '') ? [] : undefined;
  if (program === 'printf') return rest[0]?.text.startsWith('-') || rest.some(isUnknown) ? undefined : [];
  if (program === 'date') return rest.every((word) => word.static && /^(?:\+|-u$|-I|-R$|--utc|--iso|--rfc)/.test(word.text)) ? [] : undefined;
  if (SAYING.has(program)) return rest.some(isUnknown) ? undefined : [];
  return SHOWING.has(program) ? operandsOf(program, rest) : undefined;
}

/** A word with a variable might hold a secret of the environment. */
function isUnknown(word: ShellWord): boolean {
  return !word.static && !word.expands;
}

function operandsOf(program: string, words: readonly ShellWord[]): readonly string[] | undefined {
  const following = FOLLOWING.get(program);
  const pattern = PATTERN_FIRST.get(program);
  let skips = pattern !== undefined && !words.some(({ text }) => pattern.test(text));
  const files: string[] = [];
  let options = true;
  for (const word of words) {
    if (!word.static) return undefined;
    const { text } = word;
    if (options && text === '--') options = false;
    else if (options && text.startsWith('-') && text !== '-') {
      if (/[/~]/.test(text) || following?.test(text)) return undefined;
    } else if (skips) skips = false;
    else if (text !== '-') files.push(text);
  }
  return files.length > 0 ? files : ['.'];
}
