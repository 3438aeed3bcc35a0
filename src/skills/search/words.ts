import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const PIECES = new RegExp(`[${CJK}]+|(?:(?![${CJK}])[\\p{L}\\p{N}])+`, 'gu');
const CJK_PIECE = new RegExp(`^[${CJK}]`, 'u');

/**
 * The words of a text for matching, in their order: case and width folded, camelCase and hyphens split, English endings
 * taken off, everyday words left out; Chinese, Japanese and Korean as single characters and pairs of them. `stems`
 * remembers the words whose endings were taken off: for many texts, which have most words in common, give the same one.
 */
export function termsOf(text: string, stems: Map<string, string> = new Map()): string[] {
  const terms: string[] = [];
  for (const piece of piecesOf(text)) {
    if (isCjk(piece)) terms.push(...charactersAndPairs(piece));
    else if (!STOP_WORDS.has(piece)) {
      const stemmed = stems.get(piece) ?? stem(piece);
      stems.set(piece, stemmed);
      terms.push(stemmed);
    }
  }
  return terms;
}

/** Runs of letters and digits in lower case; those in Chinese, Japanese or Korean writing end where other letters begin. */
export function piecesOf(text: string): string[] {
  const spaced = text.normalize('NFKC').replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return [...spaced.matchAll(PIECES)].map(([piece]) => piece);
}

/** True for a piece or a term in Chinese, Japanese or Korean writing. */
export function isCjk(piece: string): boolean {
  return CJK_PIECE.test(piece);
}

function charactersAndPairs(piece: string): string[] {
  const characters = Array.from(piece);
  return [...characters, ...characters.slice(1).map((character, i) => `${characters[i] ?? ''}${character}`)];
}
