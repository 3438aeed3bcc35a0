/**
 * Takes the commonest endings off an English word in lower case, so that the forms of one word meet: translate,
 * translates, translating, translation, translator. Lighter than Porter's: words that mean different things, such as
 * general and generate, custom and customer, stay apart. Other words, and short ones, are returned as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  if (/^analy[sz](?:[ei]|t|$)/.test(word)) return 'analy';
  const { base, hadAte } = withoutVerbEnding(singular(word));
  const short = base
    .replace(/(?<=[a-z]{4})(?:ment|ness|ly)$/, '')
    .replace(/(?<=[a-z]{3})val$/, 'v')
    .replace(/ical$/, 'ic')
    .replace(/(?<=[a-z]{3})ability$/, 'abl')
    .replace(/(?<=[a-z][^aeiou])(?:ie|y)$/, 'i')
    .replace(/(?<=[a-z]{3})e$/, '');
  return (hadAte ? short.replace(/(?<=[a-z]{3}[^aeiou])at$/, '') : short).replace(/(?<=[a-z]{3})is$/, 'iz');
}

function singular(word: string): string {
  return word.replace(/(?:sses|(?<=[a-z]{2})ies)$/, (end) => (end === 'ies' ? 'i' : 'ss')).replace(/(?<=[a-z]{2})([^su])s$/, '$1');
}

/** `hadAte`: the rest may end in the `at` of a verb in -ate, which reservation and reserve do not share. */
function withoutVerbEnding(word: string): { readonly base: string; readonly hadAte: boolean } {
  const open = word.replace(/(?<=[aeiouy][a-z]*[a-z])(?:ing|ed)$/, '');
  if (open !== word && open.length >= 3) {
    const base = open.replace(/([b-df-hj-kmnp-rtv-y])\1$/, '$1');
    return { base, hadAte: base === open };
  }
  if (word.length > 5 && /[tsc]ion$/.test(word)) return { base: word.slice(0, -3), hadAte: true };
  if (word.length > 5 && /(?:[^aeiou]a|[aci])tor$/.test(word)) return { base: word.slice(0, -2), hadAte: true };
  if (word.length > 6 && word.endsWith('izer')) return { base: word.slice(0, -1), hadAte: false };
  return { base: word, hadAte: word.endsWith('ate') };
}
