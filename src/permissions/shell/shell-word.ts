import type { DoubleQuotedChild, Word, WordPart } from 'unbash';

/** A word of a shell text after quote removal. */
export interface ShellWord {
  /** The text as far as it is known without running anything. */
  readonly text: string;
  /** Nothing in it is replaced when it runs: `text` is the word. */
  readonly static: boolean;
  /** What is replaced are only globs, braces and a leading tilde: the shell puts names of files in its place. */
  readonly expands: boolean;
}

/** Reads one word. Never throws. */
export function shellWord({ text, value, parts }: Pick<Word, 'text' | 'value' | 'parts'>): ShellWord {
  const tilde = text.startsWith('~');
  if (!parts) return { text: value, static: !tilde, expands: tilde };
  const pieces = parts.map(pieceOf);
  const known = pieces.every(({ kind }) => kind !== 'unknown');
  return {
    text: pieces.map((piece) => piece.text).join(''),
    static: known && !tilde && pieces.every(({ kind }) => kind === 'fixed'),
    expands: known && (tilde || pieces.some(({ kind }) => kind === 'files')),
  };
}

interface Piece {
  readonly text: string;
  /** `files`: the shell puts names in its place; `unknown`: what it becomes is only known when it runs. */
  readonly kind: 'fixed' | 'files' | 'unknown';
}

function pieceOf(part: WordPart | DoubleQuotedChild): Piece {
  switch (part.type) {
    case 'Literal': case 'SingleQuoted': case 'AnsiCQuoted': return { text: part.value, kind: 'fixed' };
    case 'DoubleQuoted': {
      const inner = part.parts.map(pieceOf);
      return { text: inner.map(({ text }) => text).join(''), kind: inner.every(({ kind }) => kind === 'fixed') ? 'fixed' : 'unknown' };
    }
    case 'Glob': case 'ExtendedGlob': case 'BraceExpansion': return { text: part.text, kind: holdsUnknown(part.parts) ? 'unknown' : 'files' };
    default: return { text: part.text, kind: 'unknown' };
  }
}

function holdsUnknown(parts: readonly WordPart[] | undefined): boolean {
  return parts?.some((part) => pieceOf(part).kind === 'unknown') ?? false;
}
