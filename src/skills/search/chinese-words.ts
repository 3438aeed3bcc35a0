import type { Lexicon } from './lexicon.ts';

const LONGEST_WORD = 8;
const WORD_COST = 1;
/** More than a word, less than two: an unknown character is better left alone than bought with two more words. */
const CHARACTER_COST = 1.6;

interface Cut {
  readonly cost: number;
  readonly from: number;
}

/** The words of a run of Chinese: the cut into the fewest words of the dictionary. Characters that belong to none stand alone. */
export function chineseWords(run: string, lexicon: Lexicon): readonly string[] {
  const characters = Array.from(run);
  const cuts: Cut[] = [{ cost: 0, from: 0 }];
  const offer = (end: number, cost: number, from: number): void => {
    if (cost < (cuts[end]?.cost ?? Infinity)) cuts[end] = { cost, from };
  };
  characters.forEach((_, from) => {
    const before = cuts[from]?.cost ?? 0;
    offer(from + 1, before + CHARACTER_COST, from);
    for (let length = 2; length <= Math.min(LONGEST_WORD, characters.length - from); length += 1) {
      const word = characters.slice(from, from + length).join('');
      if (!lexicon.hasPrefix(word)) break;
      if (lexicon.lookup(word).length > 0) offer(from + length, before + WORD_COST, from);
    }
  });
  const words: string[] = [];
  for (let end = characters.length; end > 0; end = cuts[end]?.from ?? 0) words.push(characters.slice(cuts[end]?.from ?? 0, end).join(''));
  return words.reverse();
}
