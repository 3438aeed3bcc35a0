/** Longer texts are never decided by a rule. */
const MAX_CHARACTERS = 10_000;

/** No system takes a longer text as one argument of a program. */
const LONGEST_ARGUMENT = 131_072;
/** So many things that nest are no command that a person or a model writes; reading them takes long. */
const MOST_NESTING = 2_000;

/** True for a text that is not even read. */
export function isUnreadable(text: string): boolean {
  return text.length > LONGEST_ARGUMENT || (text.match(/[$<>]\(|\(\(|\$\{|`|<<|\b(?:if|case|while|until|for)\b/g)?.length ?? 0) > MOST_NESTING;
}

/** Why no rule decides a text whatever it holds, as the end of a sentence; undefined for one that is worth reading. */
export function whyUndecided(text: string): string | undefined {
  if (text.trim() === '') return 'it is empty';
  if (text.length > MAX_CHARACTERS) return `it is longer than ${MAX_CHARACTERS} characters`;
  return hasControls(text) ? 'it holds control characters' : undefined;
}

/** Control characters other than tab and line end; shells and terminals do odd things with them. */
function hasControls(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if ((code < 32 && code !== 9 && code !== 10) || (code >= 127 && code < 160)) return true;
  }
  return false;
}
