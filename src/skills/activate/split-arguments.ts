/**
 * Splits what a person typed behind a skill's name as a shell would: at white space, with quotes around what belongs
 * together and a backslash before a quote, a space or another backslash. Nothing is expanded. Apostrophes inside words
 * (`don't`), quotes without an end and other backslashes (`C:\dir`) stand for themselves.
 */
export function splitArguments(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? '';
    const end = closingQuote(text, i, word);
    if (end !== undefined) {
      const inside = text.slice(i + 1, end);
      word = (word ?? '') + (char === '"' ? inside.replace(/\\(["\\])/g, '$1') : inside);
      i = end;
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      const escaped = char === '\\' && /["'\\\s]/.test(text[i + 1] ?? '');
      if (escaped) i += 1;
      word = (word ?? '') + (escaped ? (text[i] ?? '') : char);
    }
  }
  return word === undefined ? words : [...words, word];
}

/** Index of the quote that closes the one at `at`; undefined when none opens there. A single one opens at the start of a word or of a value (`--name='x y'`). */
function closingQuote(text: string, at: number, word: string | undefined): number | undefined {
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return undefined;
  if (quote === "'" && word !== undefined && !/[=:]$/.test(word)) return undefined;
  for (let i = at + 1; i < text.length; i += 1) {
    if (quote === '"' && text[i] === '\\') i += 1;
    else if (text[i] === quote) return i;
  }
  return undefined;
}
