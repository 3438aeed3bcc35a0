const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const PIECES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}]+/gu;

const STOP = new Set(
  ('a about all also an and any are as at be been but by can could do does for from get give had has have help her his how i if in into is it its just like make me my need no not now of on one or our out please she should so some such ' +
    'than that the their them then there these they this to up us use used user using was we were what when where which who why will with would you your skill skills').split(' '),
);

/**
 * The words of a text for matching: case and width folded, camelCase and hyphens split, English endings taken off,
 * everyday words left out; Chinese, Japanese and Korean as pairs of characters. `stems` remembers the words whose
 * endings were taken off: for many texts, which have most words in common, give the same one.
 */
export function termsOf(text: string, stems: Map<string, string> = new Map()): string[] {
  const spaced = text.normalize('NFKC').replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  const terms: string[] = [];
  for (const [piece] of spaced.matchAll(PIECES)) {
    if (CJK.test(piece)) terms.push(...pairs(piece));
    else if (!STOP.has(piece)) {
      const stemmed = stems.get(piece) ?? stem(piece);
      stems.set(piece, stemmed);
      terms.push(stemmed);
    }
  }
  return terms;
}

function pairs(piece: string): string[] {
  const characters = Array.from(piece);
  return characters.length === 1 ? characters : characters.slice(1).map((character, i) => `${characters[i] ?? ''}${character}`);
}

/** Takes off the commonest English endings, never leaving fewer than three letters. */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const base = word
    .replace(/(?:sses|(?<=[a-z]{2})ies)$/, (end) => (end === 'ies' ? 'y' : 'ss'))
    .replace(/(?<=[a-z]{2})([^su])s$/, '$1')
    .replace(/(?<=[a-z]{3})(?:ing|ed)$/, '')
    .replace(/(?<=[a-z]{4})(?:ation|ment|ness|ly)$/, '')
    .replace(/(?<=[a-z]{2})([b-df-hj-np-rtv-y])\1$/, '$1');
  return base.replace(/(?<=[a-z]{3})[ey]$/, '');
}
