import { canonicalToolName } from '../protocol/tool-names.ts';

const MOST_CHARS = 500;
/** Names with `|` or `,` between them; anything else is a regular expression. */
const NAMES = /^[\w\s,|-]+$/;

/** What is wrong with a matcher, or nothing. */
export function matcherProblem(matcher: string): string | undefined {
  if (matcher.length > MOST_CHARS) return `it is longer than ${MOST_CHARS} characters`;
  if (isForAll(matcher) || NAMES.test(matcher)) return undefined;
  try {
    return void new RegExp(matcher);
  } catch (error) {
    if (error instanceof SyntaxError) return 'it is neither a list of names nor a regular expression';
    throw error;
  }
}

/**
 * True when a matcher fits one of the names: nothing, `''` and `*` fit all; names, with `|` or `,` between them, fit as a
 * whole, other clients' names of tools included; anything else is a regular expression for a part of the name.
 */
export function matcherFits(matcher: string | undefined, names: readonly string[]): boolean {
  if (matcher === undefined || isForAll(matcher)) return true;
  if (!NAMES.test(matcher)) return names.some((name) => new RegExp(matcher).test(name));
  return matcher.split(/[|,]/).map((part) => part.trim()).some((part) => names.includes(part) || names.includes(canonicalToolName(part)));
}

function isForAll(matcher: string): boolean {
  return matcher.trim() === '' || matcher.trim() === '*';
}
