/** A word of a shell text after quote removal. */
export interface ShellWord {
  readonly kind: 'word';
  /** The text as far as it is known without running anything. */
  readonly text: string;
  /** Holds a parameter, a substitution, arithmetic or coded quotes: `text` is not all of it. */
  readonly dynamic: boolean;
  /** Holds an unquoted `*`, `?`, `[`, brace or leading tilde: the shell may put other words in its place. */
  readonly expands: boolean;
  /** Some of it stood in quotes or behind a backslash. */
  readonly quoted: boolean;
}

/** An operator, a redirect sign or a line end. */
export interface ShellOperator {
  readonly kind: 'operator';
  readonly text: string;
}

/** A comment; its text does not matter. */
export interface ShellComment {
  readonly kind: 'comment';
}

/** One piece of a shell text. */
export type ShellToken = ShellWord | ShellOperator | ShellComment;

/** The pieces of a shell text. */
export interface ShellText {
  readonly tokens: readonly ShellToken[];
  /** The texts that run inside words and here-documents: substitutions of every kind, nested ones too. */
  readonly inner: readonly (readonly ShellToken[])[];
  /** An open quote, bracket or here-document, or too deep nesting: bash itself would not take the text as a whole. */
  readonly broken: boolean;
}

/** Longest first, so that the first that fits is the right one. */
const OPERATORS = ['&>>', '<<<', '<<-', ';;&', '<<', '<&', '<>', '>>', '>|', '>&', '&>', '&&', '||', '|&', ';;', ';&', '\n', ';', '&', '|', '(', ')', '<', '>'];
const MAX_DEPTH = 40;

interface Reader {
  readonly text: string;
  at: number;
  readonly inner: (readonly ShellToken[])[];
  broken: boolean;
  depth: number;
}

interface Word {
  text: string;
  dynamic: boolean;
  expands: boolean;
  quoted: boolean;
}

/** Splits a shell text into words and operators by the rules of bash. Never throws; reads each character once per nesting. */
export function lexShell(text: string): ShellText {
  const reader: Reader = { text, at: 0, inner: [], broken: false, depth: 0 };
  const tokens = readTokens(reader, 'text');
  return { tokens, inner: reader.inner, broken: reader.broken };
}

/** Reads to the end of the text, or to the bracket that closes a substitution (which it takes). */
function readTokens(reader: Reader, until: 'text' | 'bracket'): readonly ShellToken[] {
  const tokens: ShellToken[] = [];
  const waiting: { readonly end: string; readonly quoted: boolean; readonly tabs: boolean }[] = [];
  let open = 0;
  let cases = 0;
  while (reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at);
    if (char === ' ' || char === '\t') {
      reader.at++;
    } else if (reader.text.startsWith('\\\n', reader.at)) {
      reader.at += 2;
    } else if (char === '#') {
      const end = reader.text.indexOf('\n', reader.at);
      reader.at = end < 0 ? reader.text.length : end;
      tokens.push({ kind: 'comment' });
    } else if ((char === '<' || char === '>') && reader.text.charAt(reader.at + 1) === '(') {
      tokens.push(readWord(reader));
    } else {
      const operator = OPERATORS.find((sign) => reader.text.startsWith(sign, reader.at));
      if (operator === undefined) {
        const word = readWord(reader);
        if (!isDescriptor(word, reader.text.charAt(reader.at))) tokens.push(word);
        cases += caseStep(tokens);
        const before = tokens.at(-2);
        if (before?.kind === 'operator' && (before.text === '<<' || before.text === '<<-')) {
          waiting.push({ end: word.text, quoted: word.quoted, tabs: before.text === '<<-' });
        }
        continue;
      }
      reader.at += operator.length;
      if (operator === '(') open++;
      if (operator === ')' && open > 0) open--;
      // The bracket behind a pattern of `case` closes nothing.
      else if (operator === ')' && cases === 0 && until === 'bracket') return tokens;
      tokens.push({ kind: 'operator', text: operator });
      if (operator === '\n') for (const document of waiting.splice(0)) readDocument(reader, document);
    }
  }
  if (until === 'bracket' || open !== 0 || waiting.length > 0) reader.broken = true;
  return tokens;
}

/** 1 when the last word opens a `case … in`, -1 when it closes one. */
function caseStep(tokens: readonly ShellToken[]): number {
  const last = tokens.at(-1);
  if (last?.kind !== 'word' || last.quoted) return 0;
  if (last.text === 'esac') return startsCommand(tokens.at(-2)) ? -1 : 0;
  if (last.text !== 'in') return 0;
  const before = tokens.slice(-12, -1).filter((token) => token.kind === 'word' || (token.kind === 'operator' && token.text !== '\n'));
  const head = before.at(-2);
  return head?.kind === 'word' && head.text === 'case' && !head.quoted && startsCommand(before.at(-3)) ? 1 : 0;
}

function startsCommand(before: ShellToken | undefined): boolean {
  return before?.kind !== 'word' || /^(?:if|then|else|elif|while|until|do|in|\{|!|time)$/.test(before.text);
}

/** `2` of `2>x` and `{fd}` of `{fd}>x` belong to the redirect. */
function isDescriptor(word: ShellWord, next: string): boolean {
  return (next === '<' || next === '>') && !word.quoted && !word.dynamic && /^(?:\d+|\{\w+\})$/.test(word.text);
}

function readWord(reader: Reader): ShellWord {
  const word: Word = { text: '', dynamic: false, expands: reader.text.charAt(reader.at) === '~', quoted: false };
  while (reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at);
    const next = reader.text.charAt(reader.at + 1);
    if (' \t\n;&|)'.includes(char) || char === '(') break;
    if (char === '<' || char === '>') {
      if (next !== '(' || word.text !== '') break;
      reader.at += 2;
      word.dynamic = true;
      readNested(reader);
    } else if (char === '\\') {
      readEscape(reader, word);
    } else if (char === "'") {
      readSingleQuoted(reader, word);
    } else if (char === '"') {
      readDoubleQuoted(reader, word);
    } else if (char === '$' || char === '`') {
      readExpansion(reader, word, 'plain');
    } else {
      if ('*?[{'.includes(char)) word.expands = true;
      word.text += char;
      reader.at++;
    }
  }
  return { kind: 'word', ...word };
}

function readEscape(reader: Reader, word: Word): void {
  const next = reader.text.charAt(reader.at + 1);
  if (next !== '\n') {
    word.quoted = true;
    word.text += next;
    if (next === '') reader.broken = true;
  }
  reader.at += 2;
}

function readSingleQuoted(reader: Reader, word: Word): void {
  const end = reader.text.indexOf("'", reader.at + 1);
  if (end < 0) reader.broken = true;
  const stop = end < 0 ? reader.text.length : end;
  word.quoted = true;
  word.text += reader.text.slice(reader.at + 1, stop);
  reader.at = stop + 1;
}

/** `$'…'`: static unless it holds a backslash code. */
function readCodedQuoted(reader: Reader, word: Word): void {
  let end = reader.at + 2;
  while (end < reader.text.length && reader.text.charAt(end) !== "'") end += reader.text.charAt(end) === '\\' ? 2 : 1;
  if (end >= reader.text.length) reader.broken = true;
  const body = reader.text.slice(reader.at + 2, end);
  word.quoted = true;
  if (body.includes('\\')) word.dynamic = true;
  word.text += body;
  reader.at = end + 1;
}

function readDoubleQuoted(reader: Reader, word: Word): void {
  word.quoted = true;
  reader.at++;
  while (reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at);
    if (char === '"') {
      reader.at++;
      return;
    }
    if (char === '\\') {
      const next = reader.text.charAt(reader.at + 1);
      if (next !== '\n') word.text += '$`"\\'.includes(next) ? next : char + next;
      reader.at += 2;
    } else if (char === '$' || char === '`') {
      readExpansion(reader, word, 'quoted');
    } else {
      word.text += char;
      reader.at++;
    }
  }
  reader.broken = true;
}

/** Takes whatever a `$` or a back quote begins. */
function readExpansion(reader: Reader, word: Word, where: 'plain' | 'quoted'): void {
  const rest = reader.text.slice(reader.at, reader.at + 2);
  if (rest.startsWith('`')) {
    readBackQuoted(reader);
  } else if (rest === '$(') {
    reader.at += 2;
    readNested(reader);
  } else if (rest === '${') {
    reader.at += 2;
    readBraced(reader);
  } else if (rest === '$[') {
    reader.at += 2;
  } else if (rest === "$'" && where === 'plain') {
    readCodedQuoted(reader, word);
    return;
  } else if (rest === '$"' && where === 'plain') {
    reader.at++;
  } else if (/^\$[\w@*#?$!-]$/.test(rest)) {
    reader.at++;
    const name = /^[A-Za-z_]\w*|^./.exec(reader.text.slice(reader.at, reader.at + 256))?.[0] ?? '';
    reader.at += name.length;
  } else {
    word.text += '$';
    reader.at++;
    return;
  }
  word.dynamic = true;
}

function readNested(reader: Reader): void {
  if (reader.depth >= MAX_DEPTH) {
    reader.broken = true;
    reader.at = reader.text.length;
    return;
  }
  reader.depth++;
  reader.inner.push(readTokens(reader, 'bracket'));
  reader.depth--;
}

/** The rest of `${…}`; only what runs inside it is of interest. */
function readBraced(reader: Reader): void {
  if (reader.depth >= MAX_DEPTH) {
    reader.broken = true;
    reader.at = reader.text.length;
    return;
  }
  reader.depth++;
  const word: Word = { text: '', dynamic: true, expands: false, quoted: false };
  let closed = false;
  while (!closed && reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at);
    if (char === '}') closed = true;
    if (char === '\\') reader.at += 2;
    else if (char === "'") readSingleQuoted(reader, word);
    else if (char === '"') readDoubleQuoted(reader, word);
    else if (char === '$' || char === '`') readExpansion(reader, word, 'plain');
    else if ((char === '<' || char === '>') && reader.text.charAt(reader.at + 1) === '(') {
      reader.at += 2;
      readNested(reader);
    } else reader.at++;
  }
  if (!closed) reader.broken = true;
  reader.depth--;
}

function readBackQuoted(reader: Reader): void {
  let end = reader.at + 1;
  while (end < reader.text.length && reader.text.charAt(end) !== '`') end += reader.text.charAt(end) === '\\' ? 2 : 1;
  if (end >= reader.text.length) reader.broken = true;
  addInner(reader, reader.text.slice(reader.at + 1, end).replace(/\\([\\`$])/g, '$1'));
  reader.at = end + 1;
}

function addInner(reader: Reader, text: string): void {
  if (reader.depth >= MAX_DEPTH) {
    reader.broken = true;
    return;
  }
  const nested: Reader = { text, at: 0, inner: reader.inner, broken: false, depth: reader.depth + 1 };
  reader.inner.push(readTokens(nested, 'text'));
  if (nested.broken) reader.broken = true;
}

/** Takes a here-document's lines; in one whose end word is not quoted, substitutions run. */
function readDocument(reader: Reader, document: { readonly end: string; readonly quoted: boolean; readonly tabs: boolean }): void {
  const start = reader.at;
  while (reader.at < reader.text.length) {
    const lineAt = reader.at;
    const lineEnd = reader.text.indexOf('\n', lineAt);
    const line = reader.text.slice(lineAt, lineEnd < 0 ? reader.text.length : lineEnd);
    reader.at = lineEnd < 0 ? reader.text.length : lineEnd + 1;
    if ((document.tabs ? line.replace(/^\t+/, '') : line) !== document.end) continue;
    if (!document.quoted) expandDocument(reader, reader.text.slice(start, lineAt));
    return;
  }
  reader.broken = true;
  if (!document.quoted) expandDocument(reader, reader.text.slice(start));
}

function expandDocument(reader: Reader, body: string): void {
  const nested: Reader = { text: body, at: 0, inner: reader.inner, broken: false, depth: reader.depth + 1 };
  const word: Word = { text: '', dynamic: false, expands: false, quoted: true };
  while (nested.at < body.length) {
    const char = body.charAt(nested.at);
    if (char === '\\') nested.at += 2;
    else if (char === '$' || char === '`') readExpansion(nested, word, 'quoted');
    else nested.at++;
  }
  if (nested.broken) reader.broken = true;
}
