import { bodyPieces, type BodyPiece } from './body-pieces.ts';
import { createPlaceholders, type Part, type PlaceholderValues } from './placeholders.ts';

/** What a body is filled in with. */
export interface SubstituteOptions extends PlaceholderValues {
  /** The skill says that it takes arguments (`arguments`, `argument-hint`). */
  readonly declared: boolean;
}

/** A piece of a body with its placeholders filled in: of a command the command, of other pieces the text. */
export interface FilledPiece {
  readonly piece: BodyPiece;
  readonly parts: readonly Part[];
}

/**
 * Fills in a body's placeholders: `$ARGUMENTS`, `$ARGUMENTS[N]`, `$N`, `$name` and the variables of folders and ids. A
 * number without an argument stays, a name without one goes. Arguments enter code (fences and inline) only where some
 * were declared or given; variables enter everywhere. Arguments that the body has no place for are appended. Commands
 * stay in the text; `renderBody` has them run.
 */
export function substitute(body: string, options: SubstituteOptions): string {
  const filled = fillPieces(body, options);
  const text = filled.map(({ piece, parts }) => (piece.kind === 'command' ? piece.text.replace(piece.command, () => joined(parts)) : joined(parts))).join('');
  return withArguments(text, options.args, filled);
}

/** The pieces of a body, filled in. */
export function fillPieces(body: string, options: SubstituteOptions): readonly FilledPiece[] {
  const placeholders = createPlaceholders(body, options);
  const takesArguments = options.declared || hasArguments(options.args);
  return bodyPieces(body).map((piece) => {
    if (piece.kind === 'command') return { piece, parts: placeholders.all(piece.command) };
    return { piece, parts: piece.kind === 'text' || takesArguments ? placeholders.all(piece.text) : placeholders.variables(piece.text) };
  });
}

/** The text with the arguments behind it, unless one of them is in it. */
export function withArguments(text: string, args: string | undefined, filled: readonly FilledPiece[]): string {
  if (!hasArguments(args) || filled.some(({ parts }) => parts.some((part) => part.kind === 'value' && part.given))) return text;
  return `${text.trimEnd()}\n\nARGUMENTS: ${args.trim()}`;
}

/** Filled parts as one text. */
export function joined(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join('');
}

function hasArguments(args: string | undefined): args is string {
  return args !== undefined && args.trim() !== '';
}
