import type { ShellWord } from './shell-word.ts';

/** How a program that only shows something is called. Options that are not named here make it a command like any other. */
interface Showing {
  /** Letters of options without a value, and with one. */
  readonly flags?: string;
  readonly values?: string;
  /** Long options, whole; one that ends in `=` has a value. */
  readonly long?: readonly string[];
  /** `-5` is a number of lines. */
  readonly numbers?: true;
  /** What its operands are; `pattern` stands for one pattern and then files. */
  readonly operands: 'files' | 'texts' | 'pattern';
  readonly mostOperands?: number;
  /** Without a file it shows its folder, always or with this option, and not what it is given to read. */
  readonly folder?: true | RegExp;
}

/** Options that give the pattern, so that every operand is a file. */
const GIVES_PATTERN = new Set(['e', '--regexp=']);

const GREP: Showing = {
  operands: 'pattern',
  folder: /^-[a-zA-Z]*r|^--recursive$/,
  flags: 'invcwxloHhqsErFGPaI',
  values: 'ABCme',
  long: ['--ignore-case', '--recursive', '--line-number', '--count', '--files-with-matches', '--invert-match', '--word-regexp', '--only-matching', '--no-messages', '--extended-regexp', '--fixed-strings', '--color', '--color=', '--include=', '--exclude=', '--exclude-dir=', '--max-count=', '--context=', '--regexp='],
};

const PROGRAMS: ReadonlyMap<string, Showing> = new Map<string, Showing>([
  ['ls', { operands: 'files', folder: true, flags: 'aAlhrtSR1dFisnpcukvxmQX', long: ['--all', '--almost-all', '--human-readable', '--reverse', '--recursive', '--directory', '--color', '--color='] }],
  ['cat', { operands: 'files', flags: 'nbAETsvetu' }],
  ['head', { operands: 'files', flags: 'qv', values: 'nc', numbers: true, long: ['--lines=', '--bytes='] }],
  ['tail', { operands: 'files', flags: 'qv', values: 'nc', numbers: true, long: ['--lines=', '--bytes='] }],
  ['wc', { operands: 'files', flags: 'lwcmL', long: ['--lines', '--words', '--bytes', '--chars'] }],
  ['stat', { operands: 'files', flags: 't', values: 'c' }],
  ['du', { operands: 'files', folder: true, flags: 'shabckm', values: 'd', long: ['--max-depth='] }],
  ['sort', { operands: 'files', flags: 'nrufbdhgMVzsi', values: 'kt', long: ['--numeric-sort', '--reverse', '--unique'] }],
  ['uniq', { operands: 'files', flags: 'cdiuz', values: 'fsw', mostOperands: 1 }],
  ['cut', { operands: 'files', flags: 's', values: 'dfcb', long: ['--complement', '--delimiter=', '--fields='] }],
  ['sha256sum', { operands: 'files', flags: 'bt' }],
  ['md5sum', { operands: 'files', flags: 'bt' }],
  ['grep', GREP], ['egrep', GREP], ['fgrep', GREP],
  ['rg', { operands: 'pattern', folder: true, flags: 'inwxclvFSN', values: 'ABCgtTme', long: ['--ignore-case', '--line-number', '--count', '--files-with-matches', '--fixed-strings', '--glob=', '--type=', '--max-count=', '--context=', '--regexp='] }],
  ['echo', { operands: 'texts', flags: 'neE' }],
  ['pwd', { operands: 'texts', flags: 'LP' }],
  ['tr', { operands: 'texts', flags: 'cdst' }],
  ['uname', { operands: 'texts', flags: 'asrmnpio' }],
  ['which', { operands: 'texts', flags: 'a' }],
  ...['true', 'false', 'whoami', 'basename', 'dirname', 'seq', 'sleep'].map((name): [string, Showing] => [name, { operands: 'texts' }]),
]);

/** Tests of `find` that only look, and whether a value follows. */
const FIND: ReadonlyMap<string, boolean> = new Map([
  ...['-name', '-iname', '-path', '-ipath', '-type', '-maxdepth', '-mindepth', '-size', '-mtime', '-mmin'].map((name): [string, boolean] => [name, true]),
  ...['-not', '!', '-o', '-or', '-a', '-and', '-print', '-print0', '-empty', '-prune', '(', ')'].map((name): [string, boolean] => [name, false]),
]);

/** True for a program that shows files, however it is called. */
export function showsFiles(program: string): boolean {
  return program === 'find' || (PROGRAMS.get(program)?.operands ?? 'texts') !== 'texts';
}

/**
 * The files that a command reads when it is one that only shows something; undefined for any other, and for one whose
 * files cannot be told before it runs. Relative paths are from its folder; a command without any reads that folder.
 */
export function filesShown(words: readonly ShellWord[]): readonly string[] | undefined {
  const [first, ...rest] = words;
  if (!first?.static || !rest.every((word) => word.static)) return undefined;
  const texts = rest.map(({ text }) => text);
  if (first.text === 'command') return texts.length === 2 && /^-[vV]$/.test(texts[0] ?? '') ? [] : undefined;
  if (first.text === 'date') return texts.every((text) => text === '-u' || text.startsWith('+')) ? [] : undefined;
  if (first.text === 'find') return foundBy(texts);
  const program = PROGRAMS.get(first.text);
  return program && operandsOf(program, texts);
}

function operandsOf(program: Showing, words: readonly string[]): readonly string[] | undefined {
  const operands: string[] = [];
  let options = true;
  let pattern = program.operands === 'pattern';
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!options || word === '-' || !word.startsWith('-')) operands.push(word);
    else if (word === '--') options = false;
    else {
      const read = optionOf(program, word);
      if (!read) return undefined;
      if (GIVES_PATTERN.has(read.name)) pattern = false;
      if (read.takesNext) at += 1;
    }
  }
  if (program.operands === 'texts') return [];
  if (operands.length > (program.mostOperands ?? Infinity)) return undefined;
  const files = (pattern ? operands.slice(1) : operands).filter((file) => file !== '-');
  const { folder } = program;
  const showsFolder = folder === true || (folder !== undefined && words.some((word) => folder.test(word)));
  return files.length === 0 && showsFolder ? ['.'] : files;
}

/** The last option in a word; undefined when one of them is not known. */
function optionOf({ flags = '', values = '', long = [], numbers }: Showing, word: string): { readonly name: string; readonly takesNext: boolean } | undefined {
  if (numbers && /^-\d+$/.test(word)) return { name: word, takesNext: false };
  if (word.startsWith('--')) {
    const name = /^--[a-z-]+=?/.exec(word)?.[0] ?? '';
    return long.includes(name) && (name.endsWith('=') || name === word) ? { name, takesNext: false } : undefined;
  }
  for (let index = 1; index < word.length; index += 1) {
    const letter = word.charAt(index);
    if (flags.includes(letter)) continue;
    return values.includes(letter) ? { name: letter, takesNext: index === word.length - 1 } : undefined;
  }
  return { name: word, takesNext: false };
}

function foundBy(words: readonly string[]): readonly string[] | undefined {
  const end = words.findIndex((word) => /^[-(!]/.test(word));
  const folders = end < 0 ? words : words.slice(0, end);
  const tests = end < 0 ? [] : words.slice(end);
  for (let at = 0; at < tests.length; at += 1) {
    const hasValue = FIND.get(tests[at] ?? '');
    if (hasValue === undefined) return undefined;
    if (hasValue) at += 1;
  }
  return folders.length > 0 ? folders : ['.'];
}
